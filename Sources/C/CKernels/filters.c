#include "Scanline.h"
#include <stdlib.h>
#include <string.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

enum { NONE = 0, SUB = 1, UP = 2, AVERAGE = 3, PAETH = 4 };

cscanline_kernel cscanline_best_kernel(void) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) return CSCANLINE_AVX2;
    if (__builtin_cpu_supports("ssse3")) return CSCANLINE_SSSE3;
#endif
    return CSCANLINE_PORTABLE;
}

// MARK: RGB, Up

static void rgb_up_portable(
    const uint8_t *restrict row, const uint8_t *restrict above, size_t from, size_t width,
    uint8_t *restrict out) {
    for (size_t x = from; x < width; x++) {
        out[x * 3] = row[x * 4] - above[x * 4];
        out[x * 3 + 1] = row[x * 4 + 1] - above[x * 4 + 1];
        out[x * 3 + 2] = row[x * 4 + 2] - above[x * 4 + 2];
    }
}

#if defined(__x86_64__)
// Each store writes a few bytes too many, which the next one puts right: the slack is for the last.
__attribute__((target("ssse3"))) static void rgb_up_ssse3(
    const uint8_t *row, const uint8_t *above, size_t width, uint8_t *out) {
    const __m128i drop = _mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    size_t x = 0;
    for (; x + 4 <= width; x += 4) {
        __m128i a = _mm_loadu_si128((const __m128i *)(row + x * 4));
        __m128i b = _mm_loadu_si128((const __m128i *)(above + x * 4));
        _mm_storeu_si128((__m128i *)(out + x * 3), _mm_shuffle_epi8(_mm_sub_epi8(a, b), drop));
    }
    rgb_up_portable(row, above, x, width, out);
}

__attribute__((target("avx2"))) static void rgb_up_avx2(
    const uint8_t *row, const uint8_t *above, size_t width, uint8_t *out) {
    const __m256i drop = _mm256_setr_epi8(
        0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1,
        0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1);
    const __m256i join = _mm256_setr_epi32(0, 1, 2, 4, 5, 6, 3, 7);
    size_t x = 0;
    for (; x + 8 <= width; x += 8) {
        __m256i a = _mm256_loadu_si256((const __m256i *)(row + x * 4));
        __m256i b = _mm256_loadu_si256((const __m256i *)(above + x * 4));
        __m256i rgb = _mm256_shuffle_epi8(_mm256_sub_epi8(a, b), drop);
        _mm256_storeu_si256(
            (__m256i *)(out + x * 3), _mm256_permutevar8x32_epi32(rgb, join));
    }
    rgb_up_portable(row, above, x, width, out);
}
#endif

static void rgb_sub(const uint8_t *row, size_t width, uint8_t *out) {
    memcpy(out, row, 3);
    for (size_t x = 1; x < width; x++)
        for (size_t c = 0; c < 3; c++) out[x * 3 + c] = row[x * 4 + c] - row[x * 4 - 4 + c];
}

void cscanline_filter_rgb(cscanline_rows rows, cscanline_kernel kernel, uint8_t *out) {
    // Where there is one path only, nobody asks.
    (void)kernel;
    for (size_t y = rows.first_row; y < rows.first_row + rows.row_count; y++) {
        const uint8_t *row = rows.rgba + y * rows.stride;
        *out++ = y == 0 ? SUB : UP;
        if (y == 0) {
            rgb_sub(row, rows.width, out);
#if defined(__x86_64__)
        } else if (kernel == CSCANLINE_AVX2) {
            rgb_up_avx2(row, row - rows.stride, rows.width, out);
        } else if (kernel == CSCANLINE_SSSE3) {
            rgb_up_ssse3(row, row - rows.stride, rows.width, out);
#endif
        } else {
            rgb_up_portable(row, row - rows.stride, 0, rows.width, out);
        }
        out += rows.width * 3;
    }
}

// MARK: RGBA

static void sub(const uint8_t *restrict row, size_t count, size_t step, uint8_t *restrict out) {
    memcpy(out, row, step);
    for (size_t i = step; i < count; i++) out[i] = row[i] - row[i - step];
}

static void up(
    const uint8_t *restrict row, const uint8_t *restrict above, size_t count,
    uint8_t *restrict out) {
    for (size_t i = 0; i < count; i++) out[i] = row[i] - above[i];
}

void cscanline_filter_rgba(cscanline_rows rows, uint8_t *out) {
    size_t count = rows.width * 4;
    for (size_t y = rows.first_row; y < rows.first_row + rows.row_count; y++) {
        const uint8_t *row = rows.rgba + y * rows.stride;
        *out++ = y == 0 ? SUB : UP;
        if (y == 0) sub(row, count, 4, out);
        else up(row, row - rows.stride, count, out);
        out += count;
    }
}

int cscanline_is_opaque(cscanline_rows rows) {
    for (size_t y = rows.first_row; y < rows.first_row + rows.row_count; y++) {
        const uint8_t *row = rows.rgba + y * rows.stride;
        uint8_t all = 255;
        for (size_t x = 0; x < rows.width; x++) all &= row[x * 4 + 3];
        if (all != 255) return 0;
    }
    return 1;
}

// MARK: The best of four

static void average(
    const uint8_t *restrict row, const uint8_t *restrict above, size_t count, size_t step,
    uint8_t *restrict out) {
    for (size_t i = 0; i < step; i++) out[i] = row[i] - (above[i] >> 1);
    for (size_t i = step; i < count; i++)
        out[i] = row[i] - (uint8_t)((row[i - step] + above[i]) >> 1);
}

static void paeth(
    const uint8_t *restrict row, const uint8_t *restrict above, size_t count, size_t step,
    uint8_t *restrict out) {
    for (size_t i = 0; i < step; i++) out[i] = row[i] - above[i];
    for (size_t i = step; i < count; i++) {
        int16_t a = row[i - step], b = above[i], c = above[i - step];
        int16_t to_a = b - c, to_b = a - c, to_c = to_a + to_b;
        to_a = to_a < 0 ? -to_a : to_a;
        to_b = to_b < 0 ? -to_b : to_b;
        to_c = to_c < 0 ? -to_c : to_c;
        int16_t nearest = to_a <= to_b && to_a <= to_c ? a : to_b <= to_c ? b : c;
        out[i] = row[i] - (uint8_t)nearest;
    }
}

static size_t sum_of_magnitudes(const uint8_t *bytes, size_t count) {
    size_t sum = 0;
    for (size_t i = 0; i < count; i++) sum += bytes[i] < 128 ? bytes[i] : 256 - bytes[i];
    return sum;
}

static void take_channels(const uint8_t *row, size_t width, int channels, uint8_t *out) {
    if (channels == 4) {
        memcpy(out, row, width * 4);
        return;
    }
    for (size_t x = 0; x < width; x++) memcpy(out + x * 3, row + x * 4, 3);
}

void cscanline_filter_none(cscanline_rows rows, int channels, uint8_t *out) {
    for (size_t y = rows.first_row; y < rows.first_row + rows.row_count; y++) {
        *out++ = NONE;
        take_channels(rows.rgba + y * rows.stride, rows.width, channels, out);
        out += rows.width * (size_t)channels;
    }
}

// Writes a row with the filter whose bytes are with the smallest sum of magnitudes; `trial` and `best` are
// memory for a row each.
static void best_of_four(
    const uint8_t *row, const uint8_t *above, size_t count, size_t step, uint8_t *trial,
    uint8_t *best, uint8_t *out) {
    size_t least = SIZE_MAX;
    for (uint8_t filter = SUB; filter <= PAETH; filter++) {
        if (filter == SUB) sub(row, count, step, trial);
        if (filter == UP) up(row, above, count, trial);
        if (filter == AVERAGE) average(row, above, count, step, trial);
        if (filter == PAETH) paeth(row, above, count, step, trial);
        size_t sum = sum_of_magnitudes(trial, count);
        if (sum >= least) continue;
        least = sum;
        *out = filter;
        uint8_t *worse = best;
        best = trial;
        trial = worse;
    }
    memcpy(out + 1, best, count);
}

void cscanline_filter_best(cscanline_rows rows, int channels, uint8_t *scratch, uint8_t *out) {
    size_t step = (size_t)channels, count = rows.width * step;
    uint8_t *row = scratch, *above = scratch + count;
    memset(above, 0, count);
    if (rows.first_row > 0)
        take_channels(
            rows.rgba + (rows.first_row - 1) * rows.stride, rows.width, channels, above);
    for (size_t y = rows.first_row; y < rows.first_row + rows.row_count; y++) {
        take_channels(rows.rgba + y * rows.stride, rows.width, channels, row);
        best_of_four(row, above, count, step, scratch + 2 * count, scratch + 3 * count, out);
        out += 1 + count;
        uint8_t *next = above;
        above = row;
        row = next;
    }
}

void cscanline_filter_samples(
    const uint8_t *samples, const uint8_t *above, size_t row_bytes, size_t row_count, size_t step,
    int filter, uint8_t *scratch, uint8_t *out) {
    uint8_t *trial = scratch + row_bytes, *best = trial + row_bytes;
    if (step > row_bytes) step = row_bytes;
    if (!above) above = memset(scratch, 0, row_bytes);
    for (size_t y = 0; y < row_count; y++) {
        const uint8_t *row = samples + y * row_bytes;
        *out = (uint8_t)filter;
        if (filter == NONE) memcpy(out + 1, row, row_bytes);
        else if (filter == SUB) sub(row, row_bytes, step, out + 1);
        else if (filter == UP) up(row, above, row_bytes, out + 1);
        else if (filter == AVERAGE) average(row, above, row_bytes, step, out + 1);
        else if (filter == PAETH) paeth(row, above, row_bytes, step, out + 1);
        else best_of_four(row, above, row_bytes, step, trial, best, out);
        out += 1 + row_bytes;
        above = row;
    }
}

void cscanline_take_deep_samples(
    const uint16_t *pixels, size_t count, int channels, uint8_t *out) {
    // Alpha follows gray, and red, green and blue.
    const int last = channels % 2 == 0 ? 3 : channels - 1;
    for (size_t i = 0; i < count; i++, pixels += 4) {
        for (int channel = 0; channel < channels; channel++) {
            uint16_t sample = pixels[channel == channels - 1 ? last : channel];
            *out++ = (uint8_t)(sample >> 8);
            *out++ = (uint8_t)sample;
        }
    }
}

void cscanline_take_gray_samples(
    const uint32_t *pixels, size_t count, int channels, uint8_t *out) {
    for (size_t i = 0; i < count; i++) {
        *out++ = (uint8_t)pixels[i];
        if (channels == 2) *out++ = (uint8_t)(pixels[i] >> 24);
    }
}
