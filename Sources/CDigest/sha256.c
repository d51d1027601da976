// SHA-256 in plain C (FIPS 180-4): names of cache files must come out the same on every machine,
// whether libcrypto is there or not, and are too short for its speed to matter.
#include "CDigest.h"
#include "Sum.h"

#include <string.h>

static const uint32_t constants[64] = {
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

void lazy_sum_begin(lazy_sum *sum) {
    static const uint32_t start[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                      0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
    memcpy(sum->state, start, sizeof start);
    sum->count = 0;
}

void lazy_sum_add(lazy_sum *sum, const void *bytes, size_t count) {
    const uint8_t *next = bytes;
    size_t kept = sum->count % 64;
    sum->count += count;
    if (kept) {
        size_t piece = count < 64 - kept ? count : 64 - kept;
        memcpy(sum->rest + kept, next, piece);
        next += piece;
        count -= piece;
        if (kept + piece < 64) return;
        add_block(sum->state, sum->rest);
    }
    for (; count >= 64; count -= 64, next += 64) add_block(sum->state, next);
    if (count) memcpy(sum->rest, next, count);
}

void lazy_sum_end(lazy_sum *sum, uint8_t *digest) {
    uint8_t last[128] = {0};
    size_t rest = sum->count % 64;
    memcpy(last, sum->rest, rest);
    last[rest] = 0x80;
    size_t end = rest < 56 ? 64 : 128;
    uint64_t bits = sum->count * 8;
    for (int i = 0; i < 8; i++) last[end - 1 - i] = (uint8_t)(bits >> (8 * i));
    for (size_t place = 0; place < end; place += 64) add_block(sum->state, last + place);
    for (int i = 0; i < 32; i++) digest[i] = (uint8_t)(sum->state[i / 4] >> (24 - 8 * (i % 4)));
}

void lazy_sha256(const void *bytes, size_t count, uint8_t *digest) {
    lazy_sum sum;
    lazy_sum_begin(&sum);
    lazy_sum_add(&sum, bytes, count);
    lazy_sum_end(&sum, digest);
}
