// Reversi on 8 x 8, written for speed: a side is a 64-bit word, square 8 * row + column from the top left; runs are found
// for all squares at once, by doubling (Kogge and Stone), with masks for what would come round the edge.
// A pass is a move. usage: reversi perft DEPTH
#include "measure.h"

#define LEFT 0xfefefefefefefefeULL  // all columns but the first
#define RIGHT 0x7f7f7f7f7f7f7f7fULL // all columns but the last

// The runs of the other's discs that follow these squares upwards in the bits, and the squares behind them.
#define UP(cells, theirs, by, mask, run, behind)                                                                       \
    u64 run = (cells) << by & (theirs) & mask;                                                                         \
    {                                                                                                                  \
        u64 chain = (theirs) & mask;                                                                                   \
        run |= chain & run << by;                                                                                      \
        chain &= chain << by;                                                                                          \
        run |= chain & run << 2 * by;                                                                                  \
        run |= chain & run << 2 * by;                                                                                  \
    }                                                                                                                  \
    u64 behind = run << by & mask;
#define DOWN(cells, theirs, by, mask, run, behind)                                                                     \
    u64 run = (cells) >> by & (theirs) & mask;                                                                         \
    {                                                                                                                  \
        u64 chain = (theirs) & mask;                                                                                   \
        run |= chain & run >> by;                                                                                      \
        chain &= chain >> by;                                                                                          \
        run |= chain & run >> 2 * by;                                                                                  \
        run |= chain & run >> 2 * by;                                                                                  \
    }                                                                                                                  \
    u64 behind = run >> by & mask;

static inline u64 open_to(u64 mine, u64 theirs)
{
    UP(mine, theirs, 1, LEFT, r0, b0)
    UP(mine, theirs, 8, ~0ULL, r1, b1)
    UP(mine, theirs, 9, LEFT, r2, b2)
    UP(mine, theirs, 7, RIGHT, r3, b3)
    DOWN(mine, theirs, 1, RIGHT, r4, b4)
    DOWN(mine, theirs, 8, ~0ULL, r5, b5)
    DOWN(mine, theirs, 9, RIGHT, r6, b6)
    DOWN(mine, theirs, 7, LEFT, r7, b7)
    return (b0 | b1 | b2 | b3 | b4 | b5 | b6 | b7) & ~(mine | theirs);
}

static inline u64 turned(u64 disc, u64 mine, u64 theirs)
{
    UP(disc, theirs, 1, LEFT, r0, b0)
    UP(disc, theirs, 8, ~0ULL, r1, b1)
    UP(disc, theirs, 9, LEFT, r2, b2)
    UP(disc, theirs, 7, RIGHT, r3, b3)
    DOWN(disc, theirs, 1, RIGHT, r4, b4)
    DOWN(disc, theirs, 8, ~0ULL, r5, b5)
    DOWN(disc, theirs, 9, RIGHT, r6, b6)
    DOWN(disc, theirs, 7, LEFT, r7, b7)
    return (b0 & mine ? r0 : 0) | (b1 & mine ? r1 : 0) | (b2 & mine ? r2 : 0) | (b3 & mine ? r3 : 0) |
           (b4 & mine ? r4 : 0) | (b5 & mine ? r5 : 0) | (b6 & mine ? r6 : 0) | (b7 & mine ? r7 : 0);
}

// Finished leaves are counted 32 bits higher than the others, so that no compiler can leave their test out.
static u64 perft(u64 mine, u64 theirs, int depth)
{
    nodes++;
    u64 places = open_to(mine, theirs);
    int over = !places && !open_to(theirs, mine);
    if (depth == 0)
        return over ? 1ULL << 32 : 1;
    if (over)
        return 0;
    if (!places)
        return perft(theirs, mine, depth - 1);
    u64 sequences = 0;
    for (; places; places &= places - 1) {
        u64 disc = places & -places, turn = turned(disc, mine, theirs);
        sequences += perft(theirs & ~turn, mine | turn | disc, depth - 1);
    }
    return sequences;
}

static long long count(int depth)
{
    u64 leaves = perft(1ULL << 28 | 1ULL << 35, 1ULL << 27 | 1ULL << 36, depth);
    return (leaves >> 32) + (u32)leaves;
}

int main(int argc, char **argv)
{
    if (argc != 3 || strcmp(argv[1], "perft")) {
        fprintf(stderr, "usage: reversi perft DEPTH\n");
        return 2;
    }
    measure("perft", "reversi", atoi(argv[2]), count);
}
