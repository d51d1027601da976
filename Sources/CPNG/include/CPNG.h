#ifndef CPNG_H
#define CPNG_H

// libpng's reader, behind functions that return: libpng reports errors by longjmp, which must not
// cross Swift's frames.

#include <stddef.h>
#include <stdint.h>

typedef struct cpng_reader cpng_reader;

/// How a call ended.
typedef enum {
    CPNG_DONE = 0,
    /// The bytes end early.
    CPNG_TRUNCATED = 1,
    /// The bytes break the format; `cpng_message` says how.
    CPNG_MALFORMED = 2,
    /// The caller's function asked for the end.
    CPNG_STOPPED = 3,
} cpng_status;

typedef struct {
    uint32_t width;
    uint32_t height;
    /// Whether pixels can be transparent, by an alpha channel or `tRNS`.
    int has_alpha;
} cpng_header;

/// Makes a reader of bytes that outlive it, or nil when there is no memory.
cpng_reader *_Nullable cpng_open(const void *_Nonnull bytes, size_t count);
void cpng_close(cpng_reader *_Nullable reader);

/// Reads up to the first pixels; called once.
cpng_status cpng_read_header(cpng_reader *_Nonnull reader, cpng_header *_Nonnull header);

/// Reads the pixels as RGBA8 of straight alpha into rows of `width * 4` bytes; called once, after
/// the header. `should_stop` is asked before each row. Returns the number of rows that came (of an
/// interlaced picture: of all passes) in `rows`; what did not come is left as it was.
cpng_status cpng_read_pixels(
    cpng_reader *_Nonnull reader, uint8_t *_Nonnull rgba,
    int (*_Nonnull should_stop)(const void *_Nonnull), const void *_Nonnull context,
    size_t *_Nonnull rows);

/// The last error's words.
const char *_Nonnull cpng_message(const cpng_reader *_Nonnull reader);
/// The first warning's words; empty when there was none.
const char *_Nonnull cpng_warning(const cpng_reader *_Nonnull reader);

/// The version of the libpng that is loaded.
const char *_Nonnull cpng_library_version(void);

#endif
