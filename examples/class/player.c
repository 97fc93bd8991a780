/* Eight students' programs in C: KIND SIDE FIRST. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int LINES[8][3] = {{0, 1, 2}, {3, 4, 5}, {6, 7, 8}, {0, 3, 6}, {1, 4, 7}, {2, 5, 8}, {0, 4, 8}, {2, 4, 6}};
static int board[9], moves;
static const char *kind;

static int has_won(int player) {
    for (int i = 0; i < 8; i++)
        if (board[LINES[i][0]] == player && board[LINES[i][1]] == player && board[LINES[i][2]] == player) return 1;
    return 0;
}

static int full(void) {
    for (int i = 0; i < 9; i++)
        if (!board[i]) return 0;
    return 1;
}

static int best(int player, int *move) {
    int found = -2;
    if (has_won(3 - player)) return -1;
    if (full()) return 0;
    for (int i = 0; i < 9; i++) {
        int below, value;
        if (board[i]) continue;
        board[i] = player;
        value = -best(3 - player, &below);
        board[i] = 0;
        if (value > found) found = value, *move = i;
    }
    return found;
}

static void go(void) {
    int place = 0;
    if (has_won(1) || has_won(2) || full()) return;
    if (!strcmp(kind, "illegal")) place = 4;
    else if (!strcmp(kind, "perfect")) best(1, &place);
    else while (board[place]) place++;
    moves++;
    if (!strcmp(kind, "crash") && moves == 2) abort();
    while (!strcmp(kind, "hang") && moves == 2) ;
    if (!strcmp(kind, "talk")) puts("I think that this is good");
    board[place] = 1;
    printf("%d,%d\n", place % 3 + 1, place / 3 + 1);
    fflush(stdout);
}

int main(int count, char **words) {
    char line[99];
    kind = words[1];
    if (count < 4 || !strcmp(kind, "broken")) return 1;
    if (!strcmp(kind, "waits")) while (fgets(line, 99, stdin)) ;
    if (!strcmp(words[2], words[3])) go();
    while (fgets(line, 99, stdin)) {
        int x, y;
        if (sscanf(line, "(%d,%d)", &x, &y) == 2) board[x - 1 + 3 * (y - 1)] = 2, go();
    }
    return 0;
}
