#include "coefficients.h"
#include "jump.h"
#include <string.h>

enum { BAND_ROWS = 16 };

/// A window over the caller's bytes, and all else that one reading needs.
typedef struct {
    struct jpeg_decompress_struct jpeg;
    struct jpeg_source_mgr input;
    struct jpeg_progress_mgr progress;
    cjpeg_errors errors;
    const cjpeg_source *source;
    /// Where the bytes behind the window begin.
    size_t offset;
    int is_at_end;
    /// 0 where scans are not counted.
    int most_scans;
    /// What takes the bodies of segments, and where they are collected; only while a header is read.
    cjpeg_did_find did_find;
    uint8_t *segment;
    uint8_t window[1 << 15];
} reading;

static void begin_input(j_decompress_ptr jpeg) { (void)jpeg; }

static boolean fill_window(j_decompress_ptr jpeg) {
    reading *state = jpeg->client_data;
    size_t count = state->source->read(
        state->source->context, state->offset, state->window, sizeof state->window);
    if (count == CJPEG_READ_FAILED) cjpeg_leave((j_common_ptr)jpeg, CJPEG_UNREADABLE);
    if (count == 0) {
        // The end of the picture in the place of what is missing lets libjpeg give what it has.
        state->is_at_end = 1;
        state->window[0] = 0xFF;
        state->window[1] = JPEG_EOI;
        count = 2;
    } else {
        state->offset += count;
    }
    state->input.next_input_byte = state->window;
    state->input.bytes_in_buffer = count;
    return TRUE;
}

static void skip_input(j_decompress_ptr jpeg, long wanted) {
    reading *state = jpeg->client_data;
    if (wanted <= 0) return;
    size_t count = (size_t)wanted;
    if (count <= state->input.bytes_in_buffer) {
        state->input.next_input_byte += count;
        state->input.bytes_in_buffer -= count;
    } else {
        state->offset += count - state->input.bytes_in_buffer;
        state->input.bytes_in_buffer = 0;
    }
}

static void end_input(j_decompress_ptr jpeg) { (void)jpeg; }

static void look_up(j_common_ptr jpeg) {
    reading *state = jpeg->client_data;
    if (state->source->should_stop(state->source->context)) cjpeg_leave(jpeg, CJPEG_STOPPED);
    if (state->most_scans && state->jpeg.input_scan_number > state->most_scans)
        cjpeg_leave(jpeg, CJPEG_TOO_MANY_SCANS);
}

static void begin(reading *state, const cjpeg_source *source, char *words) {
    state->source = source;
    state->offset = 0;
    state->is_at_end = 0;
    state->most_scans = 0;
    state->input = (struct jpeg_source_mgr){
        NULL, 0, begin_input, fill_window, skip_input, jpeg_resync_to_restart, end_input};
    state->progress = (struct jpeg_progress_mgr){look_up, 0, 0, 0, 0};
    // Cleared so that it can be destroyed even where making it fails.
    memset(&state->jpeg, 0, sizeof state->jpeg);
    state->jpeg.err = cjpeg_errors_begin(&state->errors, words);
}

static unsigned next_byte(j_decompress_ptr jpeg) {
    struct jpeg_source_mgr *input = jpeg->src;
    if (input->bytes_in_buffer == 0) input->fill_input_buffer(jpeg);
    input->bytes_in_buffer--;
    return *input->next_input_byte++;
}

/// Hands on the body of a segment. libjpeg would keep all of them until the end, however many.
static boolean take_segment(j_decompress_ptr jpeg) {
    reading *state = jpeg->client_data;
    unsigned length = next_byte(jpeg) << 8;
    length |= next_byte(jpeg);
    unsigned count = length < 2 ? 0 : length - 2;
    for (unsigned i = 0; i < count; i++) state->segment[i] = (uint8_t)next_byte(jpeg);
    if (!state->is_at_end)
        state->did_find(
            state->source->context, jpeg->unread_marker - JPEG_APP0, state->segment, count);
    return TRUE;
}

/// Creates the decompressor and reads up to the first scan; may jump.
static void open_jpeg(reading *state) {
    jpeg_create_decompress(&state->jpeg);
    state->jpeg.client_data = state;
    state->jpeg.src = &state->input;
    state->jpeg.progress = &state->progress;
}

static cjpeg_status ending(const reading *state) {
    cjpeg_status status = state->errors.status;
    return status == CJPEG_MALFORMED && state->is_at_end ? CJPEG_TRUNCATED : status;
}

cjpeg_status cjpeg_read_header(
    const cjpeg_source *source, cjpeg_header *header, cjpeg_did_find did_find,
    char words[CJPEG_MESSAGE_SIZE]) {
    reading state;
    uint8_t segment[1 << 16];
    begin(&state, source, words);
    state.did_find = did_find;
    state.segment = segment;
    if (setjmp(state.errors.place)) {
        jpeg_destroy_decompress(&state.jpeg);
        return ending(&state);
    }
    open_jpeg(&state);
    jpeg_set_marker_processor(&state.jpeg, JPEG_APP0 + 1, take_segment);
    jpeg_set_marker_processor(&state.jpeg, JPEG_APP0 + 2, take_segment);
    jpeg_read_header(&state.jpeg, TRUE);
    // What goes wrong from here on is a variety that cannot be read.
    jpeg_calc_output_dimensions(&state.jpeg);
    header->width = state.jpeg.image_width;
    header->height = state.jpeg.image_height;
    header->components = state.jpeg.num_components;
    header->has_scans = jpeg_has_multiple_scans(&state.jpeg);
    header->is_progressive = state.jpeg.progressive_mode;
    header->across = state.jpeg.comp_info[0].h_samp_factor;
    header->down = state.jpeg.comp_info[0].v_samp_factor;
    words[0] = 0;
    jpeg_destroy_decompress(&state.jpeg);
    return CJPEG_DONE;
}

/// Converts CMYK to RGB in place; it is stored inverted, also where Adobe's marker is missing.
static void cmyk_to_rgb(uint8_t *row, size_t width) {
    for (size_t x = 0; x < width; x++, row += 4) {
        unsigned key = row[3];
        for (int i = 0; i < 3; i++) {
            unsigned product = row[i] * key + 128;
            row[i] = (uint8_t)((product + (product >> 8)) >> 8);
        }
        row[3] = 255;
    }
}

/// Reads the next rows, at most `BAND_ROWS`, and returns their number.
static uint32_t read_band(reading *state, const cjpeg_task *task, uint8_t *rgba, int is_cmyk) {
    j_decompress_ptr jpeg = &state->jpeg;
    uint32_t left = jpeg->output_height - jpeg->output_scanline;
    uint32_t most = left < BAND_ROWS ? left : BAND_ROWS;
    JSAMPROW rows[BAND_ROWS];
    for (uint32_t i = 0; i < most; i++) rows[i] = rgba + (size_t)i * task->width * 4;
    uint32_t got = 0;
    while (got < most) got += jpeg_read_scanlines(jpeg, rows + got, most - got);
    if (is_cmyk && !task->keeps_cmyk)
        for (uint32_t i = 0; i < got; i++) cmyk_to_rgb(rows[i], task->width);
    return got;
}

static void read_rows(reading *state, const cjpeg_task *task, int is_cmyk) {
    j_decompress_ptr jpeg = &state->jpeg;
    const size_t stride = (size_t)task->width * 4;
    uint8_t *band = NULL;
    if (!task->rgba)
        band = jpeg->mem->alloc_large((j_common_ptr)jpeg, JPOOL_IMAGE, BAND_ROWS * stride);
    while (jpeg->output_scanline < jpeg->output_height) {
        uint8_t *rows = band ? band : task->rgba + jpeg->output_scanline * stride;
        uint32_t got = read_band(state, task, rows, is_cmyk);
        if (band && !task->take_rows(task->row_context, band, got * stride))
            cjpeg_leave((j_common_ptr)jpeg, CJPEG_STOPPED);
    }
}

static void choose_output(reading *state, const cjpeg_task *task, int is_cmyk) {
    j_decompress_ptr jpeg = &state->jpeg;
    jpeg->out_color_space = is_cmyk ? JCS_CMYK : JCS_EXT_RGBA;
    jpeg->scale_num = (unsigned)task->scale;
    jpeg->scale_denom = 8;
    jpeg_calc_output_dimensions(jpeg);
    if (jpeg->output_width == task->width && jpeg->output_height == task->height) return;
    snprintf(state->errors.words, CJPEG_MESSAGE_SIZE, "it has another size than its header");
    cjpeg_leave((j_common_ptr)jpeg, CJPEG_MALFORMED);
}

/// Coefficients of so many bytes and more are packed: what fits into the caches is faster as it is.
enum { LEAST_PACKED = 64 << 20 };

/// What libjpeg keeps of a picture in scans until the last of them has come.
static size_t coefficient_bytes(const struct jpeg_decompress_struct *jpeg) {
    size_t bytes = 0;
    for (int i = 0; i < jpeg->num_components; i++) {
        const jpeg_component_info *part = &jpeg->comp_info[i];
        // Arrays are made of whole units of the interleaved picture.
        size_t across = part->width_in_blocks + (size_t)part->h_samp_factor - 1;
        size_t down = part->height_in_blocks + (size_t)part->v_samp_factor - 1;
        bytes += across * down * sizeof(JBLOCK);
    }
    return bytes;
}

cjpeg_status cjpeg_decode(const cjpeg_task *task, cjpeg_result *result) {
    reading state;
    begin(&state, &task->source, result->words);
    result->rows = 0;
    result->memory = 0;
    state.most_scans = task->most_scans;
    volatile cjpeg_status status = CJPEG_DONE;
    if (setjmp(state.errors.place)) {
        status = ending(&state);
    } else {
        open_jpeg(&state);
        jpeg_read_header(&state.jpeg, TRUE);
        int is_cmyk = state.jpeg.num_components == 4;
        int has_scans = jpeg_has_multiple_scans(&state.jpeg);
        if (has_scans) result->memory = coefficient_bytes(&state.jpeg);
        if (result->memory > task->most_memory)
            cjpeg_leave((j_common_ptr)&state.jpeg, CJPEG_TOO_MUCH_MEMORY);
        if (result->memory >= LEAST_PACKED) cjpeg_pack_coefficients((j_common_ptr)&state.jpeg);
        choose_output(&state, task, is_cmyk);
        jpeg_start_decompress(&state.jpeg);
        read_rows(&state, task, is_cmyk);
        jpeg_finish_decompress(&state.jpeg);
        int is_cut = state.errors.is_starved && state.is_at_end && !has_scans;
        result->rows = is_cut ? state.errors.starved_row : task->height;
    }
    result->is_truncated = state.is_at_end;
    result->warnings = state.errors.base.num_warnings;
    cjpeg_free_coefficients((j_common_ptr)&state.jpeg);
    jpeg_destroy_decompress(&state.jpeg);
    return status;
}

#define WORD(x) #x
#define WORDS(x) WORD(x)
const char *cjpeg_library_version(void) { return WORDS(LIBJPEG_TURBO_VERSION); }
