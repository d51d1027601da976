#include <CPNG.h>
#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct cpng_reader {
    png_structp png;
    png_infop info;
    const uint8_t *bytes;
    size_t left;
    int is_truncated;
    int is_stopped;
    char message[128];
    char warning[128];
};

static void keep_message(png_structp png, png_const_charp words) {
    cpng_reader *reader = png_get_error_ptr(png);
    snprintf(reader->message, sizeof reader->message, "%s", words);
    longjmp(png_jmpbuf(png), 1);
}

static void keep_warning(png_structp png, png_const_charp words) {
    cpng_reader *reader = png_get_error_ptr(png);
    if (!reader->warning[0]) snprintf(reader->warning, sizeof reader->warning, "%s", words);
}

static void take_bytes(png_structp png, png_bytep target, size_t count) {
    cpng_reader *reader = png_get_io_ptr(png);
    if (count > reader->left) {
        reader->is_truncated = 1;
        png_error(png, "the data ends early");
    }
    memcpy(target, reader->bytes, count);
    reader->bytes += count;
    reader->left -= count;
}

cpng_reader *cpng_open(const void *bytes, size_t count) {
    cpng_reader *reader = calloc(1, sizeof *reader);
    if (!reader) return NULL;
    reader->bytes = bytes;
    reader->left = count;
    reader->png =
        png_create_read_struct(PNG_LIBPNG_VER_STRING, reader, keep_message, keep_warning);
    if (reader->png) reader->info = png_create_info_struct(reader->png);
    if (reader->info) return reader;
    cpng_close(reader);
    return NULL;
}

void cpng_close(cpng_reader *reader) {
    if (!reader) return;
    png_destroy_read_struct(&reader->png, &reader->info, NULL);
    free(reader);
}

static cpng_status status_after_error(const cpng_reader *reader) {
    if (reader->is_stopped) return CPNG_STOPPED;
    return reader->is_truncated ? CPNG_TRUNCATED : CPNG_MALFORMED;
}

cpng_status cpng_read_header(cpng_reader *reader, cpng_header *header) {
    png_structp png = reader->png;
    if (setjmp(png_jmpbuf(png))) return status_after_error(reader);
    png_set_read_fn(png, reader, take_bytes);
    // Pictures with a wrong check sum are shown, as browsers do, and reported.
    png_set_crc_action(png, PNG_CRC_WARN_USE, PNG_CRC_WARN_DISCARD);
    // What does not change pixels is not read: text and profiles can be bombs of their own. Colour
    // stays as it is coded, so gamma and chromaticities are of no use either.
    static const png_byte unread[] = "bKGD\0cHRM\0eXIf\0gAMA\0hIST\0iCCP\0iTXt\0oFFs\0pCAL\0pHYs\0"
                                     "sBIT\0sCAL\0sPLT\0sRGB\0sTER\0tEXt\0tIME\0zTXt";
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, unread, sizeof unread / 5);
    png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, NULL, 0);
    png_read_info(png, reader->info);
    header->width = png_get_image_width(png, reader->info);
    header->height = png_get_image_height(png, reader->info);
    header->has_alpha = (png_get_color_type(png, reader->info) & PNG_COLOR_MASK_ALPHA) != 0
        || png_get_valid(png, reader->info, PNG_INFO_tRNS) != 0;
    return CPNG_DONE;
}

cpng_status cpng_read_pixels(
    cpng_reader *reader, uint8_t *rgba, int (*should_stop)(const void *), const void *context,
    size_t *rows) {
    png_structp png = reader->png;
    *rows = 0;
    if (setjmp(png_jmpbuf(png))) return status_after_error(reader);
    png_set_expand(png);
    png_set_strip_16(png);
    png_set_gray_to_rgb(png);
    png_set_add_alpha(png, 255, PNG_FILLER_AFTER);
    int passes = png_set_interlace_handling(png);
    png_read_update_info(png, reader->info);
    uint32_t height = png_get_image_height(png, reader->info);
    size_t stride = png_get_rowbytes(png, reader->info);
    for (int pass = 0; pass < passes; pass++) {
        for (uint32_t y = 0; y < height; y++) {
            if (should_stop(context)) {
                reader->is_stopped = 1;
                png_error(png, "stopped");
            }
            // As a display row: a coarse pass fills the places of the finer ones to come.
            png_read_row(png, NULL, rgba + y * stride);
            ++*rows;
        }
    }
    png_read_end(png, NULL);
    return CPNG_DONE;
}

const char *cpng_message(const cpng_reader *reader) { return reader->message; }
const char *cpng_warning(const cpng_reader *reader) { return reader->warning; }

const char *cpng_library_version(void) { return png_get_libpng_ver(NULL); }
