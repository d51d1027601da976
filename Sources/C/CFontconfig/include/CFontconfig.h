// fontconfig behind a table of function pointers: what draws text in another process cannot open fonts itself.
//
// Nothing here is linked to fontconfig, nor needs its headers: the prototypes are those of fontconfig.h, whose
// interface is stable within libfontconfig.so.1.
#ifndef LAZYIMG_CFONTCONFIG_H
#define LAZYIMG_CFONTCONFIG_H

#include <stdint.h>

/// Loads the library once in a process; returns 0, or -1 where it is missing.
int cfontconfig_load(void);

/// Why `cfontconfig_load` failed, in one sentence.
const char *_Nonnull cfontconfig_load_message(void);

/// The fonts of the system, by numbers; for one thread at a time.
typedef struct cfontconfig_fonts cfontconfig_fonts;

/// Reads the configuration, or returns NULL.
cfontconfig_fonts *_Nullable cfontconfig_open(void);
void cfontconfig_close(cfontconfig_fonts *_Nonnull fonts);

int cfontconfig_count(const cfontconfig_fonts *_Nonnull fonts);

/// A font, as far as choosing among a family needs it.
typedef struct {
    const char *_Nullable path;
    /// Its number in its file.
    int index;
    int weight, slant, width;
} cfontconfig_font;

/// Describes a font; returns -1 for one without outlines, or that is not in the format of TrueType.
int cfontconfig_describe(
    const cfontconfig_fonts *_Nonnull fonts, int number, cfontconfig_font *_Nonnull font);

typedef enum { CFONTCONFIG_FAMILY, CFONTCONFIG_FULL_NAME, CFONTCONFIG_POSTSCRIPT_NAME } cfontconfig_name;

/// One of the names of a font, or NULL behind the last.
const char *_Nullable cfontconfig_name_of(
    const cfontconfig_fonts *_Nonnull fonts, int number, cfontconfig_name kind, int index);

/// Whether a font has a character.
int cfontconfig_has(const cfontconfig_fonts *_Nonnull fonts, int number, uint32_t character);

/// One of the families that the configuration puts in the place of another, or NULL behind the last; valid until
/// the next call with another family.
const char *_Nullable cfontconfig_substitute(
    cfontconfig_fonts *_Nonnull fonts, const char *_Nonnull family, int index);

/// The family that has a character where the wanted one has it not, or NULL.
const char *_Nullable cfontconfig_fallback(cfontconfig_fonts *_Nonnull fonts, uint32_t character);

#endif
