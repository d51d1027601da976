#include <CPNG.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>
#include <zlib.h>

/// How many bytes libpng gets at a time.
enum { WINDOW_BYTES = 1 << 16 };

typedef struct {
    const cpng_task *task;
    png_infop info;
    size_t *rows;
    char *error;
    char *warning;
    int is_done;
    /// Whether no more rows were wanted.
    int is_stopped;
    uint8_t window[WINDOW_BYTES];
} reading;

static void keep_error(png_structp png, png_const_charp words) {
    reading *state = png_get_error_ptr(png);
    snprintf(state->error, CPNG_MESSAGE_SIZE, "%s", words);
    longjmp(png_jmpbuf(png), 1);
}

static void keep_warning(png_structp png, png_const_charp words) {
    reading *state = png_get_error_ptr(png);
    if (!state->warning[0]) snprintf(state->warning, CPNG_MESSAGE_SIZE, "%s", words);
}

static void did_read_header(png_structp png, png_infop info) {
    reading *state = png_get_progressive_ptr(png);
    if (png_get_image_width(png, info) != state->task->width
        || png_get_image_height(png, info) != state->task->height)
        png_error(png, "it has another size than its header");
    if (!state->task->rgba && png_get_interlace_type(png, info) != PNG_INTERLACE_NONE)
        png_error(png, "it is interlaced, and its header says that it is not");
    png_set_expand(png);
    if (!state->task->is_deep) png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, state->task->is_deep ? 65535 : 255, PNG_FILLER_AFTER);
    // Samples of 16 bits are big-endian in a file.
    if (state->task->is_deep) png_set_swap(png);
    png_set_interlace_handling(png);
    png_read_update_info(png, info);
}

static void did_read_row(png_structp png, png_bytep row, png_uint_32 y, int pass) {
    (void)pass;
    reading *state = png_get_progressive_ptr(png);
    if (!row) return;
    ++*state->rows;
    if (!state->task->rgba) {
        state->is_stopped = !state->task->take_row(
            state->task->row_context, row, png_get_rowbytes(png, state->info));
        if (state->is_stopped) png_error(png, "no more rows are wanted");
        return;
    }
    // A coarse pass of an interlaced picture fills the places of the finer ones to come.
    png_progressive_combine_row(
        png, state->task->rgba + (size_t)y * state->task->width * (state->task->is_deep ? 8 : 4),
        row);
}

static void did_read_end(png_structp png, png_infop info) {
    reading *state = png_get_progressive_ptr(png);
    if (png_get_interlace_type(png, info) == PNG_INTERLACE_NONE
        && *state->rows < state->task->height)
        png_error(png, "rows are missing");
    state->is_done = 1;
}

static void prepare(png_structp png, const cpng_task *task) {
    // Some encoders write too small a window into the header of the data; browsers show such pictures.
    png_set_option(png, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
    // The caller has checked the size; libpng's own limit is a million columns or rows.
    png_set_user_limits(png, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    // Pictures with a wrong checksum are shown, as browsers do, and reported.
    if (task->ignores_sums)
        png_set_crc_action(png, PNG_CRC_QUIET_USE, PNG_CRC_QUIET_USE);
    else
        png_set_crc_action(png, PNG_CRC_WARN_USE, PNG_CRC_WARN_DISCARD);
    // What does not change pixels is not read: text and profiles can be bombs of their own. Color
    // stays as it is coded, so gamma and chromaticities are of no use either.
    static const png_byte unread[] = "bKGD\0cHRM\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0"
                                     "sBIT\0sCAL\0sPLT\0sRGB\0sTER\0tEXt\0tIME\0zTXt";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, unread, sizeof unread / 5);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
}

static size_t length_of(const uint8_t *chunk) {
    return (size_t)chunk[0] << 24 | chunk[1] << 16 | chunk[2] << 8 | chunk[3];
}

// The size of a large chunk that is not read, or 0. libpng keeps a chunk until it is whole, and copies what it keeps
// with every piece: one of 64 MB takes half a minute.
static size_t unread_size(const uint8_t *chunk, size_t most) {
    size_t length = length_of(chunk);
    int is_ancillary = chunk[4] & 0x20;
    return is_ancillary && memcmp(chunk + 4, "tRNS", 4) && length > most ? length + 12 : 0;
}

// How many bytes of a window at an offset libpng gets. None where a large chunk begins there that is not read; then
// `*chunk`, where the next one begins, is behind it.
static size_t next_count(const uint8_t *window, size_t count, size_t at, size_t *chunk) {
    while (*chunk < at + count) {
        size_t place = *chunk - at;
        // The next window begins with the head of the chunk.
        if (count - place < 8) return place ? place : count;
        const uint8_t *head = window + place;
        size_t unread = unread_size(head, WINDOW_BYTES);
        if (unread && place) return place;
        *chunk += unread ? unread : 12 + length_of(head);
        if (unread) return 0;
    }
    return count;
}

// Lends bytes of a piece from an offset on, and returns their number; 0 at the end.
static size_t look(reading *state, const cpng_piece *piece, size_t at, const uint8_t **window) {
    const cpng_task *task = state->task;
    if (at >= piece->count) return 0;
    size_t left = piece->count - at;
    size_t count = left < WINDOW_BYTES ? left : WINDOW_BYTES;
    *window = piece->bytes ? piece->bytes + at : state->window;
    return piece->bytes ? count : task->read(task->read_context, at, state->window, count);
}

static cpng_status feed(png_structp png, png_infop info, reading *state) {
    const cpng_task *task = state->task;
    if (setjmp(png_jmpbuf(png))) return state->is_stopped ? CPNG_STOPPED : CPNG_MALFORMED;
    prepare(png, task);
    png_set_progressive_read_fn(png, state, did_read_header, did_read_row, did_read_end);
    for (size_t i = 0; i < task->piece_count; i++) {
        const cpng_piece *piece = &task->pieces[i];
        // Where the next chunk begins: of a file behind its signature; pieces of a frame have no others.
        size_t chunk = task->piece_count == 1 ? 8 : piece->count;
        const uint8_t *window;
        for (size_t at = 0, got; !state->is_done && (got = look(state, piece, at, &window));) {
            if (task->should_stop(task->context)) return CPNG_STOPPED;
            size_t count = next_count(window, got, at, &chunk);
            if (count) png_process_data(png, info, (png_bytep)window, count);
            at = count ? at + count : chunk;
        }
    }
    return state->is_done ? CPNG_DONE : CPNG_TRUNCATED;
}

cpng_status cpng_read(
    const cpng_task *task, size_t *rows, char error[CPNG_MESSAGE_SIZE], char warning[CPNG_MESSAGE_SIZE]) {
    reading state;
    state.task = task;
    state.rows = rows;
    state.error = error;
    state.warning = warning;
    state.is_done = state.is_stopped = 0;
    *rows = 0;
    error[0] = warning[0] = 0;
    png_structp png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, &state, keep_error, keep_warning);
    png_infop info = png ? png_create_info_struct(png) : NULL;
    state.info = info;
    cpng_status status = info ? feed(png, info, &state) : CPNG_NO_MEMORY;
    png_destroy_read_struct(&png, &info, NULL);
    return status;
}

size_t cpng_inflate(const uint8_t *bytes, size_t count, uint8_t *out, size_t room) {
    z_stream stream = {.next_in = (Bytef *)bytes, .next_out = out};
    if (count > UINT32_MAX || room > UINT32_MAX || inflateInit(&stream) != Z_OK) return 0;
    stream.avail_in = (uInt)count;
    stream.avail_out = (uInt)room;
    int status = inflate(&stream, Z_FINISH);
    size_t length = room - stream.avail_out;
    inflateEnd(&stream);
    return status == Z_STREAM_END ? length : 0;
}

const char *cpng_library_version(void) { return png_get_libpng_ver(NULL); }
