/* A bot for CodinGame's Ultimate Tic-Tac-Toe in C: the first legal move.
     cc -O2 -o first first.c && plyground play ultimate --o "codingame:./first" */
#include <stdio.h>

int main(void) {
    int row, column, count; /* where the other side played, -1 -1 if it has not; how many moves are legal */
    while (scanf("%d %d %d", &row, &column, &count) == 3) {
        int first_row = 0, first_column = 0;
        for (int move = 0; move < count && scanf("%d %d", &row, &column) == 2; move++) {
            if (move == 0) {
                first_row = row;
                first_column = column;
            }
        }
        printf("%d %d\n", first_row, first_column);
        fflush(stdout);
    }
    return 0;
}
