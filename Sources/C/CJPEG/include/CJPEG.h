#ifndef CJPEG_H
#define CJPEG_H

// libjpeg-turbo behind functions that return: libjpeg reports errors by a function that must not,
// so that only a longjmp gets out of it, and that may not cross Swift's frames.

#include <stddef.h>
#include <stdint.h>

/// The status of an operation.
typedef enum {
    CJPEG_DONE = 0,
    /// The bytes end before there is anything.
    CJPEG_TRUNCATED = 1,
    /// The bytes break the format.
    CJPEG_MALFORMED = 2,
    /// A variety of JPEG that this library does not know: lossless, 12 bits a sample.
    CJPEG_UNSUPPORTED = 3,
    /// The caller's function requested the end.
    CJPEG_STOPPED = 4,
    CJPEG_NO_MEMORY = 5,
    /// The caller's function could not read.
    CJPEG_UNREADABLE = 6,
    /// There are more scans than the task allows.
    CJPEG_TOO_MANY_SCANS = 7,
    /// The coefficients of its scans take more memory than the task allows.
    CJPEG_TOO_MUCH_MEMORY = 8,
} cjpeg_status;

/// The size of a message with its terminator (JMSG_LENGTH_MAX).
enum { CJPEG_MESSAGE_SIZE = 200 };

/// What `read` returns when it fails.
#define CJPEG_READ_FAILED SIZE_MAX

/// Where the bytes come from, and when to stop. The functions may not jump or throw.
typedef struct {
    void *_Nonnull context;
    /// Copies bytes from `offset` on and returns their number; 0 at the end.
    size_t (*_Nonnull read)(
        void *_Nonnull context, size_t offset, uint8_t *_Nonnull buffer, size_t count);
    /// Called every few rows.
    int (*_Nonnull should_stop)(void *_Nonnull context);
} cjpeg_source;

/// The header.
typedef struct {
    uint32_t width;
    uint32_t height;
    /// 1 gray, 3 color, 4 CMYK.
    int components;
    /// Whether the picture comes in several scans, each of which makes all of it better.
    int has_scans;
    int is_progressive;
    /// The sampling factors of the first component.
    int across;
    int down;
} cjpeg_header;

/// Called with the number (1 or 2) and the body of each APP1 and APP2 segment.
typedef void (*cjpeg_did_find)(
    void *_Nonnull context, int number, const uint8_t *_Nonnull bytes, size_t count);

/// Reads up to the first scan; `words` tells what was wrong, and is empty otherwise.
cjpeg_status cjpeg_read_header(
    const cjpeg_source *_Nonnull source, cjpeg_header *_Nonnull header,
    cjpeg_did_find _Nonnull did_find, char words[_Nonnull CJPEG_MESSAGE_SIZE]);

/// Which rows to fill: `width * 4` bytes each, the size that `scale` eighths give, rounded up.
typedef struct {
    cjpeg_source source;
    int scale;
    uint32_t width;
    uint32_t height;
    uint8_t *_Nullable rgba;
    /// Takes some rows after the others, where `rgba` is null; 0 ends the reading. May not jump or throw.
    int (*_Nullable take_rows)(void *_Nonnull, const uint8_t *_Nonnull rows, size_t byte_count);
    void *_Nullable row_context;
    /// Whether a picture of four inks is left as it is stored, inverted.
    int keeps_cmyk;
    /// Each scan is a pass over the whole picture, and a few bytes make one.
    int most_scans;
    /// All coefficients of a picture in scans are kept, two bytes each.
    size_t most_memory;
} cjpeg_task;

/// The outcome of reading.
typedef struct {
    /// Whether the bytes ended before the picture did.
    int is_truncated;
    /// Rows decoded from data; the rest are filled in.
    uint32_t rows;
    /// The bytes of coefficients that are to be kept; 0 for a picture that comes row by row.
    size_t memory;
    /// The number of warnings, and the first one.
    long warnings;
    char words[CJPEG_MESSAGE_SIZE];
} cjpeg_result;

/// Reads the picture as RGBA8 of alpha 255, or as CMYK.
cjpeg_status cjpeg_decode(const cjpeg_task *_Nonnull task, cjpeg_result *_Nonnull result);

/// Takes encoded bytes.
typedef void (*cjpeg_write)(void *_Nonnull context, const uint8_t *_Nonnull bytes, size_t count);

/// What to write, and how.
typedef struct {
    uint32_t width;
    uint32_t height;
    /// 1 to 100.
    int quality;
    int is_progressive;
    /// Whether colors keep their full resolution (4:4:4) instead of a quarter of it (4:2:0).
    int is_full_color;
    /// Whether all pixels are gray, and one component is written.
    int is_gray;
    void *_Nonnull context;
    cjpeg_write _Nonnull write;
    int (*_Nonnull should_stop)(void *_Nonnull context);
} cjpeg_picture;

/// Writes one picture as JFIF, whose rows come from the top; used by one thread at a time.
///
/// After another status than `CJPEG_DONE` it can only be freed.
typedef struct cjpeg_writer cjpeg_writer;

/// Makes a writer, or NULL when there is no memory.
cjpeg_writer *_Nullable cjpeg_writer_make(const cjpeg_picture *_Nonnull picture);

/// Writes the next rows: RGBA8 without padding, whose alpha is not looked at.
cjpeg_status cjpeg_writer_add(
    cjpeg_writer *_Nonnull writer, const uint8_t *_Nonnull rgba, uint32_t count);

/// Writes what is left; all rows must have come.
cjpeg_status cjpeg_writer_finish(cjpeg_writer *_Nonnull writer);

/// What was wrong.
const char *_Nonnull cjpeg_writer_words(const cjpeg_writer *_Nonnull writer);

void cjpeg_writer_free(cjpeg_writer *_Nonnull writer);

/// The version of libjpeg-turbo that this was compiled with.
const char *_Nonnull cjpeg_library_version(void);

#endif
