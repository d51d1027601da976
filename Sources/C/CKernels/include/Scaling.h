#ifndef CKERNELS_SCALING_H
#define CKERNELS_SCALING_H

#include <stddef.h>
#include <stdint.h>

/// Where the pixels of the input begin that one of the output is made of, and their weights.
typedef struct {
    int32_t position;
    int32_t tap;
} cscaling_start;

/// Scales a row of RGBA8 in its width into `count` sums of four floats, with colors multiplied by alpha.
///
/// `starts` has `count` + 1 elements: the last one says where the weights end. The taps of a pixel are added in order,
/// so that all machines give the same sums. `is_opaque` promises alpha 255.
void cscaling_scale_row(
    const uint8_t *_Nonnull row, const cscaling_start *_Nonnull starts,
    const float *_Nonnull weights, size_t count, int is_opaque, float *_Nonnull line);

#endif
