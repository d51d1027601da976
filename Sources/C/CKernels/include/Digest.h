#ifndef CKERNELS_DIGEST_H
#define CKERNELS_DIGEST_H

#include <stddef.h>
#include <stdint.h>

/// The number of bytes of a SHA-256.
#define LAZY_SHA256_LENGTH 32

/// A SHA-256 of bytes that arrive in pieces.
typedef struct {
    uint32_t state[8];
    uint64_t count;
    uint8_t rest[64];
} lazy_sha256_state;

/// Begins a SHA-256.
void lazy_sha256_begin(lazy_sha256_state *sum);

/// Adds bytes.
void lazy_sha256_add(lazy_sha256_state *sum, const void *bytes, size_t count);

/// Adds RGBA8 pixels, whose RGB counts as 0 where alpha is 0.
void lazy_sha256_add_visible(lazy_sha256_state *sum, const void *pixels, size_t count);

/// Writes the digest.
void lazy_sha256_end(lazy_sha256_state *sum, uint8_t *digest);

/// Adds whole blocks of 64 bytes without the processor's instructions for it; for the tests.
void lazy_sha256_add_blocks_portable(uint32_t state[8], const uint8_t *blocks, size_t count);

/// The number of bytes of an MD5.
#define LAZY_MD5_LENGTH 16

/// Writes the MD5 of some bytes (RFC 1321).
void lazy_md5(const void *bytes, size_t count, uint8_t *digest);

#endif
