// Private to deflate.c and deflater.c.
#pragma once
#include "Scanline.h"
#include <isa-l/igzip_lib.h>

struct cscanline_deflater {
    struct isal_zstream stream;
    uint8_t level_buffer[ISAL_DEF_LVL1_LARGE + ISAL_DEF_LVL2_LARGE] __attribute__((aligned(16)));
};
