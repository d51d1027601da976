#include "CFFmpeg.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>

#define LZ_CALL(function, ...) lz_table.function(__VA_ARGS__)

struct LZPictures {
    atomic_int owners;
    atomic_llong live, refused;
    int64_t most;
};

LZPictures *lz_pictures_new(int64_t most) {
    LZPictures *pictures = calloc(1, sizeof *pictures);
    if (!pictures) return 0;
    atomic_init(&pictures->owners, 1);
    pictures->most = most;
    return pictures;
}

void lz_pictures_release(LZPictures *pictures) {
    if (atomic_fetch_sub(&pictures->owners, 1) == 1) free(pictures);
}

int64_t lz_pictures_refused(const LZPictures *pictures) { return atomic_load(&pictures->refused); }

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
    return result;
}

void lz_codec_bound(AVCodecContext *context, LZPictures *pictures) {
    context->opaque = pictures;
    context->get_buffer2 = take_picture;
    lz_codec_allow_threads(context);
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
