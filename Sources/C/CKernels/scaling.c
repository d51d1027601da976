#include "Scaling.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

// A fused product would round once where others round twice.
#pragma STDC FP_CONTRACT OFF

#if defined(__x86_64__)
#define AVX2 __attribute__((target("avx2"), always_inline)) static inline

AVX2 __m256 weighted(__m256 value, __m256 weights, int is_opaque) {
    if (!is_opaque) {
        __m256 alpha = _mm256_permute_ps(value, 0xFF);
        __m256 share = _mm256_div_ps(alpha, _mm256_set1_ps(255));
        value = _mm256_blend_ps(_mm256_mul_ps(value, share), alpha, 0x88);
    }
    return _mm256_mul_ps(value, weights);
}

// Two pixels at once; their products are added one after the other.
AVX2 void scale_pairs(
    const uint8_t *row, const cscaling_start *starts, const float *weights, size_t count,
    int is_opaque, float *line) {
    for (size_t x = 0; x < count; x++) {
        const uint8_t *pixel = row + 4 * (size_t)starts[x].position;
        const float *weight = weights + starts[x].tap, *end = weights + starts[x + 1].tap;
        __m128 sum = _mm_setzero_ps();
        for (; weight + 2 <= end; weight += 2, pixel += 8) {
            __m256i samples = _mm256_cvtepu8_epi32(_mm_loadl_epi64((const __m128i *)pixel));
            __m256 both = _mm256_blend_ps(
                _mm256_broadcast_ss(weight), _mm256_broadcast_ss(weight + 1), 0xF0);
            __m256 value = weighted(_mm256_cvtepi32_ps(samples), both, is_opaque);
            sum = _mm_add_ps(sum, _mm256_castps256_ps128(value));
            sum = _mm_add_ps(sum, _mm256_extractf128_ps(value, 1));
        }
        if (weight < end) {
            __m256i samples = _mm256_cvtepu8_epi32(_mm_loadu_si32(pixel));
            __m256 value = weighted(_mm256_cvtepi32_ps(samples), _mm256_broadcast_ss(weight), is_opaque);
            sum = _mm_add_ps(sum, _mm256_castps256_ps128(value));
        }
        _mm_storeu_ps(line + 4 * x, sum);
    }
}

__attribute__((target("avx2"))) static void scale_avx2(
    const uint8_t *row, const cscaling_start *starts, const float *weights, size_t count,
    int is_opaque, float *line) {
    if (is_opaque)
        scale_pairs(row, starts, weights, count, 1, line);
    else
        scale_pairs(row, starts, weights, count, 0, line);
}
#endif

static void scale_portable(
    const uint8_t *row, const cscaling_start *starts, const float *weights, size_t count,
    int is_opaque, float *line) {
    for (size_t x = 0; x < count; x++, line += 4) {
        const uint8_t *pixel = row + 4 * (size_t)starts[x].position;
        line[0] = line[1] = line[2] = line[3] = 0;
        for (int32_t tap = starts[x].tap; tap < starts[x + 1].tap; tap++, pixel += 4) {
            float share = is_opaque ? 1 : pixel[3] / 255.0f;
            for (int i = 0; i < 3; i++) line[i] += pixel[i] * share * weights[tap];
            line[3] += pixel[3] * weights[tap];
        }
    }
}

void cscaling_scale_row(
    const uint8_t *row, const cscaling_start *starts, const float *weights, size_t count,
    int is_opaque, float *line) {
#if defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) {
        scale_avx2(row, starts, weights, count, is_opaque, line);
        return;
    }
#endif
    scale_portable(row, starts, weights, count, is_opaque, line);
}
