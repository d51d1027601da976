// Names of contents by libmagic, behind a table of function pointers: only what is not read is named.
//
// Nothing here is linked to libmagic, nor needs its headers: the prototypes are those of magic.h, whose interface is
// stable within libmagic.so.1.
#ifndef LAZYIMG_CMAGIC_H
#define LAZYIMG_CMAGIC_H

#include <stddef.h>

/// Loads the library and its database once in a process; returns 0, or -1 where one is missing.
///
/// No file is opened later, so that a process may be locked after it.
int cmagic_load(void);

/// Why `cmagic_load` failed, in one sentence.
const char *_Nonnull cmagic_load_message(void);

/// The version of the loaded library, such as 544 for 5.44.
int cmagic_version(void);

/// What bytes are, as `file` describes them, and their MIME type; both are cut to the sizes of the buffers.
///
/// For one thread at a time, others wait. Returns -1 where the library fails.
int cmagic_describe(
    const void *_Nonnull bytes, size_t count, char *_Nonnull text, size_t text_size, char *_Nonnull type,
    size_t type_size);

#endif
