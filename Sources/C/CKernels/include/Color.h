#ifndef CKERNELS_COLOR_H
#define CKERNELS_COLOR_H

// Kernels that turn rows of coded samples into rows of sRGB: tables, a matrix and a table, without a
// floating-point picture between. The results are equal on every processor: sums are not fused, and
// indices are rounded to even everywhere.

#include <stddef.h>
#include <stdint.h>

/// The steps of the tables by light; an index is the square root of light.
enum { CCOLOR_LIGHT_STEPS = 16384, CCOLOR_OUTPUT_STEPS = 4096 };

/// How light is scaled between the input's curve and the matrix.
typedef enum {
    /// Not at all: SDR.
    CCOLOR_PLAIN = 0,
    /// By the largest of three codes: PQ in BT.2020, all three curves equal.
    CCOLOR_GAIN_BY_CODE = 1,
    /// By the largest of three lights, after `wide`.
    CCOLOR_GAIN_BY_LIGHT = 2,
    /// HLG's system gamma by luminance first, then by the largest of three lights.
    CCOLOR_HLG = 3,
} ccolor_kind;

/// A conversion of R'G'B' codes to sRGB.
typedef struct {
    ccolor_kind kind;
    /// Codes are 0 to `steps`.
    int32_t steps;
    /// The light of each code of red, green and blue; `steps` + 1 entries.
    const float *_Nullable light[3];
    /// From the primaries of the input to those of BT.2020; used by GAIN_BY_LIGHT and HLG.
    float wide[9];
    /// From the primaries of the input (or of BT.2020, after a gain by light) to those of BT.709.
    float matrix[9];
    /// The gain by code (`steps` + 1 entries), or by the square root of light / `most_light`.
    const float *_Nullable gain;
    /// HLG's gain by the square root of luminance.
    const float *_Nullable system_gamma;
    float most_light;
    /// sRGB codes by the square root of light, CCOLOR_OUTPUT_STEPS + 1 entries.
    const int32_t *_Nullable output;
} ccolor_conversion;

/// Converts a row of codes to RGBA8; `alpha` has one byte per pixel, NULL is 255 throughout.
void ccolor_convert(
    const ccolor_conversion *_Nonnull conversion, const uint16_t *_Nonnull red,
    const uint16_t *_Nonnull green, const uint16_t *_Nonnull blue, const uint8_t *_Nullable alpha,
    uint32_t *_Nonnull rgba, size_t count);

/// The same by the portable code, as the tests compare it.
void ccolor_convert_portable(
    const ccolor_conversion *_Nonnull conversion, const uint16_t *_Nonnull red,
    const uint16_t *_Nonnull green, const uint16_t *_Nonnull blue, const uint8_t *_Nullable alpha,
    uint32_t *_Nonnull rgba, size_t count);

/// The matrix from YUV of some bits to R'G'B' codes, in 1/8192 of a code: sums stay below 2^30.
typedef struct {
    int32_t luma_start;
    int32_t chroma_middle;
    int32_t luma;
    int32_t red_u;
    int32_t red_v;
    int32_t green_u;
    int32_t green_v;
    int32_t blue_u;
    int32_t blue_v;
    int32_t steps;
} ccolor_matrix;

/// Turns a row of YUV samples, chroma at full width, into rows of codes 0 to `steps`.
void ccolor_yuv_to_rgb(
    const ccolor_matrix *_Nonnull matrix, const uint16_t *_Nonnull y, const uint16_t *_Nonnull u,
    const uint16_t *_Nonnull v, uint16_t *_Nonnull red, uint16_t *_Nonnull green,
    uint16_t *_Nonnull blue, size_t count);

/// Turns a row of samples without a matrix into codes, by `luma_start`, `luma` and `steps`.
void ccolor_scale(
    const ccolor_matrix *_Nonnull matrix, const uint16_t *_Nonnull samples,
    uint16_t *_Nonnull codes, size_t count);

/// Widens a row of 8-bit samples.
void ccolor_widen(const uint8_t *_Nonnull samples, uint16_t *_Nonnull row, size_t count);

/// Blends two rows of chroma 3 to 1, samples doubled twice, and widens them to `count` columns.
///
/// Chroma is sited at the left: even columns take a sample, odd ones the mean of two. Rows of full
/// width are only blended. The result has two more bits than the samples.
void ccolor_expand_chroma(
    const uint16_t *_Nonnull near, const uint16_t *_Nonnull far, int is_half_width,
    uint16_t *_Nonnull row, size_t count);

/// Repeats a row of chroma, two columns a sample where it has half of them, with two more bits.
void ccolor_repeat_chroma(
    const uint16_t *_Nonnull samples, int is_half_width, uint16_t *_Nonnull row, size_t count);

/// The matrix from YUV to R'G'B' of 16 bits in the full range, in 2^-28 of a step; sums stay below 2^62.
///
/// Chroma has three more bits than its samples.
typedef struct {
    int32_t luma_start;
    int32_t chroma_middle;
    int64_t luma;
    int64_t red_u, red_v;
    int64_t green_u, green_v;
    int64_t blue_u, blue_v;
} ccolor_deep_matrix;

/// Blends two rows of chroma 3 to 1 and widens them to `count` columns, as `ccolor_expand_chroma` does.
///
/// Exact: the result has three more bits than the samples. Without `blends` columns are repeated.
void ccolor_expand_deep_chroma(
    const uint16_t *_Nonnull near, const uint16_t *_Nonnull far, int is_half_width, int blends,
    int32_t *_Nonnull row, size_t count);

/// Turns a row of YUV samples, chroma at full width, into RGBA16; alpha is 65535.
void ccolor_yuv_to_rgba16(
    const ccolor_deep_matrix *_Nonnull matrix, const uint16_t *_Nonnull y,
    const int32_t *_Nonnull u, const int32_t *_Nonnull v, uint16_t *_Nonnull rgba, size_t count);

/// Scales a row of samples by `luma_start` and `luma` into every fourth number, from `out` on.
void ccolor_scale16(
    const ccolor_deep_matrix *_Nonnull matrix, const uint16_t *_Nonnull samples,
    uint16_t *_Nonnull out, size_t count);

/// Joins rows of codes 0 to 255 * 32; `alpha` has one byte per pixel, NULL is 255 throughout.
void ccolor_join8(
    const uint16_t *_Nonnull red, const uint16_t *_Nonnull green, const uint16_t *_Nonnull blue,
    const uint8_t *_Nullable alpha, uint32_t *_Nonnull rgba, size_t count);

/// Splits pixels of four 8-bit samples into rows of codes.
void ccolor_split8(
    const uint32_t *_Nonnull rgba, uint16_t *_Nonnull red, uint16_t *_Nonnull green,
    uint16_t *_Nonnull blue, uint8_t *_Nonnull alpha, size_t count);

/// Splits pixels of four 16-bit samples into rows of codes 0 to `steps`, and 8-bit alpha.
void ccolor_split16(
    const uint16_t *_Nonnull rgba, int32_t steps, uint16_t *_Nonnull red,
    uint16_t *_Nonnull green, uint16_t *_Nonnull blue, uint8_t *_Nonnull alpha, size_t count);

#endif
