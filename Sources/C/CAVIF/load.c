#include "CAVIF.h"
#include "CLibrary.h"

#include <stdlib.h>
#include <string.h>

// Written once by `cavif_load`; all readers have gone through it.
static CAVIFTable cavif;

const CAVIFTable *cavif_table(void) { return &cavif; }

const char *cavif_library_name(void) { return "libavif.so." CAVIF_SONAME; }

const char *cavif_package(void) { return "libavif" CAVIF_SONAME; }

int cavif_fill(CAVIFTable *table, const char *name, char *message, size_t size) {
    void *library = clibrary_open(
        name, "AVIF needs the library", cavif_package(), "", message, size);
    if (!library) return -1;
#define FIND(function) CLIBRARY_FIND(function, "libavif")
    CAVIF_FUNCTIONS(FIND)
    // Before version 1 each minor version has structures of its own.
    int major = 0, minor = 0;
    sscanf(table->avifVersion(), "%d.%d", &major, &minor);
    if (major == AVIF_VERSION_MAJOR && (major > 0 || minor == AVIF_VERSION_MINOR)) return 0;
    snprintf(message, size, "%s is version %d.%d, but lazyimg was built for version %d.%d.", name,
        major, minor, AVIF_VERSION_MAJOR, AVIF_VERSION_MINOR);
    return -1;
}

static int fill(char *message, size_t size) {
    return cavif_fill(&cavif, cavif_library_name(), message, size);
}

CLIBRARY_LOAD(cavif, fill)

// One answer is valid until the next one is asked for, as libavif allows (`persistent` is false).
typedef struct {
    avifIO io;
    const void *context;
    cavif_read read;
    // Not libavif's hint: with that it refuses a file of which only the end is missing.
    uint64_t size;
    uint8_t *bytes;
    size_t room;
} reader;

static avifResult answer(
    avifIO *io, uint32_t flags, uint64_t offset, size_t size, avifROData *out) {
    reader *self = (reader *)io;
    out->data = NULL;
    out->size = 0;
    if (flags) return AVIF_RESULT_IO_ERROR;
    if (offset > self->size) return AVIF_RESULT_IO_ERROR;
    if (size > self->size - offset) size = self->size - offset;
    if (size > self->room || !self->bytes) {
        uint8_t *grown = realloc(self->bytes, size ? size : 1);
        if (!grown) return AVIF_RESULT_OUT_OF_MEMORY;
        self->bytes = grown;
        self->room = size;
    }
    long got = self->read(self->context, offset, self->bytes, size);
    if (got < 0) return AVIF_RESULT_IO_ERROR;
    out->data = self->bytes;
    out->size = (size_t)got;
    return AVIF_RESULT_OK;
}

static void destroy(avifIO *io) {
    reader *self = (reader *)io;
    free(self->bytes);
    free(self);
}

int cavif_set_reader(avifDecoder *decoder, const void *context, uint64_t size, cavif_read read) {
    reader *self = calloc(1, sizeof *self);
    if (!self) return 0;
    self->io.destroy = destroy;
    self->io.read = answer;
    self->size = size;
    self->context = context;
    self->read = read;
    cavif.avifDecoderSetIO(decoder, &self->io);
    return 1;
}

const char *cavif_decoder_message(const avifDecoder *decoder) { return decoder->diag.error; }

const char *cavif_encoder_message(const avifEncoder *encoder) { return encoder->diag.error; }
