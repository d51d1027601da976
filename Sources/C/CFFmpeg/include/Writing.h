// What Swift calls to encode; uses the table, as in Wrappers.h.
#ifndef LAZYIMG_WRITING_H
#define LAZYIMG_WRITING_H

// `(1 << 22)` and the like would be imported with another type than that of the field.
static const int LZ_FLAG_GLOBAL_HEADER = AV_CODEC_FLAG_GLOBAL_HEADER;
static const int LZ_FLAG_CLOSED_GOP = (int)AV_CODEC_FLAG_CLOSED_GOP;

#define LZ_CALL(function, ...) lz_table.function(__VA_ARGS__)

static inline const AVCodec *lz_find_encoder_named(const char *name) {
    return lz_callable(LZ_CALL(avcodec_find_encoder_by_name, name));
}
static inline int lz_encoder_open(AVCodecContext *c, const AVCodec *codec, AVDictionary **o) {
    return LZ_CALL(avcodec_open2, c, codec, o);
}
static inline int lz_encoder_send(AVCodecContext *c, const AVFrame *f) {
    return LZ_CALL(avcodec_send_frame, c, f);
}
static inline int lz_encoder_receive(AVCodecContext *c, AVPacket *p) {
    return LZ_CALL(avcodec_receive_packet, c, p);
}
/// Allocates a frame's memory for its size and format.
static inline int lz_frame_get_buffer(AVFrame *f) { return LZ_CALL(av_frame_get_buffer, f, 0); }
/// Allocates new memory where the encoder still refers to the frame's.
static inline int lz_frame_make_writable(AVFrame *f) {
    return LZ_CALL(av_frame_make_writable, f);
}
static inline uint8_t *lz_plane_bytes(AVFrame *f, int plane) { return f->data[plane]; }
/// The first key of a dictionary, or null where it is empty.
static inline const char *lz_dict_first_key(const AVDictionary *d) {
    AVDictionaryEntry *entry = LZ_CALL(av_dict_get, d, "", 0, AV_DICT_IGNORE_SUFFIX);
    return entry ? entry->key : 0;
}
/// Sets the matrix of the target; the source is full-range RGB, the target has limited range.
static inline int lz_sws_set_target_colors(lz_scaler *s, int colorspace) {
    const int *matrix = LZ_CALL(sws_getCoefficients, colorspace);
    const int *standard = LZ_CALL(sws_getCoefficients, SWS_CS_DEFAULT);
    return LZ_CALL(
        sws_setColorspaceDetails, lz_sws_of(s), standard, 1, matrix, 0, 0, 1 << 16, 1 << 16);
}
/// Converts rows of four bytes per pixel to the planes of a frame.
static inline int lz_sws_fill(
    lz_scaler *s, const uint8_t *rows, int stride, int height, AVFrame *f) {
    const uint8_t *data[4] = {rows};
    int strides[4] = {stride};
    return LZ_CALL(sws_scale, lz_sws_of(s), data, strides, 0, height, f->data, f->linesize);
}

#undef LZ_CALL
#endif
