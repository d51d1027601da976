#include "CFFmpeg.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LZ_CALL(function, ...) lz_table.function(__VA_ARGS__)

enum { most_threads = 128, most_pictures = 256 };

// Pictures of HEVC in the order in which they are decoded, and which of them got to their end.
//
// FFmpeg neither returns nor logs an error for a picture whose data ends early. It logs that a picture is decoded, on the
// context of the thread that does it; from 7.1 on for each.
struct HEVC {
    pthread_mutex_t mutex;
    int64_t started, checked;
    int is_telling;
    const AVCodecContext *contexts[most_threads];
    int64_t numbers[most_threads];
    bool done[most_pictures];
};

struct LZPictures {
    atomic_int owners;
    atomic_llong live, refused;
    int64_t most;
    atomic_bool is_clearing;
    // Errors in the log, and the first one; `line` is written by the thread that counts it.
    atomic_int errors, lines;
    char line[256];
    struct HEVC hevc;
};

LZPictures *lz_pictures_new(int64_t most) {
    LZPictures *pictures = calloc(1, sizeof *pictures);
    if (!pictures) return 0;
    atomic_init(&pictures->owners, 1);
    pictures->most = most;
    pthread_mutex_init(&pictures->hevc.mutex, 0);
    unsigned major = LZ_CALL(avcodec_version) >> 16;
    pictures->hevc.is_telling = major == 59 || major == 60;
    return pictures;
}

void lz_pictures_release(LZPictures *pictures) {
    if (atomic_fetch_sub(&pictures->owners, 1) != 1) return;
    pthread_mutex_destroy(&pictures->hevc.mutex);
    free(pictures);
}

int64_t lz_pictures_refused(const LZPictures *pictures) { return atomic_load(&pictures->refused); }

void lz_pictures_clear(LZPictures *pictures) { atomic_store(&pictures->is_clearing, true); }

int lz_pictures_errors(const LZPictures *pictures) { return atomic_load(&pictures->errors); }

const char *lz_pictures_line(const LZPictures *pictures) {
    return atomic_load(&pictures->lines) > 1 ? pictures->line : "";
}

// One buffer of a decoder.
typedef struct Lent {
    LZPictures *pictures;
    AVBufferRef *buffer;
    int64_t bytes;
} Lent;

static void give_back(void *opaque, uint8_t *data) {
    (void)data;
    Lent *lent = opaque;
    LZ_CALL(av_buffer_unref, &lent->buffer);
    atomic_fetch_sub(&lent->pictures->live, lent->bytes);
    lz_pictures_release(lent->pictures);
    free(lent);
}

// The coded pixels, and what decoders keep with them: motion vectors and block types.
static int64_t picture_bytes(const AVFrame *frame, int64_t pixels) {
    const AVPixFmtDescriptor *form = LZ_CALL(av_pix_fmt_desc_get, frame->format);
    int64_t bytes = pixels / 2;
    if (!form) return bytes + 8 * pixels;
    unsigned seen = 0;
    for (int i = 0; i < form->nb_components; i++) {
        const AVComponentDescriptor *part = &form->comp[i];
        if (seen & 1u << part->plane) continue;
        seen |= 1u << part->plane;
        int isChroma = part->plane == 1 || part->plane == 2;
        int shift = isChroma ? form->log2_chroma_w + form->log2_chroma_h : 0;
        bytes += (pixels >> shift) * part->step;
    }
    return bytes;
}

static int64_t *number_of(struct HEVC *hevc, const AVCodecContext *context) {
    for (int i = 0; i < most_threads; i++) {
        if (!hevc->contexts[i]) hevc->contexts[i] = context;
        if (hevc->contexts[i] == context) return &hevc->numbers[i];
    }
    return 0;
}

static void begin_hevc(struct HEVC *hevc, const AVCodecContext *context) {
    pthread_mutex_lock(&hevc->mutex);
    int64_t *number = number_of(hevc, context);
    hevc->started++;
    hevc->done[hevc->started % most_pictures] = !number;
    if (number) *number = hevc->started;
    pthread_mutex_unlock(&hevc->mutex);
}

static void end_hevc(struct HEVC *hevc, const AVCodecContext *context) {
    pthread_mutex_lock(&hevc->mutex);
    int64_t *number = number_of(hevc, context);
    if (number) hevc->done[*number % most_pictures] = true;
    hevc->is_telling = 1;
    pthread_mutex_unlock(&hevc->mutex);
}

int lz_pictures_unfinished(LZPictures *pictures, int running) {
    struct HEVC *hevc = &pictures->hevc;
    int found = 0;
    pthread_mutex_lock(&hevc->mutex);
    if (hevc->started - hevc->checked > most_pictures / 2) hevc->checked = hevc->started - most_pictures / 2;
    while (hevc->checked < hevc->started - running)
        if (!hevc->done[++hevc->checked % most_pictures]) found++;
    pthread_mutex_unlock(&hevc->mutex);
    return hevc->is_telling ? found : 0;
}

// Makes a picture black, and what lies around it 0.
static void clear(AVFrame *frame) {
    for (int i = 0; i < AV_NUM_DATA_POINTERS && frame->buf[i]; i++)
        memset(frame->buf[i]->data, 0, frame->buf[i]->size);
    ptrdiff_t strides[4];
    for (int i = 0; i < 4; i++) strides[i] = frame->linesize[i];
    LZ_CALL(av_image_fill_black, frame->data, strides, frame->format, AVCOL_RANGE_JPEG, frame->width, frame->height);
}

// Called on the decoder's threads, too.
static int take_picture(AVCodecContext *context, AVFrame *frame, int flags) {
    LZPictures *pictures = context->opaque;
    // FFmpeg's alignment.
    int64_t pixels = (int64_t)FFALIGN(frame->width, 64) * FFALIGN(frame->height, 64);
    int64_t bytes = picture_bytes(frame, pixels);
    // Each thread has tables for a whole picture.
    int64_t tables = pixels * 5 / 4 * FFMAX(1, context->thread_count);
    int64_t live = atomic_fetch_add(&pictures->live, bytes) + bytes;
    if (live + tables > pictures->most) {
        atomic_fetch_sub(&pictures->live, bytes);
        atomic_store(&pictures->refused, live + tables);
        return AVERROR(ENOMEM);
    }
    int result = LZ_CALL(avcodec_default_get_buffer2, context, frame, flags);
    Lent *lent = result < 0 ? 0 : malloc(sizeof *lent);
    AVBufferRef *buffer = 0;
    if (lent) {
        *lent = (Lent){pictures, frame->buf[0], bytes};
        buffer = LZ_CALL(
            av_buffer_create, frame->buf[0]->data, frame->buf[0]->size, give_back, lent, 0);
    }
    if (!buffer) {
        free(lent);
        atomic_fetch_sub(&pictures->live, bytes);
        // The caller frees the frame's other buffers.
        return result < 0 ? result : AVERROR(ENOMEM);
    }
    atomic_fetch_add(&pictures->owners, 1);
    frame->buf[0] = buffer;
    if (context->codec_id == AV_CODEC_ID_HEVC) begin_hevc(&pictures->hevc, context);
    if (atomic_load(&pictures->is_clearing)) clear(frame);
    return result;
}

void lz_codec_bound(AVCodecContext *context, LZPictures *pictures) {
    context->opaque = pictures;
    context->get_buffer2 = take_picture;
    lz_codec_allow_threads(context);
}

// The account of a decoder that logs, or null; the copies that threads have of a context share it.
static LZPictures *account_of(void *object) {
    const AVClass *kind = object ? *(const AVClass **)object : 0;
    if (!kind || !kind->class_name || strcmp(kind->class_name, "AVCodecContext")) return 0;
    AVCodecContext *context = object;
    return context->get_buffer2 == take_picture ? context->opaque : 0;
}

void lz_pictures_note(void *object, int level, const char *format, va_list arguments) {
    if (level == AV_LOG_DEBUG) {
        if (strncmp(format, "Decoded frame with POC", 22)) return;
        LZPictures *pictures = account_of(object);
        if (pictures) end_hevc(&pictures->hevc, object);
        return;
    }
    // The mark of a picture that was mended is copied before the thread that mends it has set it (h264_picture.c).
    bool is_mending = level == AV_LOG_INFO && !strncmp(format, "concealing ", 11);
    LZPictures *pictures = level <= AV_LOG_ERROR || is_mending ? account_of(object) : 0;
    if (!pictures) return;
    atomic_fetch_add(&pictures->errors, 1);
    if (is_mending) return;
    int unclaimed = 0;
    if (!atomic_compare_exchange_strong(&pictures->lines, &unclaimed, 1)) return;
    vsnprintf(pictures->line, sizeof pictures->line, format, arguments);
    pictures->line[strcspn(pictures->line, "\n")] = 0;
    atomic_store(&pictures->lines, 2);
}

static pthread_mutex_t allowing = PTHREAD_MUTEX_INITIALIZER;
static size_t allowed;

void lz_allow_allocations(size_t size) {
    // A demuxer may trust a table's length of billions.
    size_t least = (size_t)128 << 20, most = (size_t)1 << 30;
    size = size < least ? least : size > most ? most : size;
    pthread_mutex_lock(&allowing);
    if (size > allowed) {
        allowed = size;
        LZ_CALL(av_max_alloc, size);
    }
    pthread_mutex_unlock(&allowing);
}

size_t lz_allowed_allocation(void) {
    pthread_mutex_lock(&allowing);
    size_t size = allowed;
    pthread_mutex_unlock(&allowing);
    return size;
}

int lz_examine(AVFormatContext *format, const int64_t *pixels, int count) {
    AVDictionary **options = calloc(count > 0 ? count : 1, sizeof *options);
    if (!options) return AVERROR(ENOMEM);
    for (int i = 0; i < count; i++) {
        char number[24];
        snprintf(number, sizeof number, "%lld", (long long)pixels[i]);
        LZ_CALL(av_dict_set, &options[i], "max_pixels", number, 0);
    }
    // Without a list for each stream FFmpeg applies none.
    int result = LZ_CALL(
        avformat_find_stream_info, format, count == (int)format->nb_streams ? options : 0);
    for (int i = 0; i < count; i++) LZ_CALL(av_dict_free, &options[i]);
    free(options);
    return result;
}
