#ifndef CDIGEST_H
#define CDIGEST_H

#include <stddef.h>
#include <stdint.h>

/// Bytes of a SHA-256.
#define LAZY_SHA256_LENGTH 32

/// Writes the SHA-256 of a few bytes; needs no library and cannot fail. For much, see below.
void lazy_sha256(const void *bytes, size_t count, uint8_t *digest);

/// Bytes of an MD5.
#define LAZY_MD5_LENGTH 16

/// Writes the MD5 of a few bytes (RFC 1321): for names that others have settled, not for trust.
void lazy_md5(const void *bytes, size_t count, uint8_t *digest);

/// Writes the SHA-256 of an open file from its beginning; 1 on success. By libcrypto where it is
/// there.
int lazy_sha256_file(int descriptor, uint8_t *digest);

/// Writes the SHA-256 of a file's size (8 bytes, little-endian) and of the 4 MiB at its beginning,
/// around its middle and at its end; 1 on success.
int lazy_sha256_parts(int descriptor, uint64_t size, uint8_t *digest);

/// Loads OpenSSL's libcrypto on the first call; 1 when it is there.
int lazy_digest_is_available(void);

/// Writes the SHA-256 of RGBA8 pixels, with RGB taken as 0 where alpha is 0; 1 on success.
///
/// `is_opaque` promises that every alpha is 255 and saves the look at each pixel.
int lazy_digest_rgba(const uint8_t *pixels, size_t byte_count, int is_opaque, uint8_t *digest);

#endif
