#ifndef CKERNELS_CLUSTER_H
#define CKERNELS_CLUSTER_H

#include <stddef.h>
#include <stdint.h>

/// CRC-32 (ISO 3309) of bytes that continue those of an earlier sum, initially 0.
uint32_t ccluster_crc32(uint32_t sum, const void *bytes, size_t count);

#endif
