// What the programs share: the clock, the count of nodes, and the line that is printed.
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#ifdef __BMI2__
#include <immintrin.h>
#endif

typedef uint64_t u64;
typedef uint32_t u32;

static u64 nodes; // every position visited, the first and finished ones included

enum { ONGOING = -(1 << 30) }; // the result of an unfinished game

// The number of the set bit with so many lower ones.
static inline int nth(u64 bits, int place)
{
#ifdef __BMI2__
    return __builtin_ctzll(_pdep_u64(1ULL << place, bits));
#else
    while (place--)
        bits &= bits - 1;
    return __builtin_ctzll(bits);
#endif
}

// CPU time, so that other work on the machine disturbs less.
static double seconds_now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
    return time.tv_sec + 1e-9 * time.tv_nsec;
}

// Repeat a task until 0.3 s have passed and print its best repetition. The task goes through a volatile pointer, or the
// compiler would see that every repetition gives the same and run one.
static void measure(const char *name, const char *game, int depth, long long (*task)(int))
{
    long long (*volatile repeated)(int) = task;
    double start = seconds_now(), best = 1e9;
    long long result;
    do {
        nodes = 0;
        double before = seconds_now();
        result = repeated(depth);
        double taken = seconds_now() - before;
        if (taken < best)
            best = taken;
    } while (seconds_now() - start < 0.3);
    printf("{\"task\": \"%s\", \"game\": \"%s\", \"depth\": %d, \"result\": %lld, \"nodes\": %llu, "
           "\"seconds\": %.9f, \"per_second\": %.0f}\n",
           name, game, depth, result, (unsigned long long)nodes, best, nodes / best);
}
