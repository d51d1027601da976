#include "jump.h"
#include <string.h>

static void leave_with_words(j_common_ptr jpeg) {
    cjpeg_errors *errors = (cjpeg_errors *)jpeg->err;
    jpeg->err->format_message(jpeg, errors->words);
    cjpeg_status status = CJPEG_MALFORMED;
    switch (jpeg->err->msg_code) {
    case JERR_OUT_OF_MEMORY: status = CJPEG_NO_MEMORY; break;
    case JERR_SOF_UNSUPPORTED:
    case JERR_BAD_PRECISION:
    case JERR_ARITH_NOTIMPL:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_COMPONENT_COUNT: status = CJPEG_UNSUPPORTED; break;
    default: break;
    }
    cjpeg_leave(jpeg, status);
}

static void keep_message(j_common_ptr jpeg, int level) {
    cjpeg_errors *errors = (cjpeg_errors *)jpeg->err;
    if (level >= 0) return;
    if (jpeg->err->msg_code == JWRN_HIT_MARKER && !errors->is_starved) {
        errors->is_starved = 1;
        if (jpeg->is_decompressor)
            errors->starved_row = ((j_decompress_ptr)jpeg)->output_scanline;
    }
    if (jpeg->err->num_warnings++ == 0) jpeg->err->format_message(jpeg, errors->words);
}

static void stay_silent(j_common_ptr jpeg) { (void)jpeg; }

struct jpeg_error_mgr *cjpeg_errors_begin(cjpeg_errors *errors, char *words) {
    memset(errors, 0, sizeof *errors);
    jpeg_std_error(&errors->base);
    errors->base.error_exit = leave_with_words;
    errors->base.emit_message = keep_message;
    errors->base.output_message = stay_silent;
    errors->words = words;
    words[0] = 0;
    return &errors->base;
}

void cjpeg_leave(j_common_ptr jpeg, cjpeg_status status) {
    cjpeg_errors *errors = (cjpeg_errors *)jpeg->err;
    errors->status = status;
    longjmp(errors->place, 1);
}
