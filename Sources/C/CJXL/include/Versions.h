// All that differs between the versions of libjxl that lazyimg is built with, from 0.7 on.
#ifndef LAZYIMG_CJXL_VERSIONS_H
#define LAZYIMG_CJXL_VERSIONS_H

#include <jxl/decode.h>
#include <jxl/version.h>

#define CJXL_TEXT(number) CJXL_TEXT_OF(number)
#define CJXL_TEXT_OF(number) #number
// Before version 1 the name has the minor version, each of which has structures of its own.
#define CJXL_VERSION CJXL_TEXT(JPEGXL_MAJOR_VERSION) "." CJXL_TEXT(JPEGXL_MINOR_VERSION)

// The arguments of functions for profiles; one without use went away with version 0.9.
#if JPEGXL_NUMERIC_VERSION >= JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define CJXL_DECODER(decoder) decoder
#else
#define CJXL_DECODER(decoder) decoder, NULL
#endif

#endif
