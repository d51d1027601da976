#include "Scanline.h"
#include <string.h>

int cscanline_traits(cscanline_rows rows) {
    uint32_t opaque = 1, binary = 1, gray = 1;
    for (size_t y = rows.first_row; y < rows.first_row + rows.row_count; y++) {
        const uint8_t *row = rows.rgba + y * rows.stride;
        for (size_t x = 0; x < rows.width; x++) {
            uint32_t pixel;
            memcpy(&pixel, row + x * 4, 4);
            uint32_t is_opaque = pixel >= 0xff000000u;
            opaque &= is_opaque;
            binary &= is_opaque | (pixel == 0);
            gray &= ((pixel ^ pixel >> 8) & 0xffff) == 0;
        }
    }
    return (opaque ? CSCANLINE_OPAQUE : 0) | (binary ? CSCANLINE_BINARY : 0)
        | (gray ? CSCANLINE_GREY : 0);
}

cscanline_changes cscanline_compare(
    const uint32_t *before, const uint32_t *after, size_t width, size_t height) {
    size_t left = width, right = 0, top = height, bottom = 0, count = 0;
    uint32_t cannot = 0;
    for (size_t y = 0; y < height; y++) {
        const uint32_t *a = before + y * width, *b = after + y * width;
        if (memcmp(a, b, width * 4) == 0) continue;
        size_t first = 0, end = width;
        while (a[first] == b[first]) first++;
        while (a[end - 1] == b[end - 1]) end--;
        uint32_t row_count = 0;
        for (size_t x = first; x < end; x++) {
            uint32_t differs = a[x] != b[x];
            // What is opaque covers; over nothing at all, what is not comes out as it is.
            uint32_t covers = (b[x] >= 0xff000000u) | ((a[x] <= 0xffffff) & (b[x] > 0xffffff));
            row_count += differs;
            cannot |= differs & ~covers;
        }
        count += row_count;
        if (first < left) left = first;
        if (end > right) right = end;
        if (y < top) top = y;
        bottom = y + 1;
    }
    if (count == 0) return (cscanline_changes){0};
    return (cscanline_changes){
        .x = left, .y = top, .width = right - left, .height = bottom - top, .count = count,
        .can_lie_over = !(cannot & 1)};
}

void cscanline_take_rect(
    const uint32_t *before, const uint32_t *after, size_t stride, size_t width, size_t height,
    uint32_t *out) {
    for (size_t y = 0; y < height; y++) {
        const uint32_t *b = after + y * stride;
        if (before) {
            const uint32_t *a = before + y * stride;
            for (size_t x = 0; x < width; x++) out[x] = a[x] == b[x] ? 0 : b[x];
        } else {
            memcpy(out, b, width * 4);
        }
        out += width;
    }
}

int cscanline_take_samples(
    const uint32_t *pixels, size_t count, int channels, uint32_t key, uint8_t *out) {
    uint32_t wrong = 0;
    if (channels == 4) {
        memcpy(out, pixels, count * 4);
    } else if (channels == 3) {
        const uint32_t opaque_key = key | 0xff000000u;
        for (size_t i = 0; i < count; i++) {
            uint32_t pixel = pixels[i];
            if (pixel == 0 && key) pixel = opaque_key;
            else wrong |= (pixel < 0xff000000u) | (key && pixel == opaque_key);
            out[i * 3] = (uint8_t)pixel;
            out[i * 3 + 1] = (uint8_t)(pixel >> 8);
            out[i * 3 + 2] = (uint8_t)(pixel >> 16);
        }
    } else {
        for (size_t i = 0; i < count; i++) {
            uint32_t pixel = pixels[i];
            wrong |= (pixel ^ pixel >> 8) & 0xffff;
            out[i * 2] = (uint8_t)pixel;
            out[i * 2 + 1] = (uint8_t)(pixel >> 24);
        }
    }
    return wrong == 0;
}
