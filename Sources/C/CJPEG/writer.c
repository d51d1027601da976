#include "coefficients.h"
#include "jump.h"
#include <stdlib.h>
#include <string.h>

/// One picture being written.
struct cjpeg_writer {
    struct jpeg_compress_struct jpeg;
    struct jpeg_destination_mgr output;
    struct jpeg_progress_mgr progress;
    cjpeg_errors errors;
    cjpeg_picture picture;
    int has_begun;
    char words[CJPEG_MESSAGE_SIZE];
    uint8_t buffer[1 << 15];
};

static void begin_output(j_compress_ptr jpeg) {
    cjpeg_writer *state = jpeg->client_data;
    state->output.next_output_byte = state->buffer;
    state->output.free_in_buffer = sizeof state->buffer;
}

static boolean empty_buffer(j_compress_ptr jpeg) {
    cjpeg_writer *state = jpeg->client_data;
    // The whole buffer counts, whatever `free_in_buffer` says.
    state->picture.write(state->picture.context, state->buffer, sizeof state->buffer);
    begin_output(jpeg);
    return TRUE;
}

static void end_output(j_compress_ptr jpeg) {
    cjpeg_writer *state = jpeg->client_data;
    size_t count = sizeof state->buffer - state->output.free_in_buffer;
    if (count) state->picture.write(state->picture.context, state->buffer, count);
}

static void look_up(j_common_ptr jpeg) {
    cjpeg_writer *state = jpeg->client_data;
    if (state->picture.should_stop(state->picture.context)) cjpeg_leave(jpeg, CJPEG_STOPPED);
}

/// May jump.
static void begin(cjpeg_writer *state) {
    const cjpeg_picture *picture = &state->picture;
    j_compress_ptr jpeg = &state->jpeg;
    state->has_begun = 1;
    jpeg_create_compress(jpeg);
    jpeg->client_data = state;
    jpeg->dest = &state->output;
    jpeg->progress = &state->progress;
    jpeg->image_width = picture->width;
    jpeg->image_height = picture->height;
    jpeg->input_components = 4;
    jpeg->in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(jpeg);
    if (picture->is_gray) jpeg_set_colorspace(jpeg, JCS_GRAYSCALE);
    jpeg_set_quality(jpeg, picture->quality, TRUE);
    if (picture->is_full_color)
        jpeg->comp_info[0].h_samp_factor = jpeg->comp_info[0].v_samp_factor = 1;
    if (picture->is_progressive) jpeg_simple_progression(jpeg);
    cjpeg_pack_coefficients((j_common_ptr)jpeg);
    jpeg_start_compress(jpeg, TRUE);
}

cjpeg_writer *cjpeg_writer_make(const cjpeg_picture *picture) {
    cjpeg_writer *state = calloc(1, sizeof *state);
    if (!state) return NULL;
    state->picture = *picture;
    state->output = (struct jpeg_destination_mgr){NULL, 0, begin_output, empty_buffer, end_output};
    state->progress = (struct jpeg_progress_mgr){look_up, 0, 0, 0, 0};
    state->jpeg.err = cjpeg_errors_begin(&state->errors, state->words);
    return state;
}

cjpeg_status cjpeg_writer_add(cjpeg_writer *state, const uint8_t *rgba, uint32_t count) {
    if (setjmp(state->errors.place)) return state->errors.status;
    if (!state->has_begun) begin(state);
    const size_t stride = (size_t)state->picture.width * 4;
    JSAMPROW rows[16];
    for (uint32_t first = 0; first < count; first += 16) {
        uint32_t most = count - first < 16 ? count - first : 16;
        for (uint32_t i = 0; i < most; i++) rows[i] = (JSAMPROW)rgba + (first + i) * stride;
        jpeg_write_scanlines(&state->jpeg, rows, most);
    }
    return CJPEG_DONE;
}

cjpeg_status cjpeg_writer_finish(cjpeg_writer *state) {
    if (setjmp(state->errors.place)) return state->errors.status;
    jpeg_finish_compress(&state->jpeg);
    return CJPEG_DONE;
}

const char *cjpeg_writer_words(const cjpeg_writer *state) { return state->words; }

void cjpeg_writer_free(cjpeg_writer *state) {
    cjpeg_free_coefficients((j_common_ptr)&state->jpeg);
    jpeg_destroy_compress(&state->jpeg);
    free(state);
}
