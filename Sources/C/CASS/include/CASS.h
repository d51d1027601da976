// libass behind a table of function pointers: only text on pictures needs it.
//
// Nothing here is linked to libass, nor needs its headers: the prototypes and the one structure that is
// read are those of ass.h, whose interface is stable within libass.so.9.
#ifndef LAZYIMG_CASS_H
#define LAZYIMG_CASS_H

#include <stddef.h>
#include <stdint.h>

/// Loads the library once in a process; returns 0, or -1 where it is missing.
int cass_load(void);

/// Why `cass_load` failed, in one sentence.
const char *_Nonnull cass_load_message(void);

/// The version of the loaded library: 0x01701000 is 0.17.1, each digit of minor and micro in four bits.
int cass_version(void);

/// A library, a renderer and a script; for one thread at a time.
typedef struct cass_text cass_text;

/// Makes a renderer without a script, or NULL where there is no memory.
///
/// Without fonts of the system it draws with those that are added, and opens no files.
cass_text *_Nullable cass_open(int has_system_fonts);

/// Adds a font; before the first script.
void cass_add_font(
    cass_text *_Nonnull text, const char *_Nonnull name, const void *_Nonnull bytes, size_t size);

void cass_close(cass_text *_Nonnull text);

/// Replaces the script by one of the sections before its lines, as Matroska has them; returns -1 without memory.
int cass_set_header(cass_text *_Nonnull text, const char *_Nonnull header, size_t size);

/// Adds a line to such a script: its number, its layer, and the other fields of ASS.
void cass_add_line(
    cass_text *_Nonnull text, const char *_Nonnull line, size_t size, int64_t start,
    int64_t duration);

/// Draws what is shown at a time over RGBA8 pixels with straight alpha; returns -1 without memory.
int cass_draw(
    cass_text *_Nonnull text, int64_t milliseconds, uint8_t *_Nonnull pixels, int width,
    int height);

/// Writes what is shown at a time into RGBA8 pixels with straight alpha, and nothing elsewhere.
void cass_render(
    cass_text *_Nonnull text, int64_t milliseconds, uint8_t *_Nonnull canvas, int width,
    int height);

/// Draws the pixels that `cass_render` made over others; the result is that of `cass_draw`.
void cass_compose(const uint8_t *_Nonnull canvas, uint8_t *_Nonnull pixels, size_t count);

#endif
