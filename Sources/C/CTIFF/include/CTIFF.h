// libtiff behind plain functions: its own take variable arguments, and it is loaded with the first
// TIFF only.
//
// Nothing here is linked to libtiff; `ctiff_load` opens the library once. Every other function needs
// that done. Damage is told by return values and in words; nothing is printed.
#ifndef LAZYIMG_CTIFF_H
#define LAZYIMG_CTIFF_H

#include <stddef.h>
#include <stdint.h>

/// Loads libtiff once in a process; returns 0, or -1 where it is missing.
int ctiff_load(void);

/// Tries a library of another name; returns 0, or -1 with a sentence in `message`.
int ctiff_probe(const char *_Nonnull name, char *_Nonnull message, size_t size);

/// Why `ctiff_load` failed, in one sentence.
const char *_Nonnull ctiff_load_message(void);

/// The version of the loaded library in its own words.
const char *_Nonnull ctiff_library_version(void);

/// Where bytes come from; `read` returns how many it copied, 0 at the end, or -1.
typedef struct {
    void *_Nonnull context;
    uint64_t size;
    long (*_Nonnull read)(
        void *_Nonnull context, uint64_t offset, uint8_t *_Nonnull out, size_t size);
} ctiff_source;

typedef struct ctiff_file ctiff_file;

/// Opens a file and reads its first directory; NULL on failure, with the reason in `words`.
///
/// No single allocation is larger than `most_memory`. The source's context must outlive the file.
ctiff_file *_Nullable ctiff_open(
    ctiff_source source, int64_t most_memory, char *_Nonnull words, size_t size);

void ctiff_close(ctiff_file *_Nonnull file);

/// What libtiff last said about an error since `ctiff_forget`; empty without one.
const char *_Nonnull ctiff_words(const ctiff_file *_Nonnull file);
void ctiff_forget(ctiff_file *_Nonnull file);
/// Whether bytes were asked for that lie behind the end, since the last call.
int ctiff_did_pass_end(ctiff_file *_Nonnull file);

/// How the samples of a page become RGBA.
typedef enum {
    CTIFF_GRAY = 0,
    /// Gray whose 0 is white.
    CTIFF_WHITE_IS_ZERO,
    CTIFF_RGB,
    CTIFF_PALETTE,
    CTIFF_CMYK,
    /// CIE L*a*b* of the white D50, with signed a and b.
    CTIFF_LAB,
    /// The same as in profiles, with a and b moved up by 128.
    CTIFF_ICC_LAB,
    /// By libtiff's own conversion: YCbCr that is not JPEG, LogLuv.
    CTIFF_BY_LIBTIFF,
    /// Samples that are not read; `words` tells why.
    CTIFF_UNREADABLE,
} ctiff_kind;

/// What the bits of a sample are.
typedef enum {
    CTIFF_UNSIGNED = 0,
    CTIFF_SIGNED,
    CTIFF_FLOATING,
    CTIFF_COMPLEX,
} ctiff_numbers;

enum { CTIFF_NO_ALPHA = 0, CTIFF_ASSOCIATED = 1, CTIFF_STRAIGHT = 2 };

/// One directory of a file.
typedef struct {
    /// Its offset in the file, for `ctiff_go_to`.
    uint64_t offset;
    uint32_t width, height;
    /// The tag `NewSubfileType`: 1 for a reduced version of another page, 4 for a mask.
    uint32_t subfile;
    /// The tag `Orientation`, 1 to 8.
    uint16_t orientation;
    uint16_t bits, samples;
    ctiff_numbers numbers;
    /// Whether each sample has pieces of its own.
    int is_planar;
    ctiff_kind kind;
    int alpha;
    /// The size of a strip or tile in pixels, and of its bytes when decoded.
    uint32_t piece_width, piece_height;
    uint64_t piece_bytes;
    /// The number of pieces of one plane.
    uint32_t pieces;
    uint16_t compression;
    /// Pieces of all planes of which the file does not have all bytes; 0 where there are too many to look.
    uint32_t missing;
    /// Whether no piece is there.
    int is_absent;
    const void *_Nullable profile;
    uint32_t profile_size;
    /// Why the page is not read.
    const char *_Nullable words;
} ctiff_page;

/// Describes the current directory; returns 0, or -1 where it has no size.
///
/// The profile is valid until another directory is read.
int ctiff_describe(ctiff_file *_Nonnull file, ctiff_page *_Nonnull page);

/// Reads the next directory; 0 where there is none.
int ctiff_next(ctiff_file *_Nonnull file);

/// Reads the directory at an offset; returns 0, or -1.
int ctiff_go_to(ctiff_file *_Nonnull file, uint64_t offset);

/// Decodes a strip or tile; `index` counts all planes. Returns its bytes, or -1.
int64_t ctiff_read_piece(
    ctiff_file *_Nonnull file, uint32_t index, void *_Nonnull buffer, int64_t size);

/// Decodes a page of the kind `CTIFF_BY_LIBTIFF`, not turned, with associated alpha; 0, or -1.
int ctiff_read_rgba(ctiff_file *_Nonnull file, uint32_t *_Nonnull rgba, size_t pixels);

/// How a decoded row is laid out.
typedef struct {
    ctiff_kind kind;
    uint16_t bits, samples;
    ctiff_numbers numbers;
    int alpha;
    /// 65536 entries or fewer for each of red, green and blue.
    const uint16_t *_Nullable palette[3];
} ctiff_layout;

/// The layout of the rows of the current directory.
ctiff_layout ctiff_layout_of(ctiff_file *_Nonnull file, const ctiff_page *_Nonnull page);

/// Unpacks samples of a row into 16-bit numbers, `step` apart.
///
/// Unsigned ones of up to 16 bits keep their value. Longer ones keep their 16 high bits, signed ones
/// are moved up so that the least is 0, and of floating-point ones 0 to 1 becomes 0 to 65535; what is
/// outside is clipped. Those of whole bytes are in host order.
void ctiff_unpack(const ctiff_layout *_Nonnull layout, const uint8_t *_Nonnull row, size_t count,
    uint16_t *_Nonnull out, size_t step);

/// Converts unpacked pixels to RGBA8 with straight alpha; those of CMYK to inverted CMYK.
void ctiff_to_rgba8(
    const ctiff_layout *_Nonnull layout, const uint16_t *_Nonnull samples, size_t count,
    uint32_t *_Nonnull rgba);

/// The same in 16 bits per channel, not for CMYK.
void ctiff_to_rgba16(
    const ctiff_layout *_Nonnull layout, const uint16_t *_Nonnull samples, size_t count,
    uint16_t *_Nonnull rgba);

/// Converts RGBA8 with associated alpha to straight alpha, in place.
void ctiff_straighten(uint32_t *_Nonnull rgba, size_t count);

/// Converts inverted CMYK to RGBA8 without a profile, in place.
void ctiff_invert_ink(uint32_t *_Nonnull pixels, size_t count);

#endif
