#include "jump.h"
#include <string.h>

/// One picture being written.
typedef struct {
    struct jpeg_compress_struct jpeg;
    struct jpeg_destination_mgr output;
    struct jpeg_progress_mgr progress;
    cjpeg_errors errors;
    const cjpeg_picture *picture;
    uint8_t buffer[1 << 15];
} writing;

static void begin_output(j_compress_ptr jpeg) {
    writing *state = jpeg->client_data;
    state->output.next_output_byte = state->buffer;
    state->output.free_in_buffer = sizeof state->buffer;
}

static boolean empty_buffer(j_compress_ptr jpeg) {
    writing *state = jpeg->client_data;
    // The whole buffer counts, whatever `free_in_buffer` says.
    state->picture->write(state->picture->context, state->buffer, sizeof state->buffer);
    begin_output(jpeg);
    return TRUE;
}

static void end_output(j_compress_ptr jpeg) {
    writing *state = jpeg->client_data;
    size_t count = sizeof state->buffer - state->output.free_in_buffer;
    if (count) state->picture->write(state->picture->context, state->buffer, count);
}

static void look_up(j_common_ptr jpeg) {
    writing *state = jpeg->client_data;
    if (state->picture->should_stop(state->picture->context)) cjpeg_leave(jpeg, CJPEG_STOPPED);
}

static void set_up(writing *state) {
    const cjpeg_picture *picture = state->picture;
    j_compress_ptr jpeg = &state->jpeg;
    jpeg_create_compress(jpeg);
    jpeg->client_data = state;
    jpeg->dest = &state->output;
    jpeg->progress = &state->progress;
    jpeg->image_width = picture->width;
    jpeg->image_height = picture->height;
    jpeg->input_components = 4;
    jpeg->in_color_space = JCS_EXT_RGBX;
    jpeg_set_defaults(jpeg);
    jpeg_set_quality(jpeg, picture->quality, TRUE);
    if (picture->is_full_color)
        jpeg->comp_info[0].h_samp_factor = jpeg->comp_info[0].v_samp_factor = 1;
    if (picture->is_progressive) jpeg_simple_progression(jpeg);
}

static void write_rows(writing *state) {
    const cjpeg_picture *picture = state->picture;
    JSAMPROW rows[16];
    while (state->jpeg.next_scanline < picture->height) {
        uint32_t first = state->jpeg.next_scanline;
        uint32_t count = picture->height - first < 16 ? picture->height - first : 16;
        for (uint32_t i = 0; i < count; i++)
            rows[i] = (JSAMPROW)picture->rgba + (size_t)(first + i) * picture->width * 4;
        jpeg_write_scanlines(&state->jpeg, rows, count);
    }
}

cjpeg_status cjpeg_encode(const cjpeg_picture *picture, char words[CJPEG_MESSAGE_SIZE]) {
    writing state;
    state.picture = picture;
    state.output = (struct jpeg_destination_mgr){NULL, 0, begin_output, empty_buffer, end_output};
    state.progress = (struct jpeg_progress_mgr){look_up, 0, 0, 0, 0};
    memset(&state.jpeg, 0, sizeof state.jpeg);
    state.jpeg.err = cjpeg_errors_begin(&state.errors, words);
    cjpeg_status status = CJPEG_DONE;
    if (setjmp(state.errors.place)) {
        status = state.errors.status;
    } else {
        set_up(&state);
        jpeg_start_compress(&state.jpeg, TRUE);
        write_rows(&state);
        jpeg_finish_compress(&state.jpeg);
    }
    jpeg_destroy_compress(&state.jpeg);
    return status;
}
