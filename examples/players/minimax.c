/* A player in C: minimax to the end, over standard input and output.
 *   cc -O2 -o minimax minimax.c && plyground play tictactoe --o "program:./minimax {side} {first}"
 * It reads (X,Y). and writes X,Y: column and row, from 1. */
#include <stdio.h>

static const int lines[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
static char board[9];
static char side;

static char other(char mark) { return mark == 'x' ? 'o' : 'x'; }

static int wins(char mark)
{
    for (int i = 0; i < 8; i++)
        if (board[lines[i][0]] == mark && board[lines[i][1]] == mark && board[lines[i][2]] == mark)
            return 1;
    return 0;
}

/* The value for the player to move, and the cell that gets it; -1 if there is none. Sooner wins are worth more. */
static int best(char mark, int depth, int *choice)
{
    int most = -100, ignored;
    *choice = -1;
    if (wins(other(mark)))
        return depth - 10;
    for (int cell = 0; cell < 9; cell++) {
        if (board[cell])
            continue;
        board[cell] = mark;
        int value = -best(other(mark), depth + 1, &ignored);
        board[cell] = 0;
        if (value > most) {
            most = value;
            *choice = cell;
        }
    }
    return *choice < 0 ? 0 : most;
}

static void play(void)
{
    int cell;
    best(side, 0, &cell);
    if (cell < 0)
        return;
    board[cell] = side;
    printf("%d,%d\n", cell % 3 + 1, cell / 3 + 1);
    fflush(stdout);
}

int main(int count, char **words)
{
    int x, y;
    char text[200];
    if (count < 3)
        return 2;
    side = words[1][0];
    if (side == words[2][0])
        play();
    while (fgets(text, sizeof text, stdin))
        if (sscanf(text, " ( %d , %d", &x, &y) == 2 && x >= 1 && x <= 3 && y >= 1 && y <= 3) {
            board[(y - 1) * 3 + x - 1] = other(side);
            play();
        }
    return 0;
}
