#include "CTIFF.h"

void ctiff_unpack(
    const uint8_t *row, unsigned bits, size_t count, uint16_t *out, size_t step) {
    if (bits == 8) {
        for (size_t i = 0; i < count; i++) out[i * step] = row[i];
    } else if (bits == 16) {
        const uint16_t *samples = (const uint16_t *)(const void *)row;
        for (size_t i = 0; i < count; i++) out[i * step] = samples[i];
    } else {
        // The highest bit first, without gaps between samples.
        uint32_t mask = (1u << bits) - 1, held = 0;
        unsigned count_held = 0;
        for (size_t i = 0; i < count; i++) {
            while (count_held < bits) {
                held = held << 8 | *row++;
                count_held += 8;
            }
            count_held -= bits;
            out[i * step] = (uint16_t)(held >> count_held & mask);
        }
    }
}

// The nearest number of 0 to `most` for a sample of 0 to `range`.
static uint32_t scaled(uint32_t sample, uint32_t range, uint32_t most) {
    if (range == most) return sample;
    return (sample * most + range / 2) / range;
}

static uint32_t straight(uint32_t color, uint32_t alpha, uint32_t most) {
    if (!alpha) return 0;
    uint32_t value = (uint32_t)(((uint64_t)color * most + alpha / 2) / alpha);
    return value < most ? value : most;
}

typedef struct {
    uint32_t red, green, blue, alpha;
} pixel;

// Palettes of 8-bit numbers occur, too: none is above 255.
static int is_shallow(const ctiff_layout *layout) {
    for (int channel = 0; channel < 3; channel++)
        for (size_t i = 0; i < (size_t)1 << layout->bits; i++)
            if (layout->palette[channel][i] > 255) return 0;
    return 1;
}

static pixel convert(
    const ctiff_layout *layout, const uint16_t *samples, uint32_t most, int shallow) {
    uint32_t range = (1u << layout->bits) - 1;
    pixel out = {.alpha = most};
    int colors = 1;
    switch (layout->kind) {
    case CTIFF_RGB:
        colors = 3;
        out.red = scaled(samples[0], range, most);
        out.green = scaled(samples[1], range, most);
        out.blue = scaled(samples[2], range, most);
        break;
    case CTIFF_PALETTE: {
        uint32_t color[3];
        for (int channel = 0; channel < 3; channel++) {
            uint32_t entry = layout->palette[channel][samples[0]];
            // As libtiff: the upper byte.
            color[channel] = most == 255 ? (shallow ? entry : entry >> 8)
                                         : (shallow ? entry * 257 : entry);
        }
        out.red = color[0], out.green = color[1], out.blue = color[2];
        break;
    }
    default:
        out.red = scaled(samples[0], range, most);
        if (layout->kind == CTIFF_WHITE_IS_ZERO) out.red = most - out.red;
        out.green = out.blue = out.red;
    }
    if (!layout->alpha) return out;
    out.alpha = scaled(samples[colors], range, most);
    if (layout->alpha == CTIFF_ASSOCIATED && out.alpha < most) {
        out.red = straight(out.red, out.alpha, most);
        out.green = straight(out.green, out.alpha, most);
        out.blue = straight(out.blue, out.alpha, most);
    }
    return out;
}

static uint32_t packed(uint32_t red, uint32_t green, uint32_t blue, uint32_t alpha) {
    return red | green << 8 | blue << 16 | alpha << 24;
}

void ctiff_to_rgba8(
    const ctiff_layout *layout, const uint16_t *samples, size_t count, uint32_t *rgba) {
    if (layout->kind == CTIFF_CMYK) {
        uint32_t range = (1u << layout->bits) - 1;
        for (size_t i = 0; i < count; i++, samples += layout->samples)
            rgba[i] = ~packed(scaled(samples[0], range, 255), scaled(samples[1], range, 255),
                scaled(samples[2], range, 255), scaled(samples[3], range, 255));
        return;
    }
    int shallow = layout->kind == CTIFF_PALETTE && is_shallow(layout);
    for (size_t i = 0; i < count; i++, samples += layout->samples) {
        pixel out = convert(layout, samples, 255, shallow);
        rgba[i] = packed(out.red, out.green, out.blue, out.alpha);
    }
}

void ctiff_to_rgba16(
    const ctiff_layout *layout, const uint16_t *samples, size_t count, uint16_t *rgba) {
    int shallow = layout->kind == CTIFF_PALETTE && is_shallow(layout);
    for (size_t i = 0; i < count; i++, samples += layout->samples) {
        pixel out = convert(layout, samples, 65535, shallow);
        rgba[i * 4] = (uint16_t)out.red;
        rgba[i * 4 + 1] = (uint16_t)out.green;
        rgba[i * 4 + 2] = (uint16_t)out.blue;
        rgba[i * 4 + 3] = (uint16_t)out.alpha;
    }
}

void ctiff_straighten(uint32_t *rgba, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t value = rgba[i], alpha = value >> 24;
        if (alpha == 255) continue;
        rgba[i] = packed(straight(value & 255, alpha, 255), straight(value >> 8 & 255, alpha, 255),
            straight(value >> 16 & 255, alpha, 255), alpha);
    }
}

void ctiff_invert_ink(uint32_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++) {
        uint32_t value = pixels[i], black = value >> 24;
        pixels[i] = packed((value & 255) * black / 255, (value >> 8 & 255) * black / 255,
            (value >> 16 & 255) * black / 255, 255);
    }
}
