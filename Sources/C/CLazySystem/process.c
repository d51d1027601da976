#define _GNU_SOURCE
#include "CLazySystem.h"

#include <sys/auxv.h>

static int word_count;
static char **words;

// glibc passes what `main` gets. Swift reads it from /proc, which not every machine shows.
__attribute__((constructor)) static void keep(int count, char **values) {
    word_count = count;
    words = values;
}

int lazy_word_count(void) { return word_count; }

const char *lazy_word(int place) { return words[place]; }

const char *lazy_program_path(void) { return (const char *)getauxval(AT_EXECFN); }

const char *lazy_processor(void) {
#if defined(__x86_64__)
    return __builtin_cpu_supports("avx2") ? "x86-64 with AVX2" : "x86-64 without AVX2";
#elif defined(__aarch64__)
    return "arm64";
#else
    return "of another kind";
#endif
}
