#include "CASS.h"

#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "CLibrary.h"

typedef struct ass_library ASS_Library;
typedef struct ass_renderer ASS_Renderer;
typedef struct ass_track ASS_Track;

typedef struct ass_image {
    int w, h;
    int stride;
    unsigned char *bitmap;
    // Red, green, blue and transparency.
    uint32_t color;
    int dst_x, dst_y;
    struct ass_image *next;
    int type;
} ASS_Image;

typedef struct {
    int (*ass_library_version)(void);
    ASS_Library *(*ass_library_init)(void);
    void (*ass_library_done)(ASS_Library *);
    void (*ass_add_font)(ASS_Library *, const char *, const char *, int);
    void (*ass_set_message_cb)(
        ASS_Library *, void (*)(int, const char *, va_list, void *), void *);
    ASS_Renderer *(*ass_renderer_init)(ASS_Library *);
    void (*ass_renderer_done)(ASS_Renderer *);
    void (*ass_set_frame_size)(ASS_Renderer *, int, int);
    void (*ass_set_storage_size)(ASS_Renderer *, int, int);
    void (*ass_set_cache_limits)(ASS_Renderer *, int, int);
    void (*ass_set_fonts)(ASS_Renderer *, const char *, const char *, int, const char *, int);
    ASS_Track *(*ass_new_track)(ASS_Library *);
    void (*ass_process_codec_private)(ASS_Track *, const char *, int);
    void (*ass_process_chunk)(ASS_Track *, const char *, int, long long, long long);
    void (*ass_set_check_readorder)(ASS_Track *, int);
    void (*ass_free_track)(ASS_Track *);
    ASS_Image *(*ass_render_frame)(ASS_Renderer *, ASS_Track *, long long, int *);
} Table;

// Written once by `cass_load`; all callers have gone through it.
static Table ass;

static int fill(char *message, size_t size) {
    static const char name[] = "libass.so.9";
    Table *table = &ass;
    void *library =
        clibrary_open(name, "Text on pictures needs the library", "libass9", "", message, size);
    if (!library) return -1;
#define FIND(function) CLIBRARY_FIND(function, "libass")
    FIND(ass_library_version)
    FIND(ass_library_init)
    FIND(ass_library_done)
    FIND(ass_add_font)
    FIND(ass_set_message_cb)
    FIND(ass_renderer_init)
    FIND(ass_renderer_done)
    FIND(ass_set_frame_size)
    FIND(ass_set_storage_size)
    FIND(ass_set_cache_limits)
    FIND(ass_set_fonts)
    FIND(ass_new_track)
    FIND(ass_process_codec_private)
    FIND(ass_process_chunk)
    FIND(ass_set_check_readorder)
    FIND(ass_free_track)
    FIND(ass_render_frame)
    return 0;
}

CLIBRARY_LOAD(cass, fill)

int cass_version(void) { return ass.ass_library_version(); }

struct cass_text {
    ASS_Library *library;
    ASS_Renderer *renderer;
    ASS_Track *track;
    int width, height;
    // Whether fonts were looked for, which is after the last one is added.
    int has_fonts;
    int has_system_fonts;
};

static void silent(int level, const char *format, va_list arguments, void *data) {
    (void)level, (void)format, (void)arguments, (void)data;
}

cass_text *cass_open(int has_system_fonts) {
    cass_text *text = calloc(1, sizeof *text);
    if (!text) return NULL;
    text->has_system_fonts = has_system_fonts;
    text->library = ass.ass_library_init();
    if (text->library) {
        ass.ass_set_message_cb(text->library, silent, NULL);
        text->renderer = ass.ass_renderer_init(text->library);
    }
    if (!text->renderer) {
        cass_close(text);
        return NULL;
    }
    // 2 000 glyphs and 16 MB of bitmaps.
    ass.ass_set_cache_limits(text->renderer, 2000, 16);
    return text;
}

void cass_close(cass_text *text) {
    if (text->track) ass.ass_free_track(text->track);
    if (text->renderer) ass.ass_renderer_done(text->renderer);
    if (text->library) ass.ass_library_done(text->library);
    free(text);
}

void cass_add_font(cass_text *text, const char *name, const void *bytes, size_t size) {
    if (size <= INT32_MAX) ass.ass_add_font(text->library, name, bytes, (int)size);
}

static void replace(cass_text *text, ASS_Track *track) {
    if (text->track) ass.ass_free_track(text->track);
    text->track = track;
    if (text->has_fonts) return;
    text->has_fonts = 1;
    // Fonts of the system are found by fontconfig (1), or there are none but those added (0).
    ass.ass_set_fonts(text->renderer, NULL, "sans-serif", text->has_system_fonts, NULL, 1);
}

int cass_set_header(cass_text *text, const char *header, size_t size) {
    if (size > INT32_MAX) return -1;
    ASS_Track *track = ass.ass_new_track(text->library);
    if (!track) return -1;
    // Numbers may come again, as in files that were joined.
    ass.ass_set_check_readorder(track, 0);
    ass.ass_process_codec_private(track, header, (int)size);
    replace(text, track);
    return 0;
}

void cass_add_line(
    cass_text *text, const char *line, size_t size, int64_t start, int64_t duration) {
    if (text->track && size <= INT32_MAX)
        ass.ass_process_chunk(text->track, line, (int)size, start, duration);
}

// Draws one color through a mask: straight alpha over straight alpha. The pixels begin at a place of the picture.
static void blend(
    const ASS_Image *image, uint8_t *pixels, int left, int top_row, int width, int height) {
    uint32_t opacity = 255 - (image->color & 0xFF);
    uint32_t color[3] = {
        image->color >> 24, (image->color >> 16) & 0xFF, (image->color >> 8) & 0xFF};
    for (int y = 0; y < image->h; y++) {
        int row = image->dst_y - top_row + y;
        if (row < 0 || row >= height) continue;
        for (int x = 0; x < image->w; x++) {
            int column = image->dst_x - left + x;
            if (column < 0 || column >= width) continue;
            uint32_t top = (image->bitmap[(size_t)y * image->stride + x] * opacity + 127) / 255;
            if (!top) continue;
            uint8_t *pixel = pixels + ((size_t)row * width + column) * 4;
            // In 1/255²: the share of the text, and of what is visible below it.
            uint32_t upper = top * 255, lower = pixel[3] * (255 - top), sum = upper + lower;
            for (int channel = 0; channel < 3; channel++) {
                pixel[channel] = (uint8_t)(
                    (color[channel] * upper + pixel[channel] * lower + sum / 2) / sum);
            }
            pixel[3] = (uint8_t)((sum + 127) / 255);
        }
    }
}

// The images of a time; those of the last call are gone.
static ASS_Image *images(cass_text *text, int64_t milliseconds, int width, int height) {
    if (!text->track) return NULL;
    if (text->width != width || text->height != height) {
        ass.ass_set_frame_size(text->renderer, width, height);
        ass.ass_set_storage_size(text->renderer, width, height);
        text->width = width;
        text->height = height;
    }
    return ass.ass_render_frame(text->renderer, text->track, milliseconds, NULL);
}

void cass_render(cass_text *text, int64_t milliseconds, uint8_t *canvas, int width, int height) {
    memset(canvas, 0, (size_t)width * height * 4);
    for (ASS_Image *image = images(text, milliseconds, width, height); image; image = image->next)
        blend(image, canvas, 0, 0, width, height);
}

void cass_compose(const uint8_t *canvas, uint8_t *pixels, size_t count) {
    for (size_t i = 0; i < count; i++, canvas += 4, pixels += 4) {
        uint32_t top = canvas[3];
        if (!top) continue;
        uint32_t upper = top * 255, lower = pixels[3] * (255 - top), sum = upper + lower;
        for (int channel = 0; channel < 3; channel++)
            pixels[channel] = (uint8_t)((canvas[channel] * upper + pixels[channel] * lower + sum / 2) / sum);
        pixels[3] = (uint8_t)((sum + 127) / 255);
    }
}

// The part of a picture that images cover.
typedef struct {
    int left, top, right, bottom;
} part;

static part covered(const ASS_Image *image, int width, int height) {
    part all = {width, height, 0, 0};
    for (; image; image = image->next) {
        if (image->dst_x < all.left) all.left = image->dst_x;
        if (image->dst_y < all.top) all.top = image->dst_y;
        if (image->dst_x + image->w > all.right) all.right = image->dst_x + image->w;
        if (image->dst_y + image->h > all.bottom) all.bottom = image->dst_y + image->h;
    }
    if (all.left < 0) all.left = 0;
    if (all.top < 0) all.top = 0;
    if (all.right > width) all.right = width;
    if (all.bottom > height) all.bottom = height;
    return all;
}

int cass_draw(cass_text *text, int64_t milliseconds, uint8_t *pixels, int width, int height) {
    ASS_Image *image = images(text, milliseconds, width, height);
    part all = covered(image, width, height);
    if (all.left >= all.right || all.top >= all.bottom) return 0;
    size_t columns = (size_t)(all.right - all.left), rows = (size_t)(all.bottom - all.top);
    // The same steps as with a canvas that comes from another process, so that the pixels are equal.
    uint8_t *canvas = calloc(columns * rows, 4);
    if (!canvas) return -1;
    for (; image; image = image->next)
        blend(image, canvas, all.left, all.top, (int)columns, (int)rows);
    for (size_t row = 0; row < rows; row++)
        cass_compose(canvas + row * columns * 4, pixels + ((all.top + row) * (size_t)width + (size_t)all.left) * 4, columns);
    free(canvas);
    return 0;
}
