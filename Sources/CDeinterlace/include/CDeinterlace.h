#ifndef CDEINTERLACE_H
#define CDEINTERLACE_H

// Deinterlacing of one plane in the manner of FFmpeg's bwdif: the lines of the first field stay, those
// of the second are interpolated from three pictures. Whole numbers only: equal on every processor.

#include <stddef.h>
#include <stdint.h>

/// A plane of samples in three consecutive pictures, all with the same rows.
typedef struct {
    /// The first rows; `previous` and `next` are NULL where either is unknown.
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
