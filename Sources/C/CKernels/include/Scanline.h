#ifndef CKERNELS_SCANLINE_H
#define CKERNELS_SCANLINE_H

// The loops of the PNG writer, and ISA-L's deflate behind a buffer that grows.
// Swift cannot choose code by the processor at run time, and isal_zstream is 80 KB of arrays that
// Swift would import as tuples.

#include <stddef.h>
#include <stdint.h>

/// The code paths for filtering; all give the same bytes.
typedef enum { CSCANLINE_PORTABLE = 0, CSCANLINE_SSSE3 = 1, CSCANLINE_AVX2 = 2 } cscanline_kernel;

/// The fastest path of this processor; every path of a lower number works too.
cscanline_kernel cscanline_best_kernel(void);

/// RGBA8 rows with their distance, and which of them to take.
typedef struct {
    const uint8_t *_Nonnull rgba;
    size_t width;
    size_t stride;
    size_t first_row;
    size_t row_count;
} cscanline_rows;

/// Bytes behind the end of an output that the functions below may overwrite.
enum { CSCANLINE_SLACK = 64 };

/// Writes PNG scanlines of RGB: filter Sub for row 0, Up for the others.
/// `out` holds row_count * (1 + width * 3) bytes and the slack.
void cscanline_filter_rgb(
    cscanline_rows rows, cscanline_kernel kernel, uint8_t *_Nonnull out);

/// The same for RGBA, 1 + width * 4 bytes a row.
void cscanline_filter_rgba(cscanline_rows rows, uint8_t *_Nonnull out);

/// Writes PNG scanlines as they are (filter None); `channels` is 3 or 4.
void cscanline_filter_none(cscanline_rows rows, int channels, uint8_t *_Nonnull out);

/// Writes PNG scanlines with the filter for each row whose bytes are with the smallest sum of magnitudes.
/// `channels` is 3 or 4; `scratch` holds 4 * width * channels bytes.
void cscanline_filter_best(
    cscanline_rows rows, int channels, uint8_t *_Nonnull scratch, uint8_t *_Nonnull out);

/// Writes PNG scanlines of samples without padding, `step` bytes a pixel, with one filter for all
/// rows (0 to 4, as PNG numbers them) or the best for each row (5). `above` is the row before the
/// first one, NULL where there is none.
/// `scratch` holds 3 * row_bytes bytes, `out` row_count * (1 + row_bytes).
void cscanline_filter_samples(
    const uint8_t *_Nonnull samples, const uint8_t *_Nullable above, size_t row_bytes,
    size_t row_count, size_t step, int filter, uint8_t *_Nonnull scratch, uint8_t *_Nonnull out);

/// Writes RGBA pixels of 16-bit samples as PNG stores them, highest byte first: gray (1 channel), gray
/// and alpha (2), RGB (3) or RGBA (4).
void cscanline_take_deep_samples(
    const uint16_t *_Nonnull pixels, size_t count, int channels, uint8_t *_Nonnull out);

/// The same of RGBA8 pixels: gray or gray and alpha, of the red of each pixel.
void cscanline_take_gray_samples(
    const uint32_t *_Nonnull pixels, size_t count, int channels, uint8_t *_Nonnull out);

/// Every pixel has alpha 255.
enum { CSCANLINE_OPAQUE = 1 };
/// Every pixel has alpha 255 or is 0.
enum { CSCANLINE_BINARY = 2 };
/// Red, green and blue are equal in every pixel.
enum { CSCANLINE_GREY = 4 };

/// Which of the above hold.
int cscanline_traits(cscanline_rows rows);

/// Where two pictures of one size differ.
typedef struct {
    size_t x, y, width, height;
    /// The pixels that differ; 0 where the rectangle is empty.
    size_t count;
    /// Whether they come out exactly when they are laid over the first picture.
    int can_lie_over;
} cscanline_changes;

/// Compares two pictures of RGBA rows without padding.
cscanline_changes cscanline_compare(
    const uint32_t *_Nonnull before, const uint32_t *_Nonnull after, size_t width, size_t height);

/// Writes a rectangle of a picture without padding; with `before`, 0 where nothing changed.
void cscanline_take_rect(
    const uint32_t *_Nullable before, const uint32_t *_Nonnull after, size_t stride, size_t width,
    size_t height, uint32_t *_Nonnull out);

/// Writes pixels as gray and alpha (2 channels), RGB (3) or RGBA (4).
/// RGB stands for pixels that are 0 by the color `key`, if that is not 0. Returns 0
/// where a pixel cannot be said so.
int cscanline_take_samples(
    const uint32_t *_Nonnull pixels, size_t count, int channels, uint32_t key,
    uint8_t *_Nonnull out);

/// Whether every pixel has alpha 255.
int cscanline_is_opaque(cscanline_rows rows);

/// Colors with their numbers, in the order they came; the pixels of one file.
typedef struct cscanline_palette cscanline_palette;

/// Makes an empty palette, or nil when there is no memory.
cscanline_palette *_Nullable cscanline_palette_make(void);
void cscanline_palette_free(cscanline_palette *_Nullable palette);
void cscanline_palette_clear(cscanline_palette *_Nonnull palette);

/// The colors, as RGBA in memory order, and how many there are.
const uint32_t *_Nonnull cscanline_palette_colors(const cscanline_palette *_Nonnull palette);
int cscanline_palette_count(const cscanline_palette *_Nonnull palette);

/// Writes the number of each pixel's color; new colors get the next number.
/// Returns 0 when there are more than 256. With `margin` 1, each row begins with 0, the
/// filter None. `out` holds row_count * (margin + width) bytes.
int cscanline_index(
    cscanline_palette *_Nonnull palette, cscanline_rows rows, int margin, uint8_t *_Nonnull out);

/// Writes what `map` says for the number of each pixel's color, all of which have one.
void cscanline_look_up(
    const cscanline_palette *_Nonnull palette, const uint32_t *_Nonnull pixels, size_t count,
    const uint8_t map[_Nonnull 256], uint8_t *_Nonnull out);

/// Whether some thousand pixels, evenly taken, have few colors: a dithered picture, not a photo.
int cscanline_has_few_colors(cscanline_rows rows);

/// Numbers the colors of the same pixels while rows of a picture of `all_rows` come; 0 where there are more than few (384).
int cscanline_sample_colors(
    cscanline_palette *_Nonnull palette, cscanline_rows rows, size_t rows_before, size_t all_rows);

/// Packs scanlines of indices in place to `depth` bits (1, 2 or 4); returns the bytes of all rows.
size_t cscanline_pack_indices(
    uint8_t *_Nonnull scanlines, size_t width, size_t row_count, int depth);

/// A growing buffer; begin with all members 0, end with `cscanline_free`.
typedef struct {
    uint8_t *_Nullable bytes;
    size_t count;
    size_t capacity;
} cscanline_buffer;

/// Reserves room for `more` bytes after `count`; 0 when there is no memory.
int cscanline_reserve(cscanline_buffer *_Nonnull buffer, size_t more);
void cscanline_free(cscanline_buffer *_Nonnull buffer);

/// One zlib stream after the other; used by one thread at a time.
typedef struct cscanline_deflater cscanline_deflater;

/// Makes a deflater, or nil when there is no memory.
cscanline_deflater *_Nullable cscanline_deflater_make(void);
void cscanline_deflater_free(cscanline_deflater *_Nullable deflater);

/// Begins a stream of ISA-L's level 1 or 2, with a Huffman code of its own for each so many thousand
/// literals and matches (at most 64).
void cscanline_deflater_begin(
    cscanline_deflater *_Nonnull deflater, int level, int block_thousands);

/// Appends the compressed form of `count` bytes; 0 when there is no memory.
int cscanline_deflate(
    cscanline_deflater *_Nonnull deflater, const uint8_t *_Nonnull bytes, size_t count,
    int is_last, cscanline_buffer *_Nonnull out);

/// Appends one whole zlib stream by zlib, level 1 to 9; 0 when there is no memory.
int cscanline_squeeze(
    int level, const uint8_t *_Nonnull bytes, size_t count, cscanline_buffer *_Nonnull out);

/// Fills `out` from a zlib stream; 0 where that gives other than `count` bytes.
int cscanline_inflate(
    const uint8_t *_Nonnull bytes, size_t byte_count, uint8_t *_Nonnull out, size_t count);

/// The CRC of PNG chunks and gzip.
uint32_t cscanline_crc(const uint8_t *_Nonnull bytes, size_t count);

/// The CRC of bytes that follow those of another one.
uint32_t cscanline_crc_add(uint32_t crc, const uint8_t *_Nonnull bytes, size_t count);

/// The version of ISA-L that this was compiled with.
const char *_Nonnull cscanline_isal_version(void);

#endif
