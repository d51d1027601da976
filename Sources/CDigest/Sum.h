// SHA-256 of bytes that come piece by piece, without a library.
#ifndef LAZY_SUM_H
#define LAZY_SUM_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    uint32_t state[8];
    uint64_t count;
    uint8_t rest[64];
} lazy_sum;

void lazy_sum_begin(lazy_sum *sum);
void lazy_sum_add(lazy_sum *sum, const void *bytes, size_t count);
void lazy_sum_end(lazy_sum *sum, uint8_t *digest);

#endif
