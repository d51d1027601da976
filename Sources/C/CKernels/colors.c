#include "Scanline.h"
#include <stdlib.h>
#include <string.h>

// Open addressing in 2048 slots: at most 384 are taken, so a probe is short and always ends.
enum { SLOT_BITS = 11, SLOTS = 1 << SLOT_BITS, INDICES = 256, FEW = 384 };

struct cscanline_palette {
    uint32_t colors[FEW];
    int count;
    uint32_t slot_colors[SLOTS];
    int16_t slot_indices[SLOTS];
};

cscanline_palette *cscanline_palette_make(void) {
    cscanline_palette *palette = malloc(sizeof *palette);
    if (palette) cscanline_palette_clear(palette);
    return palette;
}

void cscanline_palette_free(cscanline_palette *palette) { free(palette); }

void cscanline_palette_clear(cscanline_palette *palette) {
    palette->count = 0;
    memset(palette->slot_indices, 0xff, sizeof palette->slot_indices);
}

const uint32_t *cscanline_palette_colors(const cscanline_palette *palette) {
    return palette->colors;
}

int cscanline_palette_count(const cscanline_palette *palette) { return palette->count; }

static uint32_t slot_of(const cscanline_palette *palette, uint32_t color) {
    uint32_t slot = (color * 2654435761u) >> (32 - SLOT_BITS);
    while (palette->slot_indices[slot] >= 0 && palette->slot_colors[slot] != color)
        slot = (slot + 1) & (SLOTS - 1);
    return slot;
}

// The slot of a color, which gets a number if it has none; NULL where `most` colors have one.
static const int16_t *number(cscanline_palette *palette, uint32_t color, int most) {
    uint32_t slot = slot_of(palette, color);
    if (palette->slot_indices[slot] < 0) {
        if (palette->count == most) return NULL;
        palette->slot_colors[slot] = color;
        palette->slot_indices[slot] = (int16_t)palette->count;
        palette->colors[palette->count++] = color;
    }
    return &palette->slot_indices[slot];
}

int cscanline_index(
    cscanline_palette *palette, cscanline_rows rows, int margin, uint8_t *out) {
    uint32_t last = 0;
    memcpy(&last, rows.rgba + rows.first_row * rows.stride, 4);
    last = ~last;
    uint8_t last_index = 0;
    for (size_t y = rows.first_row; y < rows.first_row + rows.row_count; y++) {
        const uint8_t *row = rows.rgba + y * rows.stride;
        if (margin) *out++ = 0;
        for (size_t x = 0; x < rows.width; x++) {
            uint32_t color;
            memcpy(&color, row + x * 4, 4);
            if (color != last) {
                const int16_t *index = number(palette, color, INDICES);
                if (!index) return 0;
                last = color;
                last_index = (uint8_t)*index;
            }
            *out++ = last_index;
        }
    }
    return 1;
}

void cscanline_look_up(
    const cscanline_palette *palette, const uint32_t *pixels, size_t count,
    const uint8_t map[256], uint8_t *out) {
    if (count == 0) return;
    uint32_t last = ~pixels[0];
    uint8_t value = 0;
    for (size_t i = 0; i < count; i++) {
        if (pixels[i] != last) {
            last = pixels[i];
            value = map[(uint8_t)palette->slot_indices[slot_of(palette, last)]];
        }
        out[i] = value;
    }
}

int cscanline_has_few_colors(cscanline_rows rows) {
    cscanline_palette palette;
    cscanline_palette_clear(&palette);
    return cscanline_sample_colors(&palette, rows, 0, rows.row_count);
}

int cscanline_sample_colors(
    cscanline_palette *palette, cscanline_rows rows, size_t rows_before, size_t all_rows) {
    enum { SAMPLES = 4096 };
    size_t before = rows.width * rows_before;
    size_t end = before + rows.width * rows.row_count;
    // An odd step does not stay in a few columns.
    size_t step = (rows.width * all_rows / SAMPLES) | 1;
    for (size_t i = (before + step - 1) / step * step; i < end; i += step) {
        size_t y = rows.first_row + (i - before) / rows.width;
        uint32_t color;
        memcpy(&color, rows.rgba + y * rows.stride + i % rows.width * 4, 4);
        if (!number(palette, color, FEW)) return 0;
    }
    return 1;
}

size_t cscanline_pack_indices(uint8_t *scanlines, size_t width, size_t row_count, int depth) {
    size_t per_byte = 8 / (size_t)depth;
    uint8_t *out = scanlines;
    for (size_t y = 0; y < row_count; y++) {
        // Reading runs ahead of writing, also within one row: it begins a byte later.
        const uint8_t *in = scanlines + y * (1 + width);
        *out++ = *in++;
        for (size_t x = 0; x < width; x += per_byte) {
            unsigned packed = 0;
            for (size_t i = 0; i < per_byte; i++)
                packed = packed << depth | (x + i < width ? in[x + i] : 0);
            *out++ = (uint8_t)packed;
        }
    }
    return (size_t)(out - scanlines);
}
