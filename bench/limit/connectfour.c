// Connect Four on 7 x 6, written for speed: a 64-bit word a player, seen by the mover, a spare bit over each column.
// usage: connectfour perft|alphabeta DEPTH, connectfour mcts SIMULATIONS
#include "measure.h"

enum { COLUMN = 7 };
static const u64 FLOOR = 0x0040810204081ULL;
static const u64 BOARD = 0x0040810204081ULL * 0x3f;

static int has_line(u64 cells)
{
    static const int steps[] = {1, COLUMN - 1, COLUMN, COLUMN + 1};
    u64 found = 0;
    for (int direction = 0; direction < 4; direction++) {
        u64 pairs = cells & cells >> steps[direction];
        found |= pairs & pairs >> 2 * steps[direction];
    }
    return found != 0;
}

static u64 perft(u64 mine, u64 marks, int depth)
{
    nodes++;
    if (depth == 0)
        return 1;
    u64 sequences = 0;
    for (u64 landings = (marks + FLOOR) & BOARD; landings; landings &= landings - 1) {
        u64 cell = landings & -landings;
        if (has_line(mine | cell)) {
            nodes++;
            sequences += depth == 1;
        } else
            sequences += perft(marks ^ mine, marks | cell, depth - 1);
    }
    return sequences;
}

// Values are 1, 0 and -1 for the player to move; what is unfinished at the last depth is worth 0.
static int alphabeta(u64 mine, u64 marks, int depth, int alpha, int beta)
{
    nodes++;
    if (has_line(marks ^ mine))
        return -1;
    u64 landings = (marks + FLOOR) & BOARD;
    if (!landings || depth == 0)
        return 0;
    int best = -2;
    for (; landings; landings &= landings - 1) {
        int value = -alphabeta(marks ^ mine, marks | (landings & -landings), depth - 1, -beta, -alpha);
        if (value > best)
            best = value;
        if (value > alpha)
            alpha = value;
        if (alpha >= beta)
            break;
    }
    return best;
}

typedef struct {
    u64 mine, marks;
} State;
static const State START;

static int turn(State state) { return __builtin_popcountll(state.marks) & 1; }
static u64 landings(State state) { return (state.marks + FLOOR) & BOARD; }
static State play(State state, int move) { return (State){state.marks ^ state.mine, state.marks | 1ULL << move}; }

static int result(State state)
{
    if (has_line(state.marks ^ state.mine))
        return 2 * turn(state) - 1;
    return state.marks == BOARD ? 0 : ONGOING;
}

static int list(State state, int *moves)
{
    int count = 0;
    for (u64 rest = landings(state); rest; rest &= rest - 1)
        moves[count++] = __builtin_ctzll(rest);
    return count;
}

static int pick(State state, u64 chance)
{
    u64 cells = landings(state);
    return nth(cells, chance * __builtin_popcountll(cells) >> 32);
}

#include "mcts.h"

static long long run_perft(int depth) { return perft(0, 0, depth); }
static long long run_alphabeta(int depth) { return alphabeta(0, 0, depth, -9, 9); }

int main(int count, char **words)
{
    if (count != 3)
        return 2;
    int depth = atoi(words[2]);
    if (!strcmp(words[1], "perft"))
        measure("perft", "connectfour", depth, run_perft);
    else if (!strcmp(words[1], "alphabeta"))
        measure("alphabeta", "connectfour", depth, run_alphabeta);
    else if (!strcmp(words[1], "mcts"))
        measure("mcts", "connectfour", depth, run_mcts);
    else
        return 2;
    return 0;
}
