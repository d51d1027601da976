// libjxl behind a table of function pointers, so that only a job that opens a JPEG XL loads it.
//
// Nothing here is linked to libjxl. The headers give the types; `cjxl_load` opens the library of the
// headers' version and fills the table once. Every other function below needs it full.
#ifndef LAZYIMG_CJXL_H
#define LAZYIMG_CJXL_H

#include <jxl/decode.h>
#include <jxl/parallel_runner.h>

#include "Versions.h"

// One line a function.
#define CJXL_FUNCTIONS(FUNCTION) \
    FUNCTION(JxlDecoderCreate) \
    FUNCTION(JxlDecoderDestroy) \
    FUNCTION(JxlDecoderExtraChannelBufferSize) \
    FUNCTION(JxlDecoderFlushImage) \
    FUNCTION(JxlDecoderGetBasicInfo) \
    FUNCTION(JxlDecoderGetColorAsEncodedProfile) \
    FUNCTION(JxlDecoderGetColorAsICCProfile) \
    FUNCTION(JxlDecoderGetExtraChannelBlendInfo) \
    FUNCTION(JxlDecoderGetExtraChannelInfo) \
    FUNCTION(JxlDecoderGetFrameHeader) \
    FUNCTION(JxlDecoderGetICCProfileSize) \
    FUNCTION(JxlDecoderImageOutBufferSize) \
    FUNCTION(JxlDecoderProcessInput) \
    FUNCTION(JxlDecoderReleaseInput) \
    FUNCTION(JxlDecoderRewind) \
    FUNCTION(JxlDecoderSetCoalescing) \
    FUNCTION(JxlDecoderSetExtraChannelBuffer) \
    FUNCTION(JxlDecoderSetImageOutBuffer) \
    FUNCTION(JxlDecoderSetInput) \
    FUNCTION(JxlDecoderSetParallelRunner) \
    FUNCTION(JxlDecoderSetPreferredColorProfile) \
    FUNCTION(JxlDecoderSetUnpremultiplyAlpha) \
    FUNCTION(JxlDecoderSkipFrames) \
    FUNCTION(JxlDecoderSubscribeEvents) \
    FUNCTION(JxlDecoderVersion)

// `__typeof__` makes the compiler check each call against the headers' own declaration.
#define CJXL_FIELD(function) __typeof__(function) *_Nonnull function;
typedef struct CJXLTable {
    CJXL_FUNCTIONS(CJXL_FIELD)
} CJXLTable;
#undef CJXL_FIELD

/// The table; only to be asked for once `cjxl_load` has returned 0.
const CJXLTable *_Nonnull cjxl_table(void);

/// Fills the table with the functions of a library; returns 0, or -1 with a sentence in `message`.
int cjxl_fill(
    CJXLTable *_Nonnull table, const char *_Nonnull name, char *_Nonnull message, size_t size);

/// Loads libjxl once in a process; returns 0, or -1 where it is missing or of another version.
int cjxl_load(void);

/// Why `cjxl_load` failed, in one sentence.
const char *_Nonnull cjxl_load_message(void);

/// The name of the library that the headers belong to.
const char *_Nonnull cjxl_library_name(void);

/// Starts threads and lets a decoder use them; NULL where the system gives none.
///
/// The pool must outlive the decoder.
void *_Nullable cjxl_add_threads(JxlDecoder *_Nonnull decoder, size_t count);

/// Frees what `cjxl_add_threads` made.
void cjxl_free_threads(void *_Nonnull threads);

/// The structured color of the original picture or of the output; 0 where there is one.
int cjxl_encoded_profile(
    const JxlDecoder *_Nonnull decoder, JxlColorProfileTarget target,
    JxlColorEncoding *_Nonnull color);

/// The size of the ICC profile of the original picture or of the output; 0 where there is none.
size_t cjxl_profile_size(const JxlDecoder *_Nonnull decoder, JxlColorProfileTarget target);

/// Copies the ICC profile; returns 0 on success.
int cjxl_profile(
    const JxlDecoder *_Nonnull decoder, JxlColorProfileTarget target, uint8_t *_Nonnull profile,
    size_t size);

#endif
