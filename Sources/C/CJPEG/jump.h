#ifndef CJPEG_JUMP_H
#define CJPEG_JUMP_H

#include <CJPEG.h>
#include <setjmp.h>
#include <stdio.h>
#include <jpeglib.h>
#include <jerror.h>

/// libjpeg's errors as a status and the place to jump to; the first member of what `err` points at.
typedef struct {
    struct jpeg_error_mgr base;
    jmp_buf place;
    cjpeg_status status;
    char *words;
    /// The row that was due when data ran out, and whether it did.
    int is_starved;
    uint32_t starved_row;
    /// The arrays of coefficients that are packed.
    jvirt_barray_ptr arrays;
} cjpeg_errors;

/// Makes `errors` the error manager of a decompressor or compressor.
struct jpeg_error_mgr *cjpeg_errors_begin(cjpeg_errors *errors, char *words);

/// Ends the work from inside a callback.
_Noreturn void cjpeg_leave(j_common_ptr jpeg, cjpeg_status status);

#endif
