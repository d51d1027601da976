#include "CJXL.h"
#include "CLibrary.h"

#include <stdlib.h>

// Written once by `cjxl_load`; all readers have gone through it.
static CJXLTable cjxl;

const CJXLTable *cjxl_table(void) { return &cjxl; }

const char *cjxl_library_name(void) { return "libjxl.so." CJXL_VERSION; }

int cjxl_fill(CJXLTable *table, const char *name, char *message, size_t size) {
    void *library = clibrary_open(
        name, "JPEG XL needs the library", "libjxl" CJXL_VERSION, "", message, size);
    if (!library) return -1;
#define FIND(function) CLIBRARY_FIND(function, "libjxl")
    CJXL_FUNCTIONS(FIND)
    unsigned version = table->JxlDecoderVersion();
    unsigned major = version / 1000000, minor = version / 1000 % 1000;
    if (major == JPEGXL_MAJOR_VERSION && (major > 0 || minor == JPEGXL_MINOR_VERSION)) return 0;
    snprintf(message, size, "%s is version %u.%u, but lazyimg was built for version " CJXL_VERSION ".",
        name, major, minor);
    return -1;
}

static int fill(char *message, size_t size) {
    return cjxl_fill(&cjxl, cjxl_library_name(), message, size);
}

CLIBRARY_LOAD(cjxl, fill)

int cjxl_encoded_profile(
    const JxlDecoder *decoder, JxlColorProfileTarget target, JxlColorEncoding *color) {
    return cjxl.JxlDecoderGetColorAsEncodedProfile(CJXL_DECODER(decoder), target, color) != JXL_DEC_SUCCESS;
}

size_t cjxl_profile_size(const JxlDecoder *decoder, JxlColorProfileTarget target) {
    size_t size = 0;
    if (cjxl.JxlDecoderGetICCProfileSize(CJXL_DECODER(decoder), target, &size) != JXL_DEC_SUCCESS) return 0;
    return size;
}

int cjxl_profile(
    const JxlDecoder *decoder, JxlColorProfileTarget target, uint8_t *profile, size_t size) {
    return cjxl.JxlDecoderGetColorAsICCProfile(CJXL_DECODER(decoder), target, profile, size) != JXL_DEC_SUCCESS;
}
