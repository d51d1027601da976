// libavif behind a table of function pointers: it brings five AV1 libraries, which only a job that
// opens or writes an AVIF should load.
//
// Nothing here is linked to libavif. The header gives the types; `cavif_load` opens the library of
// the header's version and fills the table once. Every other function below needs it full.
#ifndef LAZYIMG_CAVIF_H
#define LAZYIMG_CAVIF_H

#include <avif/avif.h>

#include "Versions.h"

// One line a function.
#define CAVIF_FUNCTIONS(FUNCTION) \
    FUNCTION(avifCodecName) \
    FUNCTION(avifDecoderCreate) \
    FUNCTION(avifDecoderDestroy) \
    FUNCTION(avifDecoderIsKeyframe) \
    FUNCTION(avifDecoderNextImage) \
    FUNCTION(avifDecoderNthImage) \
    FUNCTION(avifDecoderNthImageTiming) \
    FUNCTION(avifDecoderParse) \
    FUNCTION(avifDecoderSetIO) \
    FUNCTION(avifEncoderAddImage) \
    FUNCTION(avifEncoderCreate) \
    FUNCTION(avifEncoderDestroy) \
    FUNCTION(avifEncoderFinish) \
    FUNCTION(avifEncoderSetCodecSpecificOption) \
    FUNCTION(avifImageAllocatePlanes) \
    FUNCTION(avifImageCreate) \
    FUNCTION(avifImageDestroy) \
    FUNCTION(avifImageRGBToYUV) \
    FUNCTION(avifImageSetProfileICC) \
    FUNCTION(avifImageYUVToRGB) \
    FUNCTION(avifRGBImageSetDefaults) \
    FUNCTION(avifRWDataFree) \
    FUNCTION(avifRWDataRealloc) \
    FUNCTION(avifResultToString) \
    FUNCTION(avifVersion) \
    CAVIF_CROP_FUNCTION(FUNCTION)

// `__typeof__` makes the compiler check each call against the header's own declaration.
#define CAVIF_FIELD(function) __typeof__(function) *_Nonnull function;
typedef struct CAVIFTable {
    CAVIF_FUNCTIONS(CAVIF_FIELD)
} CAVIFTable;
#undef CAVIF_FIELD

/// The table; only to be asked for once `cavif_load` has returned 0.
const CAVIFTable *_Nonnull cavif_table(void);

/// Fills the table with the functions of a library; returns 0, or -1 with a sentence in `message`.
int cavif_fill(
    CAVIFTable *_Nonnull table, const char *_Nonnull name, char *_Nonnull message, size_t size);

/// Loads libavif once in a process; returns 0, or -1 where it is missing or of another version.
int cavif_load(void);

/// Why `cavif_load` failed, in one sentence.
const char *_Nonnull cavif_load_message(void);

/// The name of the library that the header belongs to.
const char *_Nonnull cavif_library_name(void);

/// Debian's package of it.
const char *_Nonnull cavif_package(void);

/// Reads `size` bytes from `offset` on into `out` and returns how many there were, or -1.
typedef long (*cavif_read)(
    const void *_Nonnull context, uint64_t offset, uint8_t *_Nonnull out, size_t size);

/// Lets a decoder read by a function; `context` must outlive the decoder. 0 where memory is short.
int cavif_set_reader(
    avifDecoder *_Nonnull decoder, const void *_Nonnull context, uint64_t size,
    cavif_read _Nonnull read);

/// Sets an option of an encoder; adding a picture fails where it is unknown.
static inline void cavif_set_option(
    const CAVIFTable *_Nonnull table, avifEncoder *_Nonnull encoder, const char *_Nonnull key,
    const char *_Nonnull value) {
    // Version 1 also returns whether there is memory for it.
    (void)table->avifEncoderSetCodecSpecificOption(encoder, key, value);
}

/// The rectangle that a picture's clean aperture leaves; 0 where it is invalid.
static inline int cavif_crop(
    const CAVIFTable *_Nonnull table, const avifImage *_Nonnull image, avifCropRect *_Nonnull rect) {
    avifDiagnostics diagnostics;
    // As if of 4:4:4: an odd place is no error.
    return table->CAVIF_CROP(
        rect, &image->clap, image->width, image->height CAVIF_CROP_FORMAT(AVIF_PIXEL_FORMAT_YUV444), &diagnostics);
}

/// What the decoder last said about an error; may be empty.
const char *_Nonnull cavif_decoder_message(const avifDecoder *_Nonnull decoder);
const char *_Nonnull cavif_encoder_message(const avifEncoder *_Nonnull encoder);

#endif
