#include "CJXL.h"
#include "CLibrary.h"

#include <stdlib.h>

#define TEXT(number) TEXT_OF(number)
#define TEXT_OF(number) #number
// Before version 1 the name has the minor version, each of which has structures of its own.
#define VERSION TEXT(JPEGXL_MAJOR_VERSION) "." TEXT(JPEGXL_MINOR_VERSION)

// Written once by `cjxl_load`; all readers have gone through it.
static CJXLTable cjxl;

const CJXLTable *cjxl_table(void) { return &cjxl; }

const char *cjxl_library_name(void) { return "libjxl.so." VERSION; }

int cjxl_fill(CJXLTable *table, const char *name, char *message, size_t size) {
    void *library = clibrary_open(
        name, "JPEG XL needs the library", "libjxl" VERSION, "", message, size);
    if (!library) return -1;
#define FIND(function) CLIBRARY_FIND(function, "libjxl")
    CJXL_FUNCTIONS(FIND)
    unsigned version = table->JxlDecoderVersion();
    unsigned major = version / 1000000, minor = version / 1000 % 1000;
    if (major == JPEGXL_MAJOR_VERSION && (major > 0 || minor == JPEGXL_MINOR_VERSION)) return 0;
    snprintf(message, size, "%s is version %u.%u, but lazyimg was built for version " VERSION ".",
        name, major, minor);
    return -1;
}

static int fill(char *message, size_t size) {
    return cjxl_fill(&cjxl, cjxl_library_name(), message, size);
}

CLIBRARY_LOAD(cjxl, fill)

// A second library of the same package, which only decoding with several threads needs.
static __typeof__(JxlThreadParallelRunner) *run;
static __typeof__(JxlThreadParallelRunnerCreate) *create;
static __typeof__(JxlThreadParallelRunnerDestroy) *destroy;
static pthread_once_t threads_once = PTHREAD_ONCE_INIT;

static void load_threads(void) {
    void *library = clibrary_dlopen("libjxl_threads.so." VERSION);
    if (!library) return;
    destroy = (__typeof__(destroy))dlsym(library, "JxlThreadParallelRunnerDestroy");
    run = (__typeof__(run))dlsym(library, "JxlThreadParallelRunner");
    if (destroy && run) create = (__typeof__(create))dlsym(library, "JxlThreadParallelRunnerCreate");
}

void *cjxl_add_threads(JxlDecoder *decoder, size_t count) {
    pthread_once(&threads_once, load_threads);
    void *threads = create ? create(NULL, count) : NULL;
    if (!threads) return NULL;
    if (cjxl.JxlDecoderSetParallelRunner(decoder, run, threads) == JXL_DEC_SUCCESS) return threads;
    destroy(threads);
    return NULL;
}

void cjxl_free_threads(void *threads) { destroy(threads); }

// A parameter without use went away with version 0.9.
#if JPEGXL_NUMERIC_VERSION >= JPEGXL_COMPUTE_NUMERIC_VERSION(0, 9, 0)
#define DECODER decoder
#else
#define DECODER decoder, NULL
#endif

int cjxl_encoded_profile(
    const JxlDecoder *decoder, JxlColorProfileTarget target, JxlColorEncoding *color) {
    return cjxl.JxlDecoderGetColorAsEncodedProfile(DECODER, target, color) != JXL_DEC_SUCCESS;
}

size_t cjxl_profile_size(const JxlDecoder *decoder, JxlColorProfileTarget target) {
    size_t size = 0;
    if (cjxl.JxlDecoderGetICCProfileSize(DECODER, target, &size) != JXL_DEC_SUCCESS) return 0;
    return size;
}

int cjxl_profile(
    const JxlDecoder *decoder, JxlColorProfileTarget target, uint8_t *profile, size_t size) {
    return cjxl.JxlDecoderGetColorAsICCProfile(DECODER, target, profile, size) != JXL_DEC_SUCCESS;
}
