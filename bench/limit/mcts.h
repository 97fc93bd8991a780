// Monte Carlo tree search as plyground/search/mcts.py does it, with the same arithmetic and the same random numbers, so
// that both grow the same tree; here it may be written for one game and for a machine. (Build with -ffp-contract=off.)
//
// The game defines before it includes this: State; START; turn(state), 0 for x and 1 for o; result(state), 1, 0 or -1
// for x, else ONGOING; list(state, moves), which fills in the moves and says how many; pick(state, chance), the move at
// place chance * count >> 32; play(state, move).
#include <math.h>

enum { ROOM = 1 << 20, LONGEST = 1 << 10 };
static const double ONE = 1 << 30;
static const int64_t UNVISITED = 1LL << 60, SURELY = 1LL << 40;

typedef struct {
    int64_t sum, error; // of results for x; 1 / sqrt(visits), times ONE
    int visits, child;
    short move, children;
    int certain;
} Node;

static Node tree[ROOM];
static int size;
static u64 chance;

static int expand(int node, State state)
{
    int moves[128], count = list(state, moves);
    if (size + count > ROOM)
        return 0;
    for (int index = 0; index < count; index++) {
        int certain = result(play(state, moves[index]));
        int64_t sum = certain == ONGOING ? 0 : certain * SURELY;
        tree[size + index] = (Node){sum, UNVISITED, 0, 0, moves[index], 0, certain};
    }
    tree[node].child = size;
    tree[node].children = count;
    size += count;
    return 1;
}

static int best_child(int node, int side)
{
    const Node *first = tree + tree[node].child;
    double wide = 1.4142135623730951 * sqrt(log(tree[node].visits + 1)), best = -1e300;
    int choice = 0;
    for (int index = 0; index < tree[node].children; index++) {
        double error = first[index].error * (1 / ONE);
        double bound = error * (side * first[index].sum * error + wide);
        if (bound > best) {
            best = bound;
            choice = index;
        }
    }
    return tree[node].child + choice;
}

static int random_game(State state)
{
    int end;
    while ((end = result(state)) == ONGOING) {
        chance *= 0x9E3779B97F4A7C15ULL;
        chance = (chance ^ chance >> 32) + 1;
        state = play(state, pick(state, chance >> 16 & 0xffffffff));
    }
    return end;
}

static void settle(int node, int certain)
{
    tree[node].certain = certain;
    tree[node].sum = certain * SURELY;
}

// From the end of the path upward: certain is what wins, and what has certain children only.
static void make_certain(const int *path, const int *sides, int length)
{
    while (length > 0 && tree[path[length]].certain != ONGOING) {
        int node = path[--length], side = sides[length], won = 0, open = 0, best = -1;
        for (int child = tree[node].child; child < tree[node].child + tree[node].children; child++) {
            int certain = tree[child].certain;
            if (certain == ONGOING)
                open = 1;
            else if (side * certain == 1)
                won = 1;
            else if (side * certain > best)
                best = side * certain;
        }
        if (won)
            settle(node, side);
        else if (!open)
            settle(node, side * best);
    }
}

// The sum of the results of so many simulations.
static long long run_mcts(int simulations)
{
    tree[0] = (Node){0, 0, 0, 0, 0, 0, ONGOING};
    size = chance = 1;
    for (int done = 0; done < simulations && tree[0].certain == ONGOING; done++) {
        int path[LONGEST] = {0}, sides[LONGEST], length = 0, node = 0;
        State state = START;
        nodes++;
        while (tree[node].certain == ONGOING) {
            if (!tree[node].child && ((!tree[node].visits && node) || !expand(node, state)))
                break;
            sides[length] = 1 - 2 * turn(state);
            node = best_child(node, sides[length]);
            state = play(state, tree[node].move);
            path[++length] = node;
        }
        int end = tree[node].certain == ONGOING ? random_game(state) : tree[node].certain;
        for (int place = 0; place <= length; place++) {
            Node *here = tree + path[place];
            here->visits++;
            here->sum += end;
            here->error = ONE / sqrt(here->visits);
        }
        make_certain(path, sides, length);
    }
    return tree[0].sum;
}
