#ifndef CKERNELS_CHECKSUM_H
#define CKERNELS_CHECKSUM_H

#include <stddef.h>
#include <stdint.h>

/// CRC-32C of bytes that continue those of an earlier sum, initially 0.
uint32_t cchecksum_crc32c(uint32_t sum, const void *bytes, size_t count);

#endif
