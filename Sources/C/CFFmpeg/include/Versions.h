// All that differs between the versions of FFmpeg that lazyimg is built with, from 5.1 on.
#ifndef LAZYIMG_VERSIONS_H
#define LAZYIMG_VERSIONS_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/frame.h>
#include <libswscale/swscale.h>

#define LZ_HAS(LIBRARY, major, minor) \
    (LIB##LIBRARY##_VERSION_INT >= AV_VERSION_INT(major, minor, 100))

// FFmpeg 6.0 has the duration of a frame, 6.1 its flags.
#if LZ_HAS(AVUTIL, 57, 30)
static inline int64_t lz_frame_duration(const AVFrame *f) { return f->duration; }
static inline void lz_frame_set_duration(AVFrame *f, int64_t ticks) { f->duration = ticks; }
#else
static inline int64_t lz_frame_duration(const AVFrame *f) { return f->pkt_duration; }
static inline void lz_frame_set_duration(AVFrame *f, int64_t ticks) { f->pkt_duration = ticks; }
#endif
#if LZ_HAS(AVUTIL, 58, 7)
static inline int lz_frame_is_key(const AVFrame *f) { return !!(f->flags & AV_FRAME_FLAG_KEY); }
static inline void lz_frame_set_key(AVFrame *f, int is_key) {
    f->flags = is_key ? f->flags | AV_FRAME_FLAG_KEY : f->flags & ~AV_FRAME_FLAG_KEY;
}
static inline int lz_frame_is_interlaced(const AVFrame *f) {
    return !!(f->flags & AV_FRAME_FLAG_INTERLACED);
}
static inline int lz_frame_has_top_first(const AVFrame *f) {
    return !!(f->flags & AV_FRAME_FLAG_TOP_FIELD_FIRST);
}
#else
static inline int lz_frame_is_key(const AVFrame *f) { return f->key_frame != 0; }
static inline void lz_frame_set_key(AVFrame *f, int is_key) { f->key_frame = is_key; }
static inline int lz_frame_is_interlaced(const AVFrame *f) { return f->interlaced_frame != 0; }
static inline int lz_frame_has_top_first(const AVFrame *f) { return f->top_field_first != 0; }
#endif

/// A context of swscale, opaque also where FFmpeg (from 8 on) declares its members.
typedef struct lz_scaler lz_scaler;
static inline struct SwsContext *lz_sws_of(lz_scaler *s) { return (struct SwsContext *)s; }
/// Its flags, which are macros before FFmpeg 8.
enum { LZ_SWS_BICUBIC = SWS_BICUBIC, LZ_SWS_ACCURATE = SWS_ACCURATE_RND, LZ_SWS_AREA = SWS_AREA };

/// What a container says of a stream beside its packets, or null where it is shorter than `least`.
static inline const void *lz_side_data(
    const AVStream *s, enum AVPacketSideDataType type, size_t least) {
// Since FFmpeg 6.1 the parameters of the codec have it.
#if LZ_HAS(AVCODEC, 60, 30)
    const AVPacketSideData *data = s->codecpar->coded_side_data;
    int count = s->codecpar->nb_coded_side_data;
#else
    const AVPacketSideData *data = s->side_data;
    int count = s->nb_side_data;
#endif
    for (int i = 0; i < count; i++)
        if (data[i].type == type) return data[i].size >= least ? data[i].data : 0;
    return 0;
}

// Before FFmpeg 6 requests of several threads for memory are serialized, unless allowed otherwise.
static inline void lz_codec_allow_threads(AVCodecContext *c) {
#if LZ_HAS(AVCODEC, 60, 0)
    (void)c;
#else
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wdeprecated-declarations"
    c->thread_safe_callbacks = 1;
#pragma GCC diagnostic pop
#endif
}

#undef LZ_HAS
#endif
