// Little CMS behind a table of function pointers: only pictures with lookup tables in their profile
// need it.
//
// Nothing here is linked to liblcms2. The header gives the types; `clcms_load` opens the library and
// fills the table once. Every other function below needs it full.
#ifndef LAZYIMG_CLCMS_H
#define LAZYIMG_CLCMS_H

#include <lcms2.h>
#include <stddef.h>
#include <stdint.h>

// One line a function.
#define CLCMS_FUNCTIONS(FUNCTION) \
    FUNCTION(cmsCloseProfile) \
    FUNCTION(cmsCreateTransform) \
    FUNCTION(cmsCreate_sRGBProfile) \
    FUNCTION(cmsDeleteTransform) \
    FUNCTION(cmsDoTransform) \
    FUNCTION(cmsGetColorSpace) \
    FUNCTION(cmsGetEncodedCMMversion) \
    FUNCTION(cmsOpenProfileFromMem) \
    FUNCTION(cmsSetProfileVersion)

// `__typeof__` makes the compiler check each call against the header's own declaration.
#define CLCMS_FIELD(function) __typeof__(function) *_Nonnull function;
typedef struct CLCMSTable {
    CLCMS_FUNCTIONS(CLCMS_FIELD)
} CLCMSTable;
#undef CLCMS_FIELD

/// The table; only valid once `clcms_load` has returned 0.
const CLCMSTable *_Nonnull clcms_table(void);

/// Loads the library once in a process; returns 0, or -1 where it is missing.
int clcms_load(void);

/// Why `clcms_load` failed, in one sentence.
const char *_Nonnull clcms_load_message(void);

/// The layout of samples.
typedef enum {
    /// Four bytes a pixel: red, green, blue and alpha, or inverted CMYK; gray is in red.
    CLCMS_RGBA8 = 0,
    /// Four 16-bit numbers a pixel, in the machine's order.
    CLCMS_RGBA16 = 1,
} clcms_layout;

/// Makes a transform from a profile to sRGB, or NULL where the profile is broken or of another kind.
cmsHTRANSFORM _Nullable clcms_open(
    const void *_Nullable profile, size_t size, clcms_layout layout);

/// Converts pixels of 8 bits; alpha is copied, or 255 throughout.
void clcms_convert(
    cmsHTRANSFORM _Nonnull transform, const uint32_t *_Nonnull source,
    uint32_t *_Nonnull target, size_t count, int keeps_alpha);

/// Converts pixels of 16 bits to 8; alpha is copied.
void clcms_convert16(
    cmsHTRANSFORM _Nonnull transform, const uint16_t *_Nonnull source,
    uint32_t *_Nonnull target, size_t count);

#endif
