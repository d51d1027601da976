#include "CTIFF.h"

#include <math.h>

// The bits of an unpacked sample.
static unsigned unpacked_bits(const ctiff_layout *layout) {
    return layout->bits > 16 ? 16 : layout->bits;
}

// The largest value of an unpacked sample.
static uint32_t range_of(const ctiff_layout *layout) {
    return (1u << unpacked_bits(layout)) - 1;
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

// The cube, or the straight line near 0 (CIE 15, 8.2.1.1).
static double uncompressed(double value) {
    return value > 6.0 / 29 ? value * value * value : 3 * (6.0 / 29) * (6.0 / 29) * (value - 4.0 / 29);
}

// Light of sRGB in its curve (IEC 61966-2-1).
static uint32_t curved(double light, uint32_t most) {
    if (!(light > 0)) return 0;
    if (light >= 1) return most;
    double value = light <= 0.0031308 ? 12.92 * light : 1.055 * pow(light, 1 / 2.4) - 0.055;
    return (uint32_t)(value * most + 0.5);
}

static pixel of_lab(const ctiff_layout *layout, const uint16_t *samples, uint32_t most) {
    int is_deep = layout->bits > 8;
    double place[2];
    for (int i = 0; i < 2; i++) {
        uint16_t sample = samples[1 + i];
        if (layout->kind == CTIFF_ICC_LAB) place[i] = (is_deep ? sample / 256.0 : sample) - 128;
        else place[i] = is_deep ? (int16_t)sample / 256.0 : (int8_t)sample;
    }
    double y = (samples[0] * 100.0 / range_of(layout) + 16) / 116;
    double light = uncompressed(y), red = 0.9642 * uncompressed(y + place[0] / 500),
           blue = 0.8249 * uncompressed(y - place[1] / 200);
    // Adapted from D50 to D65 by Bradford's matrix.
    return (pixel){
        curved(3.1338561 * red - 1.6168667 * light - 0.4906146 * blue, most),
        curved(-0.9787684 * red + 1.9161415 * light + 0.0334540 * blue, most),
        curved(0.0719453 * red - 0.2289914 * light + 1.4052427 * blue, most), most};
}

static pixel convert(
    const ctiff_layout *layout, const uint16_t *samples, uint32_t most, int shallow) {
    uint32_t range = range_of(layout);
    pixel out = {.alpha = most};
    int colors = 1;
    switch (layout->kind) {
    case CTIFF_RGB:
        colors = 3;
        out.red = scaled(samples[0], range, most);
        out.green = scaled(samples[1], range, most);
        out.blue = scaled(samples[2], range, most);
        break;
    case CTIFF_LAB:
    case CTIFF_ICC_LAB:
        colors = 3;
        out = of_lab(layout, samples, most);
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
        uint32_t range = range_of(layout);
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
