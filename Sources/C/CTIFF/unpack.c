#include "CTIFF.h"

#include <string.h>

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__
#error "Samples of 24 bits are read in little-endian order."
#endif

// A number of sign, exponent and fraction (IEEE 754; Adobe's TIFF Technical Note 3 for 24 bits).
static double floating(uint64_t bits, int exponent_bits, int fraction_bits) {
    uint64_t fraction = bits & ((1ull << fraction_bits) - 1);
    int most = (1 << exponent_bits) - 1;
    int exponent = (int)(bits >> fraction_bits) & most;
    if (bits >> (exponent_bits + fraction_bits)) return 0;
    if (exponent == most) return fraction ? 0 : 1;
    // Numbers below the normal ones have the least exponent, and no leading 1.
    if (exponent) fraction |= 1ull << fraction_bits;
    else exponent = 1;
    uint64_t power = (uint64_t)(1023 + exponent - (most >> 1) - fraction_bits) << 52;
    double scale;
    memcpy(&scale, &power, sizeof scale);
    return (double)fraction * scale;
}

// Not a number, and what is below 0, count as 0.
static uint16_t clipped(double value) {
    if (!(value > 0)) return 0;
    return value < 1 ? (uint16_t)(value * 65535 + 0.5) : 65535;
}

static void unpack_floating(
    const uint8_t *row, unsigned bits, size_t count, uint16_t *out, size_t step) {
    for (size_t i = 0; i < count; i++, row += bits / 8) {
        float single;
        double value;
        switch (bits) {
        case 32: memcpy(&single, row, 4), value = single; break;
        case 64: memcpy(&value, row, 8); break;
        case 24: value = floating(row[0] | row[1] << 8 | (uint32_t)row[2] << 16, 7, 16); break;
        default: value = floating(row[0] | row[1] << 8, 5, 10);
        }
        out[i * step] = clipped(value);
    }
}

// The highest bit first, without gaps between samples.
static void unpack_bits(
    const uint8_t *row, unsigned bits, size_t count, uint16_t *out, size_t step) {
    unsigned surplus = bits > 16 ? bits - 16 : 0, count_held = 0;
    uint64_t mask = (1ull << bits) - 1, held = 0;
    for (size_t i = 0; i < count; i++) {
        while (count_held < bits) {
            held = held << 8 | *row++;
            count_held += 8;
        }
        count_held -= bits;
        out[i * step] = (uint16_t)((held >> count_held & mask) >> surplus);
    }
}

static void unpack_integers(
    const uint8_t *row, unsigned bits, size_t count, uint16_t *out, size_t step) {
    switch (bits) {
    case 8:
        for (size_t i = 0; i < count; i++) out[i * step] = row[i];
        break;
    case 16:
    case 24:
    case 32:
    case 64:
        // The two highest bytes.
        for (size_t i = 0, bytes = bits / 8; i < count; i++)
            memcpy(out + i * step, row + i * bytes + bytes - 2, 2);
        break;
    default: unpack_bits(row, bits, count, out, step);
    }
}

void ctiff_unpack(const ctiff_layout *layout, const uint8_t *row, size_t count, uint16_t *out,
    size_t step) {
    unsigned bits = layout->bits;
    if (layout->numbers == CTIFF_FLOATING) return unpack_floating(row, bits, count, out, step);
    unpack_integers(row, bits, count, out, step);
    // Numbers of a palette's entries have no sign; a and b always have one.
    if (layout->numbers != CTIFF_SIGNED || layout->kind == CTIFF_PALETTE
        || layout->kind == CTIFF_LAB || layout->kind == CTIFF_ICC_LAB)
        return;
    uint16_t sign = (uint16_t)(1u << ((bits > 16 ? 16 : bits) - 1));
    for (size_t i = 0; i < count; i++) out[i * step] ^= sign;
}
