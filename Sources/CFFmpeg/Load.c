#include "CFFmpeg.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

LZTable lz_table;

#define TEXT_OF(number) #number
#define SONAME(name, major) "lib" name ".so." TEXT_OF(major)

LZLibraries lz_expected_libraries(void) {
    return (LZLibraries){
        SONAME("avutil", LIBAVUTIL_VERSION_MAJOR), SONAME("avcodec", LIBAVCODEC_VERSION_MAJOR),
        SONAME("avformat", LIBAVFORMAT_VERSION_MAJOR), SONAME("swscale", LIBSWSCALE_VERSION_MAJOR)};
}

// Lazy binding: only what is called is looked up. Local: another FFmpeg in the process keeps its own.
static void *open_library(const char *name, char *message, size_t size) {
    void *handle = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!handle)
        snprintf(message, size,
            "Video needs FFmpeg's library %s, which is not on this machine"
            " (Debian: apt-get install libavformat59 libswscale6).", name);
    return handle;
}

static int check_major(const char *name, unsigned found, int wanted, char *message, size_t size) {
    if ((int)(found >> 16) == wanted) return 0;
    snprintf(message, size, "%s is version %u, but lazyimg was built for version %d.", name,
        found >> 16, wanted);
    return -1;
}

int lz_fill(LZTable *table, LZLibraries names, char *message, size_t size) {
    message[0] = 0;
    // Libraries stay open for the life of the process: codecs keep threads and static tables.
    void *avutil = open_library(names.avutil, message, size);
    void *avcodec = avutil ? open_library(names.avcodec, message, size) : 0;
    void *avformat = avcodec ? open_library(names.avformat, message, size) : 0;
    void *swscale = avformat ? open_library(names.swscale, message, size) : 0;
    if (!swscale) return -1;
#define FIND(library, function) \
    if (!(table->function = (__typeof__(table->function))dlsym(library, #function))) { \
        snprintf(message, size, "%s has no function %s: it is not the FFmpeg that lazyimg needs.", \
            names.library, #function); \
        return -1; \
    }
#define FIND_AVUTIL(function) FIND(avutil, function)
#define FIND_AVCODEC(function) FIND(avcodec, function)
#define FIND_AVFORMAT(function) FIND(avformat, function)
#define FIND_SWSCALE(function) FIND(swscale, function)
    LZ_FUNCTIONS(FIND_AVUTIL, FIND_AVCODEC, FIND_AVFORMAT, FIND_SWSCALE)
#define CHECK(library, LIBRARY) \
    check_major(names.library, table->library##_version(), LIB##LIBRARY##_VERSION_MAJOR, message, \
        size)
    return CHECK(avutil, AVUTIL) || CHECK(avcodec, AVCODEC) || CHECK(avformat, AVFORMAT)
            || CHECK(swscale, SWSCALE) ? -1 : 0;
}

static pthread_once_t load_once = PTHREAD_ONCE_INIT;
static int load_result;
static char load_message[256];

static void load(void) {
    load_result = lz_fill(&lz_table, lz_expected_libraries(), load_message, sizeof load_message);
    if (load_result != 0) return;
    lz_log_install();
    // A demuxer may believe a table's length of billions; no picture of 200 MP needs this much.
    lz_table.av_max_alloc((size_t)1 << 30);
}

int lz_load(void) {
    pthread_once(&load_once, load);
    return load_result;
}

const char *lz_load_message(void) { return load_message; }

// In C because FFmpeg hands over a `va_list`, and because a decoder's own threads log too.
static _Thread_local char last_line[256];
static _Thread_local char taken_line[256];

static void remember_line(void *object, int level, const char *format, va_list arguments) {
    if (level > AV_LOG_ERROR) return;
    // What a decoder says after a size was refused is only a consequence of it.
    if (strstr(last_line, "exceeds specified max pixel count")) return;
    int prefix = 0;
    lz_table.av_log_format_line2(
        object, level, format, arguments, last_line, sizeof last_line, &prefix);
}

void lz_log_install(void) { lz_table.av_log_set_callback(remember_line); }

const char *lz_log_take_line(void) {
    memcpy(taken_line, last_line, sizeof taken_line);
    taken_line[strcspn(taken_line, "\n")] = 0;
    last_line[0] = 0;
    return taken_line;
}
