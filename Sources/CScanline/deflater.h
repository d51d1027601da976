// Private to CScanline.
#pragma once
#include <CScanline.h>
#include <isa-l/igzip_lib.h>

struct cscanline_deflater {
    struct isal_zstream stream;
    uint8_t level_buffer[ISAL_DEF_LVL1_LARGE + ISAL_DEF_LVL2_LARGE] __attribute__((aligned(16)));
};
