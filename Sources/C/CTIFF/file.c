#include "CTIFF.h"
#include "library.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct ctiff_file {
    TIFF *tiff;
    ctiff_source source;
    uint64_t position;
    int passed_end;
    char words[256];
};

static int note(TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    (void)tiff, (void)module;
    ctiff_file *file = user;
    // The first error is the cause of the next ones.
    if (!file->words[0]) vsnprintf(file->words, sizeof file->words, format, arguments);
    return 1;
}

static int ignore(
    TIFF *tiff, void *user, const char *module, const char *format, va_list arguments) {
    (void)tiff, (void)user, (void)module, (void)format, (void)arguments;
    return 1;
}

static tmsize_t read_bytes(thandle_t handle, void *buffer, tmsize_t size) {
    ctiff_file *file = handle;
    long got = size < 0 ? -1
        : file->source.read(file->source.context, file->position, buffer, (size_t)size);
    if (got < 0) return -1;
    if (got < size) file->passed_end = 1;
    file->position += (uint64_t)got;
    return got;
}

static tmsize_t write_bytes(thandle_t handle, void *buffer, tmsize_t size) {
    (void)handle, (void)buffer, (void)size;
    return -1;
}

static toff_t seek(thandle_t handle, toff_t offset, int whence) {
    ctiff_file *file = handle;
    uint64_t base = whence == SEEK_CUR ? file->position
        : whence == SEEK_END           ? file->source.size
                                       : 0;
    file->position = base + offset;
    return file->position;
}

static int close_source(thandle_t handle) {
    (void)handle;
    return 0;
}

static toff_t source_size(thandle_t handle) { return ((ctiff_file *)handle)->source.size; }

ctiff_file *ctiff_open(ctiff_source source, int64_t most_memory, char *words, size_t size) {
    words[0] = 0;
    ctiff_file *file = calloc(1, sizeof *file);
    TIFFOpenOptions *options = file ? ctiff.TIFFOpenOptionsAlloc() : NULL;
    if (!options) {
        free(file);
        return NULL;
    }
    file->source = source;
    ctiff.TIFFOpenOptionsSetMaxSingleMemAlloc(options, most_memory);
    ctiff.TIFFOpenOptionsSetErrorHandlerExtR(options, note, file);
    ctiff.TIFFOpenOptionsSetWarningHandlerExtR(options, ignore, file);
    // m: no mapping into memory.
    file->tiff = ctiff.TIFFClientOpenExt("TIFF", "rm", file, read_bytes, write_bytes, seek,
        close_source, source_size, NULL, NULL, options);
    ctiff.TIFFOpenOptionsFree(options);
    if (file->tiff) return file;
    snprintf(words, size, "%s", file->words);
    // Tells the caller that bytes are missing, where that is the reason.
    if (file->passed_end && !words[0]) snprintf(words, size, "the file ends");
    free(file);
    return NULL;
}

void ctiff_close(ctiff_file *file) {
    ctiff.TIFFClose(file->tiff);
    free(file);
}

const char *ctiff_words(const ctiff_file *file) { return file->words; }

void ctiff_forget(ctiff_file *file) { file->words[0] = 0; }

int ctiff_did_pass_end(ctiff_file *file) {
    int passed = file->passed_end;
    file->passed_end = 0;
    return passed;
}

int ctiff_next(ctiff_file *file) { return ctiff.TIFFReadDirectory(file->tiff); }

int ctiff_go_to(ctiff_file *file, uint64_t offset) {
    return ctiff.TIFFSetSubDirectory(file->tiff, offset) ? 0 : -1;
}

static uint16_t short_tag(TIFF *tiff, uint32_t tag, uint16_t otherwise) {
    uint16_t value = otherwise;
    return ctiff.TIFFGetFieldDefaulted(tiff, tag, &value) ? value : otherwise;
}

static uint32_t long_tag(TIFF *tiff, uint32_t tag, uint32_t otherwise) {
    uint32_t value = otherwise;
    return ctiff.TIFFGetField(tiff, tag, &value) ? value : otherwise;
}

static void refuse(ctiff_page *page, const char *words) {
    page->kind = CTIFF_UNREADABLE;
    page->words = words;
}

static int alpha_of(TIFF *tiff, const ctiff_page *page, unsigned colors) {
    uint16_t count = 0, *kinds = NULL;
    if (page->samples <= colors) return CTIFF_NO_ALPHA;
    // Some programs do not say that there is a fourth sample either.
    if (!ctiff.TIFFGetField(tiff, TIFFTAG_EXTRASAMPLES, &count, &kinds) || !count || !kinds)
        return colors == 3 ? CTIFF_ASSOCIATED : CTIFF_NO_ALPHA;
    switch (kinds[0]) {
    case EXTRASAMPLE_ASSOCALPHA: return CTIFF_ASSOCIATED;
    case EXTRASAMPLE_UNASSALPHA: return CTIFF_STRAIGHT;
    // Some programs do not say that the fourth sample is alpha; libtiff takes it for associated.
    default: return colors == 3 ? CTIFF_ASSOCIATED : CTIFF_NO_ALPHA;
    }
}

static ctiff_numbers numbers_of(TIFF *tiff) {
    switch (short_tag(tiff, TIFFTAG_SAMPLEFORMAT, SAMPLEFORMAT_UINT)) {
    case SAMPLEFORMAT_INT: return CTIFF_SIGNED;
    case SAMPLEFORMAT_IEEEFP: return CTIFF_FLOATING;
    case SAMPLEFORMAT_COMPLEXINT:
    case SAMPLEFORMAT_COMPLEXIEEEFP: return CTIFF_COMPLEX;
    default: return CTIFF_UNSIGNED;
    }
}

// Why numbers of this kind and length are not read, or NULL.
static const char *unread_numbers(const ctiff_page *page) {
    unsigned bits = page->bits;
    if (page->numbers == CTIFF_COMPLEX) return "its samples are complex numbers";
    if (page->numbers == CTIFF_FLOATING)
        return bits == 16 || bits == 24 || bits == 32 || bits == 64
            ? NULL
            : "its samples are floating-point numbers of an unusual length";
    if (bits < 1 || (bits > 32 && bits != 64)) return "its samples are of an unusual length";
    return NULL;
}

static void choose_kind(TIFF *tiff, ctiff_page *page) {
    uint16_t photometric = PHOTOMETRIC_MINISBLACK;
    if (!ctiff.TIFFGetField(tiff, TIFFTAG_PHOTOMETRIC, &photometric))
        photometric = page->samples >= 3 ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
    unsigned colors = 1;
    switch (photometric) {
    case PHOTOMETRIC_MINISWHITE: page->kind = CTIFF_WHITE_IS_ZERO; break;
    case PHOTOMETRIC_MINISBLACK: page->kind = CTIFF_GRAY; break;
    case PHOTOMETRIC_PALETTE: page->kind = CTIFF_PALETTE; break;
    case PHOTOMETRIC_RGB: page->kind = CTIFF_RGB, colors = 3; break;
    case PHOTOMETRIC_SEPARATED:
        page->kind = CTIFF_CMYK, colors = 4;
        if (short_tag(tiff, TIFFTAG_INKSET, INKSET_CMYK) != INKSET_CMYK)
            return refuse(page, "its inks are others than cyan, magenta, yellow and black");
        break;
    case PHOTOMETRIC_YCBCR:
        colors = 3;
        page->kind = CTIFF_BY_LIBTIFF;
        // libjpeg converts the colors, in full resolution.
        if (page->compression == COMPRESSION_JPEG && !page->is_planar
            && ctiff.TIFFSetField(tiff, TIFFTAG_JPEGCOLORMODE, JPEGCOLORMODE_RGB))
            page->kind = CTIFF_RGB;
        break;
    // Not by libtiff, whose white has the cast of D50.
    case PHOTOMETRIC_CIELAB: page->kind = CTIFF_LAB, colors = 3; break;
    case PHOTOMETRIC_ICCLAB: page->kind = CTIFF_ICC_LAB, colors = 3; break;
    case PHOTOMETRIC_LOGL:
    case PHOTOMETRIC_LOGLUV:
        // In 8 bits, which only its own compression can.
        page->kind = CTIFF_BY_LIBTIFF;
        return;
    case 32803: return refuse(page, "its samples are those of a camera's sensor");
    default: return refuse(page, "its colors are of a kind that is not read");
    }
    const char *words = unread_numbers(page);
    if (words) return refuse(page, words);
    // Work grows with samples that are not shown.
    if (page->samples > 32) return refuse(page, "it has more than 32 samples per pixel");
    if (page->samples < colors) return refuse(page, "it has too few samples for its colors");
    int is_usual = page->bits <= 16 && page->numbers != CTIFF_FLOATING;
    if (page->kind == CTIFF_BY_LIBTIFF && !is_usual)
        return refuse(page, "its colors are of a kind that is read in integers of 16 bits only");
    if ((page->kind == CTIFF_LAB || page->kind == CTIFF_ICC_LAB)
        && (!is_usual || (page->bits != 8 && page->bits != 16)))
        return refuse(page, "its colors are of a kind that is read in integers of 8 and 16 bits only");
    if (page->kind == CTIFF_PALETTE) {
        if (!is_usual) return refuse(page, "its palette has too many colors");
        uint16_t *red, *green, *blue;
        if (!ctiff.TIFFGetField(tiff, TIFFTAG_COLORMAP, &red, &green, &blue))
            return refuse(page, "it has no palette");
    }
    page->alpha = alpha_of(tiff, page, colors);
    // libtiff's conversion multiplies colors by alpha.
    if (page->kind == CTIFF_BY_LIBTIFF && page->alpha) page->alpha = CTIFF_ASSOCIATED;
}

// Directories may name as many pieces as they like.
enum { most_looked_at = 1 << 16 };

static void count_missing(ctiff_file *file, ctiff_page *page, uint32_t planes) {
    uint64_t pieces = (uint64_t)page->pieces * planes, size = file->source.size;
    if (pieces > most_looked_at) return;
    for (uint32_t i = 0; i < pieces; i++) {
        uint64_t offset = ctiff.TIFFGetStrileOffset(file->tiff, i), count = ctiff.TIFFGetStrileByteCount(file->tiff, i);
        // Pieces of sparse files have neither. Old JPEG does not need its number of bytes.
        if (!offset && !count) continue;
        if (page->compression == COMPRESSION_OJPEG) count = 1;
        if (offset >= size || count > size - offset) page->missing++;
    }
    page->is_absent = pieces && page->missing == pieces;
}

int ctiff_describe(ctiff_file *file, ctiff_page *page) {
    TIFF *tiff = file->tiff;
    memset(page, 0, sizeof *page);
    page->offset = ctiff.TIFFCurrentDirOffset(tiff);
    page->width = long_tag(tiff, TIFFTAG_IMAGEWIDTH, 0);
    page->height = long_tag(tiff, TIFFTAG_IMAGELENGTH, 0);
    page->subfile = long_tag(tiff, TIFFTAG_SUBFILETYPE, 0);
    page->orientation = short_tag(tiff, TIFFTAG_ORIENTATION, 1);
    page->bits = short_tag(tiff, TIFFTAG_BITSPERSAMPLE, 1);
    page->samples = short_tag(tiff, TIFFTAG_SAMPLESPERPIXEL, 1);
    page->numbers = numbers_of(tiff);
    page->compression = short_tag(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    page->is_planar = page->samples > 1
        && short_tag(tiff, TIFFTAG_PLANARCONFIG, PLANARCONFIG_CONTIG) == PLANARCONFIG_SEPARATE;
    if (!page->width || !page->height || !page->samples) return -1;
    void *profile = NULL;
    uint32_t size = 0;
    if (ctiff.TIFFGetField(tiff, TIFFTAG_ICCPROFILE, &size, &profile) && profile) {
        page->profile = profile;
        page->profile_size = size;
    }
    if (ctiff.TIFFIsCODECConfigured(page->compression)) choose_kind(tiff, page);
    else refuse(page, "libtiff was built without its compression");
    uint32_t planes = page->is_planar ? page->samples : 1;
    if (ctiff.TIFFIsTiled(tiff)) {
        page->piece_width = long_tag(tiff, TIFFTAG_TILEWIDTH, 0);
        page->piece_height = long_tag(tiff, TIFFTAG_TILELENGTH, 0);
        page->piece_bytes = ctiff.TIFFTileSize64(tiff);
        page->pieces = ctiff.TIFFNumberOfTiles(tiff) / planes;
    } else {
        uint32_t rows = page->height;
        ctiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &rows);
        page->piece_width = page->width;
        page->piece_height = rows < page->height ? rows : page->height;
        page->piece_bytes = ctiff.TIFFStripSize64(tiff);
        page->pieces = ctiff.TIFFNumberOfStrips(tiff) / planes;
    }
    if (!page->piece_width || !page->piece_height || !page->pieces) return -1;
    count_missing(file, page, planes);
    return 0;
}

ctiff_layout ctiff_layout_of(ctiff_file *file, const ctiff_page *page) {
    ctiff_layout layout = {.kind = page->kind,
        .bits = page->bits,
        .samples = page->samples,
        .numbers = page->numbers,
        .alpha = page->alpha};
    uint16_t *red, *green, *blue;
    if (page->kind == CTIFF_PALETTE
        && ctiff.TIFFGetField(file->tiff, TIFFTAG_COLORMAP, &red, &green, &blue)) {
        layout.palette[0] = red;
        layout.palette[1] = green;
        layout.palette[2] = blue;
    }
    return layout;
}

// Files may have all rows of a last strip of which the picture has some. Where libtiff decodes that by libdeflate, which
// writes no part of a match, up to 257 bytes of the last rows stay as they were.
static void use_zlib(TIFF *tiff) {
    uint16_t compression = short_tag(tiff, TIFFTAG_COMPRESSION, COMPRESSION_NONE);
    if (compression == COMPRESSION_ADOBE_DEFLATE || compression == COMPRESSION_DEFLATE)
        ctiff.TIFFSetField(tiff, TIFFTAG_DEFLATE_SUBCODEC, DEFLATE_SUBCODEC_ZLIB);
}

static int is_cut_strip(TIFF *tiff, uint32_t index) {
    uint32_t height = long_tag(tiff, TIFFTAG_IMAGELENGTH, 0), rows = height;
    ctiff.TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &rows);
    if (!rows || rows >= height || height % rows == 0) return 0;
    // Planes have their strips one after the other.
    uint32_t strips = height / rows + 1;
    return index % strips == strips - 1;
}

int64_t ctiff_read_piece(ctiff_file *file, uint32_t index, void *buffer, int64_t size) {
    int is_tiled = ctiff.TIFFIsTiled(file->tiff);
    if (!is_tiled && is_cut_strip(file->tiff, index)) use_zlib(file->tiff);
    return is_tiled
        ? ctiff.TIFFReadEncodedTile(file->tiff, index, buffer, (tmsize_t)size)
        : ctiff.TIFFReadEncodedStrip(file->tiff, index, buffer, (tmsize_t)size);
}

int ctiff_read_rgba(ctiff_file *file, uint32_t *rgba, size_t pixels) {
    TIFFRGBAImage image;
    char words[1024] = "";
    use_zlib(file->tiff);
    // Goes on after damage, as with pieces.
    if (!ctiff.TIFFRGBAImageBegin(&image, file->tiff, 0, words)) {
        if (!file->words[0]) snprintf(file->words, sizeof file->words, "%s", words);
        return -1;
    }
    // Rows as they are in the file.
    image.req_orientation = image.orientation;
    int is_good = (size_t)image.width * image.height == pixels
        && ctiff.TIFFRGBAImageGet(&image, rgba, image.width, image.height);
    ctiff.TIFFRGBAImageEnd(&image);
    return is_good ? 0 : -1;
}
