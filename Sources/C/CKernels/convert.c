#include "Color.h"

#include <math.h>

// A fused sum would differ from one in two steps in its last bit.
#ifdef __clang__
#pragma STDC FP_CONTRACT OFF
#else
#pragma GCC optimize("fp-contract=off")
#endif

#if defined(__x86_64__)
#include <immintrin.h>
static inline int32_t rounded(float x) { return _mm_cvtss_si32(_mm_set_ss(x)); }
static inline float root(float x) { return _mm_cvtss_f32(_mm_sqrt_ss(_mm_set_ss(x))); }
#else
static inline int32_t rounded(float x) { return (int32_t)lrintf(x); }
static inline float root(float x) { return sqrtf(x); }
#endif

// A profile's curves and matrix can be anything, so light can be infinite or no number: 0, as in
// the vectorized code, whose maximum is its second operand then. No index leaves its table.
static inline float unit(float x) { return x > 0 ? (x < 1 ? x : 1) : 0; }
static inline float most(float a, float b) { return a > b ? a : b; }
static inline float dot(const float *m, float a, float b, float c) {
    return m[0] * a + m[1] * b + m[2] * c;
}

// BT.2020's weights of luminance, by which HLG's system gamma works (BT.2100, table 5).
static const float luminance[3] = {0.2627f, 0.6780f, 0.0593f};

static inline uint32_t coded(const int32_t *output, float light) {
    return (uint32_t)output[rounded(root(unit(light)) * CCOLOR_OUTPUT_STEPS)];
}

static inline int32_t step_of(float light) {
    return rounded(root(unit(light)) * CCOLOR_LIGHT_STEPS);
}

void ccolor_convert_portable(
    const ccolor_conversion *c, const uint16_t *red, const uint16_t *green, const uint16_t *blue,
    const uint8_t *alpha, uint32_t *rgba, size_t count) {
    const float least = 1 / c->most_light;
    for (size_t i = 0; i < count; i++) {
        float r = c->light[0][red[i]], g = c->light[1][green[i]], b = c->light[2][blue[i]];
        if (c->kind == CCOLOR_GAIN_BY_CODE) {
            uint16_t code = red[i] > green[i] ? red[i] : green[i];
            float gain = c->gain[code > blue[i] ? code : blue[i]];
            r *= gain, g *= gain, b *= gain;
        } else if (c->kind != CCOLOR_PLAIN) {
            if (c->kind == CCOLOR_HLG) {
                float scale = c->system_gamma[step_of(dot(luminance, r, g, b))];
                r *= scale, g *= scale, b *= scale;
            }
            float wr = dot(c->wide, r, g, b), wg = dot(c->wide + 3, r, g, b);
            float wb = dot(c->wide + 6, r, g, b);
            float gain = c->gain[step_of(most(wr, most(wg, wb)) * least)];
            r = wr * gain, g = wg * gain, b = wb * gain;
        }
        rgba[i] = coded(c->output, dot(c->matrix, r, g, b))
            | coded(c->output, dot(c->matrix + 3, r, g, b)) << 8
            | coded(c->output, dot(c->matrix + 6, r, g, b)) << 16
            | (uint32_t)(alpha ? alpha[i] : 255) << 24;
    }
}

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2"))) static inline

AVX2 __m256 unit8(__m256 x) {
    return _mm256_min_ps(_mm256_max_ps(x, _mm256_setzero_ps()), _mm256_set1_ps(1));
}
AVX2 __m256 dot8(const float *m, __m256 a, __m256 b, __m256 c) {
    __m256 sum = _mm256_add_ps(
        _mm256_mul_ps(_mm256_set1_ps(m[0]), a), _mm256_mul_ps(_mm256_set1_ps(m[1]), b));
    return _mm256_add_ps(sum, _mm256_mul_ps(_mm256_set1_ps(m[2]), c));
}
AVX2 __m256i codes8(const uint16_t *row) {
    return _mm256_cvtepu16_epi32(_mm_loadu_si128((const __m128i *)row));
}
AVX2 __m256i steps8(__m256 light, float steps) {
    return _mm256_cvtps_epi32(_mm256_mul_ps(_mm256_sqrt_ps(unit8(light)), _mm256_set1_ps(steps)));
}
AVX2 __m256i coded8(const int32_t *output, __m256 light) {
    return _mm256_i32gather_epi32(output, steps8(light, CCOLOR_OUTPUT_STEPS), 4);
}

__attribute__((target("avx2"))) static size_t convert_avx2(
    const ccolor_conversion *c, const uint16_t *red, const uint16_t *green, const uint16_t *blue,
    const uint8_t *alpha, uint32_t *rgba, size_t count) {
    const __m256 least = _mm256_set1_ps(1 / c->most_light);
    size_t i = 0;
    for (; i + 8 <= count; i += 8) {
        __m256i rc = codes8(red + i), gc = codes8(green + i), bc = codes8(blue + i);
        __m256 r = _mm256_i32gather_ps(c->light[0], rc, 4);
        __m256 g = _mm256_i32gather_ps(c->light[1], gc, 4);
        __m256 b = _mm256_i32gather_ps(c->light[2], bc, 4);
        if (c->kind == CCOLOR_GAIN_BY_CODE) {
            __m256i code = _mm256_max_epi32(_mm256_max_epi32(rc, gc), bc);
            __m256 gain = _mm256_i32gather_ps(c->gain, code, 4);
            r = _mm256_mul_ps(r, gain), g = _mm256_mul_ps(g, gain), b = _mm256_mul_ps(b, gain);
        } else if (c->kind != CCOLOR_PLAIN) {
            if (c->kind == CCOLOR_HLG) {
                __m256 scale = _mm256_i32gather_ps(
                    c->system_gamma, steps8(dot8(luminance, r, g, b), CCOLOR_LIGHT_STEPS), 4);
                r = _mm256_mul_ps(r, scale), g = _mm256_mul_ps(g, scale);
                b = _mm256_mul_ps(b, scale);
            }
            __m256 wr = dot8(c->wide, r, g, b), wg = dot8(c->wide + 3, r, g, b);
            __m256 wb = dot8(c->wide + 6, r, g, b);
            __m256 light = _mm256_mul_ps(_mm256_max_ps(wr, _mm256_max_ps(wg, wb)), least);
            __m256 gain = _mm256_i32gather_ps(c->gain, steps8(light, CCOLOR_LIGHT_STEPS), 4);
            r = _mm256_mul_ps(wr, gain), g = _mm256_mul_ps(wg, gain), b = _mm256_mul_ps(wb, gain);
        }
        __m256i out = _mm256_or_si256(
            coded8(c->output, dot8(c->matrix, r, g, b)),
            _mm256_slli_epi32(coded8(c->output, dot8(c->matrix + 3, r, g, b)), 8));
        out = _mm256_or_si256(
            out, _mm256_slli_epi32(coded8(c->output, dot8(c->matrix + 6, r, g, b)), 16));
        __m256i opacity = alpha
            ? _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)(alpha + i)))
            : _mm256_set1_epi32(255);
        _mm256_storeu_si256(
            (__m256i *)(rgba + i), _mm256_or_si256(out, _mm256_slli_epi32(opacity, 24)));
    }
    return i;
}
#endif

void ccolor_convert(
    const ccolor_conversion *c, const uint16_t *red, const uint16_t *green, const uint16_t *blue,
    const uint8_t *alpha, uint32_t *rgba, size_t count) {
    size_t done = 0;
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        done = convert_avx2(c, red, green, blue, alpha, rgba, count);
    }
#endif
    ccolor_convert_portable(
        c, red + done, green + done, blue + done, alpha ? alpha + done : 0, rgba + done,
        count - done);
}
