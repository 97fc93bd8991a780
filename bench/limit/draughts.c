// English draughts, written for speed: 32 squares in a word with a spare bit after every second row, as in Schaeffer's
// Chinook, so that each step is a shift. usage: draughts perft DEPTH
#include "measure.h"

static const u64 BOARD = 0x7fbfdfeffULL; // all but the spare bits 8, 17 and 26
static const u64 LAST[2] = {0xfULL << 31, 0xfULL};

typedef struct {
    u64 mine, theirs, kings;
} Sides;

static u64 perft(Sides sides, int turn, int depth);

static inline u64 down(u64 bits, int by) { return bits << by; }
static inline u64 up(u64 bits, int by) { return bits >> by; }

static u64 after(u64 mine, u64 theirs, u64 kings, u64 place, int is_king, int turn, int depth)
{
    kings &= mine | theirs;
    if (is_king || place & LAST[turn])
        kings |= place;
    return perft((Sides){theirs, mine | place, kings}, !turn, depth - 1);
}

// Every chain of jumps from here: mine is without the piece that jumps.
static u64 chains(u64 mine, u64 theirs, u64 kings, u64 place, int is_king, int turn, int depth, int jumps)
{
    u64 sequences = 0, free = BOARD & ~(mine | theirs);
    int found = 0;
    for (int by = 4; by <= 5; by++) {
        if (is_king || turn == 0) {
            u64 over = down(place, by) & theirs, to = down(over, by) & free;
            if (to) {
                found = 1;
                if (!is_king && to & LAST[0])
                    sequences += after(mine, theirs & ~over, kings, to, 0, turn, depth);
                else
                    sequences += chains(mine, theirs & ~over, kings, to, is_king, turn, depth, jumps + 1);
            }
        }
        if (is_king || turn == 1) {
            u64 over = up(place, by) & theirs, to = up(over, by) & free;
            if (to) {
                found = 1;
                if (!is_king && to & LAST[1])
                    sequences += after(mine, theirs & ~over, kings, to, 0, turn, depth);
                else
                    sequences += chains(mine, theirs & ~over, kings, to, is_king, turn, depth, jumps + 1);
            }
        }
    }
    return found || !jumps ? sequences : after(mine, theirs, kings, place, is_king, turn, depth);
}

static u64 perft(Sides sides, int turn, int depth)
{
    nodes++;
    if (depth == 0)
        return 1;
    u64 mine = sides.mine, theirs = sides.theirs, kings = sides.kings, free = BOARD & ~(mine | theirs);
    u64 downward = turn ? mine & kings : mine, upward = turn ? mine : mine & kings;
    u64 jumpers = downward & (up(theirs & up(free, 4), 4) | up(theirs & up(free, 5), 5));
    jumpers |= upward & (down(theirs & down(free, 4), 4) | down(theirs & down(free, 5), 5));
    u64 sequences = 0;
    if (jumpers) {
        for (; jumpers; jumpers &= jumpers - 1) {
            u64 place = jumpers & -jumpers;
            int is_king = (kings & place) != 0;
            sequences += chains(mine & ~place, theirs, kings & ~place, place, is_king, turn, depth, 0);
        }
        return sequences;
    }
    for (int by = 4; by <= 5; by++) {
        for (u64 movers = downward & up(free, by); movers; movers &= movers - 1) {
            u64 place = movers & -movers;
            sequences += after(mine & ~place, theirs, kings & ~place, down(place, by), (kings & place) != 0, turn, depth);
        }
        for (u64 movers = upward & down(free, by); movers; movers &= movers - 1) {
            u64 place = movers & -movers;
            sequences += after(mine & ~place, theirs, kings & ~place, up(place, by), (kings & place) != 0, turn, depth);
        }
    }
    return sequences;
}

static long long run_perft(int depth)
{
    // squares 1 to 12 and 21 to 32
    return perft((Sides){0x1eff, 0xfULL << 31 | 0xfULL << 27 | 0xfULL << 22, 0}, 0, depth);
}

int main(int count, char **words)
{
    if (count != 3 || strcmp(words[1], "perft"))
        return 2;
    measure("perft", "draughts", atoi(words[2]), run_perft);
    return 0;
}
