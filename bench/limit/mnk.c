// Tic-tac-toe, written for speed: nine bits a player, seen by the mover, and a table of all boards with a line.
// usage: mnk perft|minimax|alphabeta DEPTH
#include "measure.h"

enum { FULL = 0x1ff };
static char has_line[FULL + 1];

static void fill_table(void)
{
    static const u32 lines[] = {0x007, 0x038, 0x1c0, 0x049, 0x092, 0x124, 0x111, 0x054};
    for (u32 cells = 0; cells <= FULL; cells++)
        for (int line = 0; line < 8; line++)
            has_line[cells] |= (cells & lines[line]) == lines[line];
}

// A won child is dealt with where it is made: a call costs more than all the rest of a leaf.
static u64 perft(u32 mine, u32 theirs, int depth)
{
    nodes++;
    if (depth == 0)
        return 1;
    u64 sequences = 0;
    for (u32 free = FULL & ~(mine | theirs); free; free &= free - 1) {
        u32 moved = mine | (free & -free);
        if (has_line[moved]) {
            nodes++;
            sequences += depth == 1;
        } else
            sequences += perft(theirs, moved, depth - 1);
    }
    return sequences;
}

// Values are 1, 0 and -1 for the player to move.
static int minimax(u32 mine, u32 theirs, int depth)
{
    nodes++;
    if (has_line[theirs])
        return -1;
    u32 free = FULL & ~(mine | theirs);
    if (!free || depth == 0)
        return 0;
    int best = -2;
    for (; free; free &= free - 1) {
        int value = -minimax(theirs, mine | (free & -free), depth - 1);
        if (value > best)
            best = value;
    }
    return best;
}

static int alphabeta(u32 mine, u32 theirs, int depth, int alpha, int beta)
{
    nodes++;
    if (has_line[theirs])
        return -1;
    u32 free = FULL & ~(mine | theirs);
    if (!free || depth == 0)
        return 0;
    int best = -2;
    for (; free; free &= free - 1) {
        int value = -alphabeta(theirs, mine | (free & -free), depth - 1, -beta, -alpha);
        if (value > best)
            best = value;
        if (value > alpha)
            alpha = value;
        if (alpha >= beta)
            break;
    }
    return best;
}

static long long run_perft(int depth) { return perft(0, 0, depth); }
static long long run_minimax(int depth) { return minimax(0, 0, depth); }
static long long run_alphabeta(int depth) { return alphabeta(0, 0, depth, -2, 2); } // ±2: beyond every value

int main(int count, char **words)
{
    if (count != 3)
        return fprintf(stderr, "usage: mnk perft|minimax|alphabeta DEPTH\n"), 1;
    fill_table();
    long long (*task)(int) = !strcmp(words[1], "perft")     ? run_perft
                             : !strcmp(words[1], "minimax") ? run_minimax
                                                            : run_alphabeta;
    measure(words[1], "tictactoe", atoi(words[2]), task);
}
