#ifndef CKERNELS_DEINTERLACE_H
#define CKERNELS_DEINTERLACE_H

// Deinterlacing of one plane in the manner of FFmpeg's bwdif: the lines of the first field stay, those
// of the second are interpolated from three pictures. Whole numbers only: equal on every processor.
//
// Why not libavfilter's: it has no way to interpolate a picture without neighbors, which a keyframe, a quick frame
// and a file of one picture need; it leaves their combs. All other pixels are those of FFmpeg 7.1. An isolated
// decoder can open nothing when it finds fields, so libavfilter would be loaded for every film: 3 ms of CPU
// time and 4 MB beside 4 ms and 5 MB, or 13 ms and 12 MB in programs that load all of what FFmpeg depends on.
// A picture of 1080 lines would take 4.7 instead of 3.8 ms, one of 10 bits 6.4 instead of 4.8.

#include <stddef.h>
#include <stdint.h>

/// A plane of samples in three consecutive pictures, all with the same rows.
typedef struct {
    /// The first rows. Without `next` all is interpolated from the current picture; without `previous`, as in the
    /// first picture of a film, all but the rows at the top and the bottom.
    const void *_Nullable previous;
    const void *_Nonnull current;
    const void *_Nullable next;
    /// The bytes from row to row of each.
    ptrdiff_t previous_stride, current_stride, next_stride;
    int width, height;
    /// Bits of a sample, 8 to 16; more than 8 are 16-bit numbers.
    int bits;
    /// Whether the upper lines are the first field.
    int keeps_top;
} cdeinterlace_plane;

/// Writes the deinterlaced plane, its rows `stride` bytes apart.
void cdeinterlace(const cdeinterlace_plane *_Nonnull plane, void *_Nonnull target, ptrdiff_t stride);

#endif
