#include "CFFmpeg.h"
#include "CLibrary.h"
#include "StandIns.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

LZTable lz_table;

#define TEXT(number) #number
#define TEXT_OF(macro) TEXT(macro)
#define SONAME(name, major) "lib" name ".so." TEXT_OF(major)

LZLibraries lz_expected_libraries(void) {
    return (LZLibraries){
        SONAME("avutil", LIBAVUTIL_VERSION_MAJOR), SONAME("avcodec", LIBAVCODEC_VERSION_MAJOR),
        SONAME("avformat", LIBAVFORMAT_VERSION_MAJOR), SONAME("swscale", LIBSWSCALE_VERSION_MAJOR)};
}

static void *open_library(const char *name, char *message, size_t size) {
    return clibrary_open(
        tricks_path(name), "Video needs FFmpeg's library",
        "libavformat" TEXT_OF(LIBAVFORMAT_VERSION_MAJOR) " libswscale"
        TEXT_OF(LIBSWSCALE_VERSION_MAJOR), "", message, size);
}

static int check_major(const char *name, unsigned found, int wanted, char *message, size_t size) {
    if ((int)(found >> 16) == wanted) return 0;
    snprintf(message, size, "%s is version %u, but lazyimg was built for version %d.", name,
        found >> 16, wanted);
    return -1;
}

typedef struct Handles {
    void *avutil, *avcodec, *avformat, *swscale;
} Handles;

#define FIND(library, function) \
    if (!(table->function = (__typeof__(table->function))dlsym(handles->library, #function))) \
        return clibrary_lacks(names.library, #function, "FFmpeg", message, size);
#define FIND_AVUTIL(function) FIND(avutil, function)
#define FIND_AVCODEC(function) FIND(avcodec, function)
#define FIND_AVFORMAT(function) FIND(avformat, function)
#define FIND_SWSCALE(function) FIND(swscale, function)
#define LEAVE(function)
#define CHECK(library, LIBRARY) \
    check_major(names.library, table->library##_version(), LIB##LIBRARY##_VERSION_MAJOR, message, \
        size)

static int fill_codecs(
    LZTable *table, LZLibraries names, Handles *handles, char *message, size_t size) {
    handles->avutil = open_library(names.avutil, message, size);
    handles->avcodec = handles->avutil ? open_library(names.avcodec, message, size) : 0;
    handles->swscale = handles->avcodec ? open_library(names.swscale, message, size) : 0;
    if (!handles->swscale) return -1;
    LZ_FUNCTIONS(FIND_AVUTIL, FIND_AVCODEC, LEAVE, FIND_SWSCALE)
    return CHECK(avutil, AVUTIL) || CHECK(avcodec, AVCODEC) || CHECK(swscale, SWSCALE) ? -1 : 0;
}

static int fill_formats(
    LZTable *table, LZLibraries names, Handles *handles, char *message, size_t size) {
    handles->avformat = open_library(names.avformat, message, size);
    if (!handles->avformat) return -1;
    LZ_FUNCTIONS(LEAVE, LEAVE, FIND_AVFORMAT, LEAVE)
    return CHECK(avformat, AVFORMAT) ? -1 : 0;
}

static int fill_writing(
    LZTable *table, LZLibraries names, Handles *handles, char *message, size_t size) {
    LZ_WRITING_FUNCTIONS(FIND_AVUTIL, FIND_AVCODEC)
    return 0;
}

int lz_fill(LZTable *table, LZLibraries names, char *message, size_t size) {
    Handles handles;
    int result = fill_codecs(table, names, &handles, message, size);
    return result == 0 ? fill_formats(table, names, &handles, message, size) : result;
}

static Handles process_handles;

// A part of the process's table, filled once.
#define PART(name, needed, fill) \
    static pthread_once_t name##_once = PTHREAD_ONCE_INIT; \
    static int name##_result; \
    static char name##_message[256]; \
    static void load_##name(void) { \
        name##_result = needed(name##_message, sizeof name##_message); \
        if (name##_result == 0) \
            name##_result = fill(&lz_table, lz_expected_libraries(), &process_handles, \
                name##_message, sizeof name##_message); \
    } \
    static int need_##name(char *message, size_t size) { \
        pthread_once(&name##_once, load_##name); \
        snprintf(message, size, "%s", name##_message); \
        return name##_result; \
    }

static int need_nothing(char *message, size_t size) {
    (void)message; (void)size;
    return 0;
}

// MARK: - Libraries that are never called

// FFmpeg's libraries depend on some fifty others, most of them for encoders, audio, devices and protocols, which take four
// fifths of the time of loading.
#define ALWAYS "libc.so", "libm.so", "libmvec.so", "libpthread.so", "libdl.so", "librt.so", "ld-", "libgcc_s.so", "libstdc++.so", \
    "libz.so", "libbz2.so", "liblzma.so", "libdav1d.so", "libopenjp", "libvpx.so", "libwebp"
static const char *const kept_for_films[] = {ALWAYS, NULL};
// Encoders, and what libraries for stills, text and addresses have in common with FFmpeg.
static const char *const kept_for_all[] = {
    ALWAYS, "libaom.so", "libglib-2.0.so", "libgnutls.so", "libjxl", "librav1e.so", "libsvtav1enc.so", "libx264.so", NULL};

// Streams of unknown content are shown to all demuxers: libgme is asked what it finds, and its answer is read.
static const char *const texts[] = {"gme_identify_header", NULL};

static enum LZUse use = LZ_USE_EVERYTHING;
// What was kept where stand-ins took the place of the rest, or null.
static const char *const *kept;

void lz_will_use(enum LZUse wanted) { use = wanted; }

int lz_can_call(const AVCodec *codec) {
    const char *name = codec->wrapper_name ? codec->wrapper_name : codec->name;
    if (!kept || strncmp(name, "lib", 3)) return 1;
    // The library of the wrapper "libopenjpeg" is called libopenjp2.
    size_t length = strncmp(name, "libopenjp", 9) ? strlen(name) : 9;
    for (const char *const *library = kept; *library; library++)
        if (strncasecmp(*library, name, length) == 0) return 1;
    return 0;
}

static pthread_once_t callable_once = PTHREAD_ONCE_INIT;
static char *callable;

static void list_callable(void) {
    size_t size = 1;
    void *position = NULL;
    for (const AVCodec *codec; (codec = lz_table.av_codec_iterate(&position));) size += strlen(codec->name) + 1;
    if (!(callable = malloc(size))) return;
    char *end = callable;
    position = NULL;
    for (const AVCodec *codec; (codec = lz_table.av_codec_iterate(&position));)
        if (lz_table.av_codec_is_decoder(codec) && lz_can_call(codec))
            end += sprintf(end, end == callable ? "%s" : ",%s", codec->name);
}

const char *lz_callable_decoders(void) {
    if (!kept) return NULL;
    pthread_once(&callable_once, list_callable);
    return callable ? callable : "";
}

static void stand_in(void) {
    LZLibraries names = lz_expected_libraries();
    const char *libraries[] = {
        names.avutil, SONAME("swresample", LIBSWRESAMPLE_VERSION_MAJOR), names.avcodec, names.swscale, names.avformat, NULL};
    const char *const *wanted = use == LZ_USE_FILMS ? kept_for_films : kept_for_all;
    if (use != LZ_USE_EVERYTHING && tricks_stand_in(libraries, wanted, texts) == 0) kept = wanted;
}

static int fill_codecs_quietly(
    LZTable *table, LZLibraries names, Handles *handles, char *message, size_t size) {
    stand_in();
    int result = fill_codecs(table, names, handles, message, size);
    if (result != 0 && kept) {
        tricks_remove_stand_ins();
        kept = NULL;
        result = fill_codecs(table, names, handles, message, size);
    }
    if (result != 0) return result;
    lz_log_install();
    lz_allow_allocations(0);
    return 0;
}

PART(codecs, need_nothing, fill_codecs_quietly)
PART(formats, need_codecs, fill_formats)
PART(writing, need_codecs, fill_writing)

int lz_load(void) {
    char message[256];
    return need_formats(message, sizeof message);
}

int lz_load_writing(void) {
    char message[256];
    return need_writing(message, sizeof message);
}

const char *lz_load_message(void) { return formats_message; }
const char *lz_load_writing_message(void) { return writing_message; }

// In C because FFmpeg passes a `va_list`, and because a decoder's threads log, too.
static _Thread_local char last_line[256];
static _Thread_local char taken_line[256];
static _Thread_local int lost_parts;

// A page of Ogg whose check sum is wrong, and an element of Matroska that is none or leads out of the one around it: what is
// in them is left out, and nothing else tells of that.
static void note_part(void *object, int level, const char *format) {
    const AVClass *kind = object ? *(const AVClass **)object : 0;
    if (level != AV_LOG_ERROR || !kind || !kind->class_name) return;
    if (strcmp(kind->class_name, "AVFormatContext")) return;
    const AVInputFormat *reader = ((AVFormatContext *)object)->iformat;
    int is_matroska = reader && !strncmp(reader->name, "matroska", 8);
    // Another file of which no size is known, behind the first.
    int is_joined = !strncmp(format, "Found unknown-length", 20);
    if (!strncmp(format, "CRC mismatch", 12)
        || (is_matroska && (strstr(format, " at pos") || strstr(format, "lement at ")) && !is_joined))
        lost_parts++;
}

static void remember_line(void *object, int level, const char *format, va_list arguments) {
    note_part(object, level, format);
    va_list copy;
    va_copy(copy, arguments);
    lz_pictures_note(object, level, format, copy);
    va_end(copy);
    if (level > AV_LOG_ERROR) return;
    // Messages after a rejected size are only consequences of it.
    if (strstr(last_line, "exceeds specified max pixel count")) return;
    int prefix = 0;
    lz_table.av_log_format_line2(
        object, level, format, arguments, last_line, sizeof last_line, &prefix);
}

int lz_log_take_lost_parts(void) {
    int taken = lost_parts;
    lost_parts = 0;
    return taken;
}

void lz_log_install(void) { lz_table.av_log_set_callback(remember_line); }

const char *lz_log_take_line(void) {
    memcpy(taken_line, last_line, sizeof taken_line);
    taken_line[strcspn(taken_line, "\n")] = 0;
    last_line[0] = 0;
    return taken_line;
}
