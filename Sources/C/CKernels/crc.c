#include "Checksum.h"
#include "Cluster.h"
#include "Scanline.h"
#include "vectors.h"

#include <isa-l.h>
#include <isa-l/crc.h>

uint32_t cchecksum_crc32c(uint32_t sum, const void *bytes, size_t count) {
    // ISA-L leaves the inversions to the caller and takes an int as length.
    const uint8_t *next = bytes;
    uint32_t crc = ~sum;
    while (count) {
        int piece = count > (1 << 30) ? 1 << 30 : (int)count;
        crc = crc32_iscsi((unsigned char *)next, piece, crc);
        next += piece;
        count -= (size_t)piece;
    }
    clear_upper_halves();
    return ~crc;
}

uint32_t ccluster_crc32(uint32_t sum, const void *bytes, size_t count) {
    uint32_t crc = crc32_gzip_refl(sum, bytes, count);
    clear_upper_halves();
    return crc;
}

uint32_t cscanline_crc(const uint8_t *bytes, size_t count) { return ccluster_crc32(0, bytes, count); }

uint32_t cscanline_crc_add(uint32_t crc, const uint8_t *bytes, size_t count) {
    return ccluster_crc32(crc, bytes, count);
}
