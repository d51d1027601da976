#ifndef CTIFF_LIBRARY_H
#define CTIFF_LIBRARY_H

#include <tiffio.h>

// One line a function.
#define CTIFF_FUNCTIONS(FUNCTION) \
    FUNCTION(TIFFClientOpenExt) \
    FUNCTION(TIFFClose) \
    FUNCTION(TIFFCurrentDirOffset) \
    FUNCTION(TIFFGetField) \
    FUNCTION(TIFFGetFieldDefaulted) \
    FUNCTION(TIFFGetStrileByteCount) \
    FUNCTION(TIFFGetStrileOffset) \
    FUNCTION(TIFFGetVersion) \
    FUNCTION(TIFFIsCODECConfigured) \
    FUNCTION(TIFFIsTiled) \
    FUNCTION(TIFFNumberOfStrips) \
    FUNCTION(TIFFNumberOfTiles) \
    FUNCTION(TIFFOpenOptionsAlloc) \
    FUNCTION(TIFFOpenOptionsFree) \
    FUNCTION(TIFFOpenOptionsSetErrorHandlerExtR) \
    FUNCTION(TIFFOpenOptionsSetMaxSingleMemAlloc) \
    FUNCTION(TIFFOpenOptionsSetWarningHandlerExtR) \
    FUNCTION(TIFFRGBAImageBegin) \
    FUNCTION(TIFFRGBAImageEnd) \
    FUNCTION(TIFFRGBAImageGet) \
    FUNCTION(TIFFReadDirectory) \
    FUNCTION(TIFFReadEncodedStrip) \
    FUNCTION(TIFFReadEncodedTile) \
    FUNCTION(TIFFSetField) \
    FUNCTION(TIFFSetSubDirectory) \
    FUNCTION(TIFFStripSize64) \
    FUNCTION(TIFFTileSize64)

// `__typeof__` makes the compiler check each call against the header's own declaration.
#define CTIFF_FIELD(function) __typeof__(function) *function;
typedef struct {
    CTIFF_FUNCTIONS(CTIFF_FIELD)
} ctiff_table;
#undef CTIFF_FIELD

// Filled once by `ctiff_load`.
extern ctiff_table ctiff;

#endif
