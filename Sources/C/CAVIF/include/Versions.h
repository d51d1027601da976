// All that differs between the versions of libavif that lazyimg is built with, from 0.11 on.
#ifndef LAZYIMG_CAVIF_VERSIONS_H
#define LAZYIMG_CAVIF_VERSIONS_H

#include <avif/avif.h>

#define CAVIF_HAS(major, minor) \
    (AVIF_VERSION_MAJOR > (major) || (AVIF_VERSION_MAJOR == (major) && AVIF_VERSION_MINOR >= (minor)))

// Before version 1 the structures of each minor version differ, and so do their numbers.
#if CAVIF_HAS(1, 0)
#define CAVIF_SONAME "16"
#else
#define CAVIF_SONAME "15"
#endif

// Version 1.3 takes odd places in pictures with subsampled chroma, too.
#if CAVIF_HAS(1, 3)
#define CAVIF_CROP avifCropRectFromCleanApertureBox
#define CAVIF_CROP_FORMAT(format)
#else
#define CAVIF_CROP avifCropRectConvertCleanApertureBox
#define CAVIF_CROP_FORMAT(format) , format
#endif
#define CAVIF_CROP_FUNCTION(FUNCTION) FUNCTION(CAVIF_CROP)

/// Whether a mirror exchanges top and bottom, not left and right.
static inline int cavif_mirrors_vertically(avifImageMirror mirror) {
#if CAVIF_HAS(1, 0)
    return mirror.axis == 0;
#else
    return mirror.mode == 0;
#endif
}

/// Sets the light of the content in cd/m², which files have from version 1 on.
static inline void cavif_set_light(avifImage *image, unsigned most, unsigned average) {
#if CAVIF_HAS(1, 0)
    image->clli.maxCLL = (uint16_t)most;
    image->clli.maxPALL = (uint16_t)average;
#else
    (void)image, (void)most, (void)average;
#endif
}

#undef CAVIF_HAS
#endif
