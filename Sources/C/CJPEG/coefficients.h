#ifndef CJPEG_COEFFICIENTS_H
#define CJPEG_COEFFICIENTS_H

#include <stdio.h>
#include <jpeglib.h>

/// Makes a picture in scans keep its coefficients packed; call it as soon as `jpeg` is created.
void cjpeg_pack_coefficients(j_common_ptr jpeg);

/// Frees what was packed; call it before `jpeg` is destroyed.
void cjpeg_free_coefficients(j_common_ptr jpeg);

#endif
