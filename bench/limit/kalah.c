// Kalah, 6 pits and 4 seeds, written for speed: a side is a 64-bit word of seven bytes, and sowing adds two words.
// A capture needs seeds opposite. usage: kalah perft|alphabeta DEPTH, kalah mcts SIMULATIONS
#include "measure.h"

enum { PITS = 6, SEEDS = 4, MOST = 2 * PITS * SEEDS, STORE = 8 * PITS, CIRCLE = 2 * PITS + 1 };
static const u64 ROW = (1ULL << STORE) - 1;
static u64 sown_mine[PITS][MOST + 1], sown_theirs[PITS][MOST + 1];
static unsigned char last_place[PITS][MOST + 1];

static void fill_tables(void)
{
    for (int pit = 0; pit < PITS; pit++)
        for (int seeds = 1; seeds <= MOST; seeds++) {
            int place = pit;
            for (int seed = 0; seed < seeds; seed++) {
                place = (place + 1) % CIRCLE;
                if (place <= PITS)
                    sown_mine[pit][seeds] += 1ULL << 8 * place;
                else
                    sown_theirs[pit][seeds] += 1ULL << 8 * (place - PITS - 1);
            }
            last_place[pit][seeds] = place;
        }
}

static u64 seeds_in(u64 row) { return (row & ROW) * 0x0101010101010101ULL >> 56; }

typedef struct {
    u64 mine, theirs;
} Sides;

enum { PASSES, AGAIN, OVER };

// What the move makes of the sides, still seen by who made it.
static int sow(Sides *sides, int pit)
{
    int seeds = sides->mine >> 8 * pit & 0xff, last = last_place[pit][seeds];
    u64 mine = (sides->mine & ~(0xffULL << 8 * pit)) + sown_mine[pit][seeds];
    u64 theirs = sides->theirs + sown_theirs[pit][seeds];
    if (last < PITS && (mine >> 8 * last & 0xff) == 1) {
        int across = 8 * (PITS - 1 - last);
        u64 captured = theirs >> across & 0xff;
        if (captured) {
            mine += (captured + 1 << STORE) - (1ULL << 8 * last);
            theirs -= captured << across;
        }
    }
    if (!(mine & ROW) || !(theirs & ROW)) {
        sides->mine = (mine >> STORE) + seeds_in(mine) << STORE;
        sides->theirs = (theirs >> STORE) + seeds_in(theirs) << STORE;
        return OVER;
    }
    sides->mine = mine;
    sides->theirs = theirs;
    return last == PITS ? AGAIN : PASSES;
}

static u64 perft(u64 mine, u64 theirs, int depth)
{
    nodes++;
    if (depth == 0)
        return 1;
    u64 sequences = 0;
    for (int pit = 0; pit < PITS; pit++)
        if (mine >> 8 * pit & 0xff) {
            Sides sides = {mine, theirs};
            int what = sow(&sides, pit);
            if (what == OVER) {
                nodes++;
                sequences += depth == 1;
            } else if (what == AGAIN)
                sequences += perft(sides.mine, sides.theirs, depth - 1);
            else
                sequences += perft(sides.theirs, sides.mine, depth - 1);
        }
    return sequences;
}

static int margin(u64 mine, u64 theirs) { return (int)(mine >> STORE) - (int)(theirs >> STORE); }

// Values for the player to move: a finished game's margin times 2^20, an unfinished one's difference of the stores.
static int alphabeta(u64 mine, u64 theirs, int depth, int alpha, int beta)
{
    nodes++;
    if (depth == 0)
        return margin(mine, theirs);
    int best = -(1 << 30);
    for (int pit = 0; pit < PITS; pit++)
        if (mine >> 8 * pit & 0xff) {
            Sides sides = {mine, theirs};
            int what = sow(&sides, pit), value;
            if (what == OVER) {
                nodes++;
                value = margin(sides.mine, sides.theirs) << 20;
            } else if (what == AGAIN)
                value = alphabeta(sides.mine, sides.theirs, depth - 1, alpha, beta);
            else
                value = -alphabeta(sides.theirs, sides.mine, depth - 1, -beta, -alpha);
            if (value > best)
                best = value;
            if (value > alpha)
                alpha = value;
            if (alpha >= beta)
                break;
        }
    return best;
}

static const u64 FULL = SEEDS * 0x010101010101ULL;

typedef struct {
    Sides sides;
    int turn, over;
} State;
static const State START = {{FULL, FULL}, 0, 0};

static int turn(State state) { return state.turn; }

static State play(State state, int pit)
{
    int what = sow(&state.sides, pit);
    if (what == PASSES)
        return (State){{state.sides.theirs, state.sides.mine}, !state.turn, 0};
    state.over = what == OVER;
    return state;
}

static int result(State state)
{
    if (!state.over)
        return ONGOING;
    int ahead = margin(state.sides.mine, state.sides.theirs);
    return ((ahead > 0) - (ahead < 0)) * (1 - 2 * state.turn);
}

// The top bit of every pit with seeds in it.
static u64 filled(State state) { return (state.sides.mine & ROW) + (0x7f7f7f7f7f7fULL) & 0x808080808080ULL; }

static int list(State state, int *moves)
{
    int count = 0;
    for (u64 rest = filled(state); rest; rest &= rest - 1)
        moves[count++] = __builtin_ctzll(rest) / 8;
    return count;
}

static int pick(State state, u64 chance)
{
    u64 pits = filled(state);
    return nth(pits, chance * __builtin_popcountll(pits) >> 32) / 8;
}

#include "mcts.h"

static long long run_perft(int depth) { return perft(FULL, FULL, depth); }
static long long run_alphabeta(int depth) { return alphabeta(FULL, FULL, depth, -(1 << 30), 1 << 30); }

int main(int count, char **words)
{
    fill_tables();
    if (count != 3)
        return 2;
    int depth = atoi(words[2]);
    if (!strcmp(words[1], "perft"))
        measure("perft", "kalah", depth, run_perft);
    else if (!strcmp(words[1], "alphabeta"))
        measure("alphabeta", "kalah", depth, run_alphabeta);
    else if (!strcmp(words[1], "mcts"))
        measure("mcts", "kalah", depth, run_mcts);
    else
        return 2;
    return 0;
}
