// Ultimate tic-tac-toe, written for speed: nine bits a board and player, changed in place and changed back.
// usage: ultimate send|free perft|alphabeta DEPTH, ultimate send|free mcts SIMULATIONS,
//        ultimate send|free solve MOVE … (each 16 * board + cell, from the start)
#include "measure.h"

enum { FULL = 0x1ff, ANY = 9, FINAL = 1 << 20, INFINITE = 1 << 30 };
static const int weights[9] = {3, 1, 3, 1, 5, 1, 3, 1, 3};
enum { WON_BOARD = 12 };
static char has_line[FULL + 1];
static int weight[FULL + 1];
static u32 cells[2][9]; // of each player, on each board
static int sends;

static void fill_tables(void)
{
    static const u32 lines[] = {0x007, 0x038, 0x1c0, 0x049, 0x092, 0x124, 0x111, 0x054};
    for (u32 set = 0; set <= FULL; set++) {
        for (int line = 0; line < 8; line++)
            has_line[set] |= (set & lines[line]) == lines[line];
        for (int cell = 0; cell < 9; cell++)
            weight[set] += (set >> cell & 1) * weights[cell];
    }
}

// Boards won by the player to move and by the other, boards closed, and the board where one must play. Small enough to
// stay in registers; the cells are not, so they alone are changed in place.
typedef struct {
    u32 won, lost, closed;
    int must;
} Fate;

static inline u32 boards_open(Fate fate) { return fate.must < ANY ? 1u << fate.must : FULL & ~fate.closed; }

// What a player's move of `cell` makes of the boards, seen by the other player; `mine` are the cells after it.
static inline Fate after(Fate fate, u32 mine, u32 theirs, int board, int cell)
{
    u32 won = fate.won, closed = fate.closed;
    if (has_line[mine]) {
        won |= 1u << board;
        closed |= 1u << board;
    } else if ((mine | theirs) == FULL)
        closed |= 1u << board;
    int must = sends && !(closed >> cell & 1) ? cell : ANY;
    return (Fate){fate.lost, won, closed, must};
}

// A finished child is dealt with where it is made: a call costs more than all the rest of a leaf.
static u64 perft(int player, Fate fate, int depth)
{
    nodes++;
    if (depth == 0)
        return 1;
    u64 sequences = 0;
    for (u32 open = boards_open(fate); open; open &= open - 1) {
        int board = __builtin_ctz(open);
        u32 mine = cells[player][board], theirs = cells[!player][board];
        for (u32 free = FULL & ~(mine | theirs); free; free &= free - 1) {
            u32 moved = mine | (free & -free);
            Fate next = after(fate, moved, theirs, board, __builtin_ctz(free));
            if (has_line[next.lost] || next.closed == FULL) {
                nodes++;
                sequences += depth == 1;
                continue;
            }
            cells[player][board] = moved;
            sequences += perft(!player, next, depth - 1);
            cells[player][board] = mine;
        }
    }
    return sequences;
}

// The weighted sum of the boards, for the player to move: of an open one its marks, of one won 12, of one drawn 0.
static int evaluate(int player, Fate fate)
{
    int total = 0;
    for (int board = 0; board < 9; board++) {
        int worth = fate.closed >> board & 1
                        ? WON_BOARD * ((int)(fate.won >> board & 1) - (int)(fate.lost >> board & 1))
                        : weight[cells[player][board]] - weight[cells[!player][board]];
        total += weights[board] * worth;
    }
    return total;
}

// Values are for the player to move; a win is FINAL less the plies to it, so the sooner is the better.
static int alphabeta(int player, Fate fate, int depth, int alpha, int beta, int ply)
{
    nodes++;
    if (has_line[fate.lost])
        return ply - FINAL;
    if (fate.closed == FULL)
        return 0;
    if (depth == 0)
        return evaluate(player, fate);
    int best = -INFINITE;
    for (u32 open = boards_open(fate); open; open &= open - 1) {
        int board = __builtin_ctz(open);
        u32 mine = cells[player][board], theirs = cells[!player][board];
        for (u32 free = FULL & ~(mine | theirs); free; free &= free - 1) {
            u32 moved = mine | (free & -free);
            Fate next = after(fate, moved, theirs, board, __builtin_ctz(free));
            cells[player][board] = moved;
            int value = -alphabeta(!player, next, depth - 1, -beta, -alpha, ply + 1);
            cells[player][board] = mine;
            if (value > best)
                best = value;
            if (value > alpha)
                alpha = value;
            if (alpha >= beta)
                return best;
        }
    }
    return best;
}

static const Fate start = {0, 0, 0, ANY};

// Who wins, for the player to move, 1, 0 or -1: alpha-beta to the end of the game.
static int decide(int player, Fate fate, int alpha, int beta)
{
    nodes++;
    if (has_line[fate.lost])
        return -1;
    if (fate.closed == FULL)
        return 0;
    int best = -2;
    for (u32 open = boards_open(fate); open; open &= open - 1) {
        int board = __builtin_ctz(open);
        u32 mine = cells[player][board], theirs = cells[!player][board];
        for (u32 free = FULL & ~(mine | theirs); free; free &= free - 1) {
            u32 moved = mine | (free & -free);
            Fate next = after(fate, moved, theirs, board, __builtin_ctz(free));
            cells[player][board] = moved;
            int value = -decide(!player, next, -beta, -alpha);
            cells[player][board] = mine;
            if (value > best)
                best = value;
            if (value > alpha)
                alpha = value;
            if (alpha >= beta)
                return best;
        }
    }
    return best;
}

typedef struct {
    uint16_t cells[2][9];
    Fate fate;
    int turn;
} State;
static const State START = {.fate = {0, 0, 0, ANY}};

static int turn(State state) { return state.turn; }
static u32 free_on(const State *state, int board) { return FULL & ~(state->cells[0][board] | state->cells[1][board]); }

static State play(State state, int move)
{
    int board = move >> 4, cell = move & 15;
    u32 mine = state.cells[state.turn][board] |= 1u << cell;
    state.fate = after(state.fate, mine, state.cells[!state.turn][board], board, cell);
    state.turn = !state.turn;
    return state;
}

static int result(State state)
{
    if (has_line[state.fate.lost])
        return 2 * state.turn - 1;
    return state.fate.closed == FULL ? 0 : ONGOING;
}

static int list(State state, int *moves)
{
    int count = 0;
    for (u32 open = boards_open(state.fate); open; open &= open - 1)
        for (u32 free = free_on(&state, __builtin_ctz(open)); free; free &= free - 1)
            moves[count++] = __builtin_ctz(open) << 4 | __builtin_ctz(free);
    return count;
}

static int pick(State state, u64 chance)
{
    int total = 0;
    for (u32 open = boards_open(state.fate); open; open &= open - 1)
        total += __builtin_popcount(free_on(&state, __builtin_ctz(open)));
    int place = chance * total >> 32;
    for (u32 open = boards_open(state.fate);; open &= open - 1) {
        u32 free = free_on(&state, __builtin_ctz(open));
        int count = __builtin_popcount(free);
        if (place < count)
            return __builtin_ctz(open) << 4 | nth(free, place);
        place -= count;
    }
}

#include "mcts.h"

static long long run_perft(int depth) { return perft(0, start, depth); }
static long long run_alphabeta(int depth) { return alphabeta(0, start, depth, -INFINITE, INFINITE, 0); }

static Fate fate_now; // after the moves that were given
static int player_now;

static void play_here(int move)
{
    int board = move >> 4, cell = move & 15;
    u32 mine = cells[player_now][board] |= 1u << cell;
    fate_now = after(fate_now, mine, cells[!player_now][board], board, cell);
    player_now = !player_now;
}

static long long run_solve(int depth) { return (void)depth, decide(player_now, fate_now, -1, 1); }

int main(int count, char **words)
{
    if (count < 4)
        return fprintf(stderr, "usage: ultimate send|free perft|alphabeta DEPTH\n"), 1;
    fill_tables();
    sends = !strcmp(words[1], "send");
    if (!strcmp(words[2], "solve")) {
        fate_now = start;
        for (int place = 3; place < count; place++)
            play_here(atoi(words[place]));
        measure("solve", "ultimate", count - 3, run_solve);
        return 0;
    }
    measure(words[2], sends ? "ultimate" : "ultimate:send=false", atoi(words[3]),
            !strcmp(words[2], "perft") ? run_perft : !strcmp(words[2], "mcts") ? run_mcts : run_alphabeta);
}
