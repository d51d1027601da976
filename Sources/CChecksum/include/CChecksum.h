#ifndef CCHECKSUM_H
#define CCHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// CRC-32C of bytes that follow on those of an earlier sum; 0 to begin with.
uint32_t cchecksum_crc32c(uint32_t sum, const void *bytes, size_t count);

#endif
