#include "Color.h"

// Whole numbers only: the compiler vectorizes these loops, and every processor has the same results.

#ifndef __has_feature
#define __has_feature(name) 0
#endif
// The dynamic loader picks a clone before ThreadSanitizer is ready.
#if defined(__x86_64__) && defined(__linux__) && !__has_feature(thread_sanitizer)
#define VECTORIZED __attribute__((target_clones("avx2", "default")))
#else
#define VECTORIZED
#endif

static inline uint16_t clamped(int32_t value, int32_t steps) {
    int32_t code = value >> 13;
    return (uint16_t)(code < 0 ? 0 : code > steps ? steps : code);
}

VECTORIZED void ccolor_yuv_to_rgb(
    const ccolor_matrix *m, const uint16_t *y, const uint16_t *u, const uint16_t *v,
    uint16_t *red, uint16_t *green, uint16_t *blue, size_t count) {
    const ccolor_matrix k = *m;
    for (size_t i = 0; i < count; i++) {
        int32_t luma = k.luma * ((int32_t)y[i] - k.luma_start) + 4096;
        int32_t cu = (int32_t)u[i] - k.chroma_middle, cv = (int32_t)v[i] - k.chroma_middle;
        red[i] = clamped(luma + k.red_u * cu + k.red_v * cv, k.steps);
        green[i] = clamped(luma + k.green_u * cu + k.green_v * cv, k.steps);
        blue[i] = clamped(luma + k.blue_u * cu + k.blue_v * cv, k.steps);
    }
}

VECTORIZED void ccolor_scale(
    const ccolor_matrix *m, const uint16_t *samples, uint16_t *codes, size_t count) {
    const ccolor_matrix k = *m;
    for (size_t i = 0; i < count; i++) {
        codes[i] = clamped(k.luma * ((int32_t)samples[i] - k.luma_start) + 4096, k.steps);
    }
}

VECTORIZED void ccolor_widen(const uint8_t *samples, uint16_t *row, size_t count) {
    for (size_t i = 0; i < count; i++) row[i] = samples[i];
}

VECTORIZED void ccolor_expand_chroma(
    const uint16_t *near, const uint16_t *far, int is_half_width, uint16_t *row, size_t count) {
    if (!is_half_width) {
        for (size_t i = 0; i < count; i++) row[i] = (uint16_t)(near[i] * 3 + far[i]);
        return;
    }
    size_t samples = (count + 1) / 2;
    for (size_t i = 0; i + 1 < samples; i++) {
        uint32_t here = near[i] * 3u + far[i], next = near[i + 1] * 3u + far[i + 1];
        row[2 * i] = (uint16_t)here;
        row[2 * i + 1] = (uint16_t)((here + next + 1) / 2);
    }
    if (samples == 0) return;
    uint16_t last = (uint16_t)(near[samples - 1] * 3u + far[samples - 1]);
    row[2 * samples - 2] = last;
    if (count % 2 == 0) row[count - 1] = last;
}

VECTORIZED void ccolor_repeat_chroma(
    const uint16_t *samples, int is_half_width, uint16_t *row, size_t count) {
    if (!is_half_width) {
        for (size_t i = 0; i < count; i++) row[i] = (uint16_t)(samples[i] * 4);
        return;
    }
    for (size_t i = 0; i < count / 2; i++) {
        uint16_t sample = (uint16_t)(samples[i] * 4);
        row[2 * i] = sample;
        row[2 * i + 1] = sample;
    }
    if (count % 2 == 1) row[count - 1] = (uint16_t)(samples[count / 2] * 4);
}

void ccolor_expand_deep_chroma(
    const uint16_t *near, const uint16_t *far, int is_half_width, int blends, int32_t *row,
    size_t count) {
    if (!is_half_width) {
        for (size_t i = 0; i < count; i++) row[i] = (near[i] * 3 + far[i]) * 2;
        return;
    }
    size_t samples = (count + 1) / 2;
    for (size_t i = 0; i < samples; i++) {
        int32_t here = near[i] * 3 + far[i];
        int32_t next = blends && i + 1 < samples ? near[i + 1] * 3 + far[i + 1] : here;
        row[2 * i] = here * 2;
        if (2 * i + 1 < count) row[2 * i + 1] = here + next;
    }
}

static inline uint16_t deep(int64_t sum) {
    int64_t value = (sum + (1 << 27)) >> 28;
    return (uint16_t)(value < 0 ? 0 : value > 65535 ? 65535 : value);
}

void ccolor_yuv_to_rgba16(
    const ccolor_deep_matrix *m, const uint16_t *y, const int32_t *u, const int32_t *v,
    uint16_t *rgba, size_t count) {
    const ccolor_deep_matrix k = *m;
    for (size_t i = 0; i < count; i++) {
        int64_t luma = k.luma * ((int32_t)y[i] - k.luma_start);
        int64_t cu = u[i] - k.chroma_middle, cv = v[i] - k.chroma_middle;
        rgba[4 * i] = deep(luma + k.red_u * cu + k.red_v * cv);
        rgba[4 * i + 1] = deep(luma + k.green_u * cu + k.green_v * cv);
        rgba[4 * i + 2] = deep(luma + k.blue_u * cu + k.blue_v * cv);
        rgba[4 * i + 3] = 65535;
    }
}

void ccolor_scale16(
    const ccolor_deep_matrix *m, const uint16_t *samples, uint16_t *out, size_t count) {
    const ccolor_deep_matrix k = *m;
    for (size_t i = 0; i < count; i++) {
        out[4 * i] = deep(k.luma * ((int32_t)samples[i] - k.luma_start));
    }
}

static inline uint32_t byte_of(uint16_t code) { return (uint32_t)(code + 16) >> 5; }

VECTORIZED void ccolor_join8(
    const uint16_t *red, const uint16_t *green, const uint16_t *blue, const uint8_t *alpha,
    uint32_t *rgba, size_t count) {
    for (size_t i = 0; i < count; i++) {
        rgba[i] = byte_of(red[i]) | byte_of(green[i]) << 8 | byte_of(blue[i]) << 16 | 0xFF000000u;
    }
    if (!alpha) return;
    for (size_t i = 0; i < count; i++) {
        rgba[i] = (rgba[i] & 0xFFFFFFu) | (uint32_t)alpha[i] << 24;
    }
}

VECTORIZED void ccolor_split8(
    const uint32_t *rgba, uint16_t *red, uint16_t *green, uint16_t *blue, uint8_t *alpha,
    size_t count) {
    for (size_t i = 0; i < count; i++) {
        red[i] = rgba[i] & 255;
        green[i] = rgba[i] >> 8 & 255;
        blue[i] = rgba[i] >> 16 & 255;
        alpha[i] = (uint8_t)(rgba[i] >> 24);
    }
}

VECTORIZED void ccolor_split16(
    const uint16_t *rgba, int32_t steps, uint16_t *red, uint16_t *green, uint16_t *blue,
    uint8_t *alpha, size_t count) {
    for (size_t i = 0; i < count; i++) {
        const uint16_t *pixel = rgba + 4 * i;
        red[i] = (uint16_t)(((uint32_t)pixel[0] * (uint32_t)steps + 32767) / 65535);
        green[i] = (uint16_t)(((uint32_t)pixel[1] * (uint32_t)steps + 32767) / 65535);
        blue[i] = (uint16_t)(((uint32_t)pixel[2] * (uint32_t)steps + 32767) / 65535);
        alpha[i] = (uint8_t)(((uint32_t)pixel[3] * 255 + 32767) / 65535);
    }
}
