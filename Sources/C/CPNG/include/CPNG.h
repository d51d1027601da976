#ifndef CPNG_H
#define CPNG_H

// libpng's progressive reader, behind a function that returns: libpng reports errors by longjmp,
// which must not cross Swift's frames.

#include <stddef.h>
#include <stdint.h>

/// The status of reading.
typedef enum {
    CPNG_DONE = 0,
    /// The bytes end early.
    CPNG_TRUNCATED = 1,
    /// The bytes break the format.
    CPNG_MALFORMED = 2,
    /// The caller's function requested the end.
    CPNG_STOPPED = 3,
    CPNG_NO_MEMORY = 4,
} cpng_status;

/// The size of a message with its terminator.
enum { CPNG_MESSAGE_SIZE = 128 };

/// A part of the bytes; `bytes` is null where the task reads them.
typedef struct {
    const uint8_t *_Nullable bytes;
    size_t count;
} cpng_piece;

/// What to read, into which rows, and when to stop.
typedef struct {
    /// The file, in parts that follow each other.
    const cpng_piece *_Nonnull pieces;
    size_t piece_count;
    /// Copies bytes of the one piece that is not in memory, and returns their number; fewer only at the end.
    size_t (*_Nullable read)(
        void *_Nonnull, size_t offset, uint8_t *_Nonnull buffer, size_t count);
    void *_Nullable read_context;
    /// Whether checksums are ignored, as in a file composed of another one's chunks.
    int ignores_sums;
    uint32_t width;
    uint32_t height;
    /// Rows of `width` pixels of four bytes, or of four 16-bit numbers in the machine's order.
    uint8_t *_Nullable rgba;
    /// Takes one such row after the other, where `rgba` is null; the picture must not be interlaced. 0 ends the reading.
    int (*_Nullable take_row)(void *_Nonnull, const uint8_t *_Nonnull row, size_t byte_count);
    void *_Nullable row_context;
    /// Whether samples have 16 bits.
    int is_deep;
    /// Called now and then.
    int (*_Nonnull should_stop)(const void *_Nonnull);
    const void *_Nonnull context;
} cpng_task;

/// Inflates a zlib stream of at most `room` bytes; returns their number, or 0 where it is broken or longer.
size_t cpng_inflate(
    const uint8_t *_Nonnull bytes, size_t count, uint8_t *_Nonnull out, size_t room);

/// Reads a PNG of the known size as RGBA of straight alpha.
///
/// `rows` is the number of rows that came (of an interlaced picture: of all passes); what did not
/// come is left as it was. `error` and `warning` (the first one) are empty when there was none.
cpng_status cpng_read(
    const cpng_task *_Nonnull task, size_t *_Nonnull rows, char error[_Nonnull CPNG_MESSAGE_SIZE],
    char warning[_Nonnull CPNG_MESSAGE_SIZE]);

/// The version of the loaded libpng.
const char *_Nonnull cpng_library_version(void);

#endif
