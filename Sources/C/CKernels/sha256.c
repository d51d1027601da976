// SHA-256 (FIPS 180-4), by the processor's instructions where it has them.
#include "Digest.h"

#include <string.h>

static const uint32_t constants[64] __attribute__((aligned(16))) = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static uint32_t rotate(uint32_t word, int bits) { return (word >> bits) | (word << (32 - bits)); }

static void add_block(uint32_t state[8], const uint8_t *block) {
    uint32_t words[64];
    for (int i = 0; i < 16; i++)
        words[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16
            | (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
    for (int i = 16; i < 64; i++) {
        uint32_t a = words[i - 15], b = words[i - 2];
        words[i] = words[i - 16] + (rotate(a, 7) ^ rotate(a, 18) ^ (a >> 3)) + words[i - 7]
            + (rotate(b, 17) ^ rotate(b, 19) ^ (b >> 10));
    }
    uint32_t s[8];
    memcpy(s, state, sizeof s);
    for (int i = 0; i < 64; i++) {
        uint32_t one = s[7] + (rotate(s[4], 6) ^ rotate(s[4], 11) ^ rotate(s[4], 25))
            + ((s[4] & s[5]) ^ (~s[4] & s[6])) + constants[i] + words[i];
        uint32_t two = (rotate(s[0], 2) ^ rotate(s[0], 13) ^ rotate(s[0], 22))
            + ((s[0] & s[1]) ^ (s[0] & s[2]) ^ (s[1] & s[2]));
        memmove(s + 1, s, 7 * sizeof *s);
        s[4] += one;
        s[0] = one + two;
    }
    for (int i = 0; i < 8; i++) state[i] += s[i];
}

void lazy_sha256_add_blocks_portable(uint32_t state[8], const uint8_t *blocks, size_t count) {
    for (; count; count--, blocks += 64) add_block(state, blocks);
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

// SHA extensions (Intel SDM, volume 1, 5.18) with SSSE3 and SSE4.1.
static int has_instructions(void) {
    static int known; // 0: unknown, 1: no, 2: yes; every thread finds the same.
    int value = __atomic_load_n(&known, __ATOMIC_RELAXED);
    if (value) return value == 2;
    unsigned a, b, c, d;
    int has = __get_cpuid(1, &a, &b, &c, &d) && (c & bit_SSSE3) && (c & bit_SSE4_1)
        && __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
    __atomic_store_n(&known, has ? 2 : 1, __ATOMIC_RELAXED);
    return has;
}

__attribute__((target("sha,ssse3,sse4.1"))) static void add_blocks_by_instructions(
    uint32_t state[8], const uint8_t *blocks, size_t count) {
    const __m128i big_endian = _mm_set_epi64x(0x0c0d0e0f08090a0b, 0x0405060700010203);
    __m128i abcd = _mm_loadu_si128((const __m128i *)state);
    __m128i efgh = _mm_loadu_si128((const __m128i *)(state + 4));
    // The instructions take the words as ABEF and CDGH, the first one highest.
    __m128i cdab = _mm_shuffle_epi32(abcd, 0xB1), hgfe = _mm_shuffle_epi32(efgh, 0x1B);
    __m128i abef = _mm_alignr_epi8(cdab, hgfe, 8), cdgh = _mm_blend_epi16(hgfe, cdab, 0xF0);
    for (; count; count--, blocks += 64) {
        __m128i first = abef, second = cdgh, words[4];
        for (int i = 0; i < 4; i++)
            words[i] = _mm_shuffle_epi8(
                _mm_loadu_si128((const __m128i *)(blocks + 16 * i)), big_endian);
#ifdef __clang__
#pragma clang loop unroll(full)
#endif
        for (int i = 0; i < 16; i++) {
            if (i >= 4) {
                __m128i last = words[(i + 3) % 4];
                __m128i next = _mm_sha256msg1_epu32(words[i % 4], words[(i + 1) % 4]);
                next = _mm_add_epi32(next, _mm_alignr_epi8(last, words[(i + 2) % 4], 4));
                words[i % 4] = _mm_sha256msg2_epu32(next, last);
            }
            __m128i added = _mm_add_epi32(
                words[i % 4], _mm_load_si128((const __m128i *)(constants + 4 * i)));
            cdgh = _mm_sha256rnds2_epu32(cdgh, abef, added);
            abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(added, 0x0E));
        }
        abef = _mm_add_epi32(abef, first);
        cdgh = _mm_add_epi32(cdgh, second);
    }
    __m128i feba = _mm_shuffle_epi32(abef, 0x1B), dchg = _mm_shuffle_epi32(cdgh, 0xB1);
    _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xF0));
    _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}
#else
static int has_instructions(void) { return 0; }
#define add_blocks_by_instructions lazy_sha256_add_blocks_portable
#endif

static void add_blocks(uint32_t state[8], const uint8_t *blocks, size_t count) {
    if (has_instructions()) add_blocks_by_instructions(state, blocks, count);
    else lazy_sha256_add_blocks_portable(state, blocks, count);
}

void lazy_sha256_begin(lazy_sha256_state *sum) {
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(sum->state, start, sizeof start);
    sum->count = 0;
}

void lazy_sha256_add(lazy_sha256_state *sum, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    size_t kept = sum->count % 64;
    sum->count += count;
    if (kept) {
        size_t piece = count < 64 - kept ? count : 64 - kept;
        if (piece) memcpy(sum->rest + kept, next, piece);
        next += piece;
        count -= piece;
        if (kept + piece < 64) return;
        add_blocks(sum->state, sum->rest, 1);
    }
    add_blocks(sum->state, next, count / 64);
    if (count % 64) memcpy(sum->rest, next + count / 64 * 64, count % 64);
}

// A piece stays in the first cache.
void lazy_sha256_add_visible(lazy_sha256_state *sum, const void *pixels, size_t count) {
    uint32_t piece[4096];
    for (const uint8_t *next = pixels; count;) {
        size_t length = count < sizeof piece ? count : sizeof piece;
        memcpy(piece, next, length);
        for (size_t i = 0; i < length / 4; i++) piece[i] &= (piece[i] >> 24) ? UINT32_MAX : 0;
        lazy_sha256_add(sum, piece, length);
        next += length;
        count -= length;
    }
}

void lazy_sha256_end(lazy_sha256_state *sum, uint8_t *digest) {
    uint8_t last[128] = {0};
    size_t rest = sum->count % 64;
    memcpy(last, sum->rest, rest);
    last[rest] = 0x80;
    size_t blocks = rest < 56 ? 1 : 2;
    uint64_t bits = sum->count * 8;
    for (int i = 0; i < 8; i++) last[blocks * 64 - 1 - i] = (uint8_t)(bits >> (8 * i));
    add_blocks(sum->state, last, blocks);
    for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(sum->state[i / 4] >> (24 - 8 * (i % 4)));
}
