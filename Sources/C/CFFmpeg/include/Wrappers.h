// What Swift calls: each function uses the table; each macro that Swift cannot import has a mirror
// with the reason.
#ifndef LAZYIMG_WRAPPERS_H
#define LAZYIMG_WRAPPERS_H

// Swift does not import casts and calls of other macros.
static const int LZ_ERROR_EOF = AVERROR_EOF;
static const int LZ_ERROR_EXIT = AVERROR_EXIT;
static const int LZ_ERROR_AGAIN = AVERROR(EAGAIN);
static const int LZ_ERROR_IO = AVERROR(EIO);
static const int LZ_ERROR_NOMEM = AVERROR(ENOMEM);
static const int LZ_ERROR_INVALID = AVERROR(EINVAL);
// Contains UINT64_C.
static const int64_t LZ_NOPTS = AV_NOPTS_VALUE;
// A flag for the third parameter of a seek callback, which Swift sees as another integer type.
static const int LZ_SEEK_SIZE = AVSEEK_SIZE;
static const int LZ_SEEK_FORCE = AVSEEK_FORCE;
// `(1 << 7)` would be imported with another type than that of its field.
static const uint64_t LZ_PIX_FMT_ALPHA = AV_PIX_FMT_FLAG_ALPHA;
static const uint64_t LZ_PIX_FMT_PALETTE = AV_PIX_FMT_FLAG_PAL;
static const uint64_t LZ_PIX_FMT_BIG_ENDIAN = AV_PIX_FMT_FLAG_BE;
static const uint64_t LZ_PIX_FMT_RGB = AV_PIX_FMT_FLAG_RGB;
// Formats whose samples are no numbers in the machine's order.
static const uint64_t LZ_PIX_FMT_UNUSUAL = AV_PIX_FMT_FLAG_BE | AV_PIX_FMT_FLAG_PAL
    | AV_PIX_FMT_FLAG_BITSTREAM | AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_BAYER
    | AV_PIX_FMT_FLAG_FLOAT;
// Function-like macros (MKTAG) are not imported.
static const unsigned LZ_TAG_ENCV = MKTAG('e', 'n', 'c', 'v');
static const unsigned LZ_TAG_DRMI = MKTAG('d', 'r', 'm', 'i');

// The table's functions, with a prefix because the headers declare the plain names, too.
#define LZ_CALL(function, ...) lz_table.function(__VA_ARGS__)

static inline void lz_dict_free(AVDictionary **d) { LZ_CALL(av_dict_free, d); }
static inline const char *lz_dict_value(const AVDictionary *d, const char *key) {
    AVDictionaryEntry *entry = LZ_CALL(av_dict_get, d, key, 0, 0);
    return entry ? entry->value : 0;
}
static inline int lz_dict_set(AVDictionary **d, const char *key, const char *value) {
    return LZ_CALL(av_dict_set, d, key, value, 0);
}
static inline AVFrame *lz_frame_alloc(void) { return LZ_CALL(av_frame_alloc); }
static inline void lz_frame_free(AVFrame **f) { LZ_CALL(av_frame_free, f); }
static inline void *lz_malloc(size_t size) { return LZ_CALL(av_malloc, size); }
static inline void lz_free(void *memory) { LZ_CALL(av_freep, &memory); }
static inline int lz_set_int(void *object, const char *name, int64_t value) {
    return LZ_CALL(av_opt_set_int, object, name, value, 0);
}
static inline const AVPixFmtDescriptor *lz_pix_fmt(int format) {
    return LZ_CALL(av_pix_fmt_desc_get, (enum AVPixelFormat)format);
}
static inline const char *lz_pix_fmt_name(int format) {
    return LZ_CALL(av_get_pix_fmt_name, (enum AVPixelFormat)format);
}
static inline int lz_strerror(int code, char *text, size_t size) {
    return LZ_CALL(av_strerror, code, text, size);
}

static inline AVPacket *lz_packet_alloc(void) { return LZ_CALL(av_packet_alloc); }
static inline void lz_packet_free(AVPacket **p) { LZ_CALL(av_packet_free, p); }
static inline void lz_packet_unref(AVPacket *p) { LZ_CALL(av_packet_unref, p); }
static inline void lz_packet_move_ref(AVPacket *to, AVPacket *from) {
    LZ_CALL(av_packet_move_ref, to, from);
}
static inline int lz_packet_ref(AVPacket *to, const AVPacket *from) {
    return LZ_CALL(av_packet_ref, to, from);
}
static inline int lz_packet_new(AVPacket *p, int size) { return LZ_CALL(av_new_packet, p, size); }
static inline int lz_packet_make_writable(AVPacket *p) {
    return LZ_CALL(av_packet_make_writable, p);
}
static inline int lz_packet_has(const AVPacket *p, enum AVPacketSideDataType type) {
    size_t size = 0;
    return LZ_CALL(av_packet_get_side_data, p, type, &size) != 0;
}
static inline const uint8_t *lz_packet_side_data(
    const AVPacket *p, enum AVPacketSideDataType type, size_t *size) {
    *size = 0;
    return LZ_CALL(av_packet_get_side_data, p, type, size);
}

static inline AVCodecContext *lz_codec_alloc(const AVCodec *c) {
    return LZ_CALL(avcodec_alloc_context3, c);
}
static inline void lz_codec_free(AVCodecContext **c) { LZ_CALL(avcodec_free_context, c); }
/// A codec, or null where its library was not loaded.
static inline const AVCodec *lz_callable(const AVCodec *c) {
    return c && lz_can_call(c) ? c : 0;
}
static inline const AVCodec *lz_find_decoder(enum AVCodecID id) {
    return lz_callable(LZ_CALL(avcodec_find_decoder, id));
}
static inline const AVCodec *lz_find_decoder_named(const char *name) {
    return lz_callable(LZ_CALL(avcodec_find_decoder_by_name, name));
}
static inline void lz_codec_flush(AVCodecContext *c) { LZ_CALL(avcodec_flush_buffers, c); }
static inline const char *lz_codec_name(enum AVCodecID id) { return LZ_CALL(avcodec_get_name, id); }
static inline int lz_codec_open(AVCodecContext *c, const AVCodec *codec) {
    return LZ_CALL(avcodec_open2, c, codec, 0);
}
static inline int lz_codec_take_parameters(AVCodecContext *c, const AVCodecParameters *p) {
    return LZ_CALL(avcodec_parameters_to_context, c, p);
}
/// Copies a decoder configuration into a context that is not open.
static inline int lz_codec_configure(AVCodecContext *c, const uint8_t *bytes, size_t count) {
    if (count > (1 << 24)) return AVERROR_INVALIDDATA;
    c->extradata = LZ_CALL(av_malloc, count + AV_INPUT_BUFFER_PADDING_SIZE);
    if (!c->extradata) return AVERROR(ENOMEM);
    memcpy(c->extradata, bytes, count);
    memset(c->extradata + count, 0, AV_INPUT_BUFFER_PADDING_SIZE);
    c->extradata_size = (int)count;
    return 0;
}
static inline int lz_receive(AVCodecContext *c, AVFrame *f) {
    return LZ_CALL(avcodec_receive_frame, c, f);
}
static inline int lz_send(AVCodecContext *c, const AVPacket *p) {
    return LZ_CALL(avcodec_send_packet, c, p);
}

/// Whether a codec's subtitles are text, not pictures.
static inline int lz_is_text(enum AVCodecID id) {
    const AVCodecDescriptor *d = LZ_CALL(avcodec_descriptor_get, id);
    return d && d->props & AV_CODEC_PROP_TEXT_SUB;
}
static inline int lz_decode_subtitle(
    AVCodecContext *c, AVSubtitle *subtitle, int *is_shown, AVPacket *p) {
    return LZ_CALL(avcodec_decode_subtitle2, c, subtitle, is_shown, p);
}
static inline void lz_subtitle_free(AVSubtitle *subtitle) { LZ_CALL(avsubtitle_free, subtitle); }
/// The text of one of the rectangles of a subtitle, or null where it is a picture.
static inline const char *lz_subtitle_text(const AVSubtitle *subtitle, int number) {
    const AVSubtitleRect *rect = subtitle->rects[number];
    return rect->type == SUBTITLE_ASS ? rect->ass : 0;
}

/// What a codec's parser finds in one packet.
typedef struct LZParsed {
    int width, height, format, field_order;
} LZParsed;
static inline LZParsed lz_parse(AVCodecContext *c, const AVPacket *p) {
    LZParsed result = {0, 0, -1, AV_FIELD_UNKNOWN};
    AVCodecParserContext *parser = LZ_CALL(av_parser_init, c->codec_id);
    if (!parser) return result;
    parser->flags |= PARSER_FLAG_COMPLETE_FRAMES;
    uint8_t *out = 0;
    int size = 0;
    LZ_CALL(av_parser_parse2, parser, c, &out, &size, p->data, p->size, p->pts, p->dts, p->pos);
    result = (LZParsed){parser->width, parser->height, parser->format, parser->field_order};
    LZ_CALL(av_parser_close, parser);
    return result;
}

static inline const AVInputFormat *lz_find_format(const char *name) {
    return LZ_CALL(av_find_input_format, name);
}
static inline AVRational lz_sample_aspect(AVFormatContext *f, AVStream *s, AVFrame *frame) {
    return LZ_CALL(av_guess_sample_aspect_ratio, f, s, frame);
}
static inline int lz_read(AVFormatContext *f, AVPacket *p) { return LZ_CALL(av_read_frame, f, p); }
static inline const int32_t *lz_display_matrix(const AVStream *s) {
    return lz_side_data(s, AV_PKT_DATA_DISPLAYMATRIX, 9 * sizeof(int32_t));
}
static inline const AVMasteringDisplayMetadata *lz_mastering_display(const AVStream *s) {
    return lz_side_data(
        s, AV_PKT_DATA_MASTERING_DISPLAY_METADATA, sizeof(AVMasteringDisplayMetadata));
}
static inline const AVContentLightMetadata *lz_content_light(const AVStream *s) {
    return lz_side_data(s, AV_PKT_DATA_CONTENT_LIGHT_LEVEL, sizeof(AVContentLightMetadata));
}
static inline const AVDOVIDecoderConfigurationRecord *lz_dolby_vision(const AVStream *s) {
    return lz_side_data(s, AV_PKT_DATA_DOVI_CONF, sizeof(AVDOVIDecoderConfigurationRecord));
}
static inline AVFormatContext *lz_format_alloc(void) { return LZ_CALL(avformat_alloc_context); }
static inline void lz_format_close(AVFormatContext **f) { LZ_CALL(avformat_close_input, f); }
/// Seeks to the first byte and keeps the streams found so far.
static inline int lz_rewind(AVFormatContext *f) {
    return LZ_CALL(avformat_seek_file, f, -1, 0, 0, 0, AVSEEK_FLAG_BYTE);
}
/// Seeks to an offset in the file.
static inline int lz_seek_byte(AVFormatContext *f, int64_t to) {
    return LZ_CALL(avformat_seek_file, f, -1, INT64_MIN, to, to, AVSEEK_FLAG_BYTE);
}
static inline int lz_format_open(
    AVFormatContext **f, const AVInputFormat *format, AVDictionary **options) {
    return LZ_CALL(avformat_open_input, f, "", format, options);
}
static inline int lz_seek(AVFormatContext *f, int stream, int64_t to) {
    return LZ_CALL(avformat_seek_file, f, stream, INT64_MIN, to, to, 0);
}
static inline int lz_index_count(const AVStream *s) {
    return LZ_CALL(avformat_index_get_entries_count, s);
}
static inline const AVIndexEntry *lz_index_entry(AVStream *s, int i) {
    return LZ_CALL(avformat_index_get_entry, s, i);
}
/// Lists a keyframe; memory that is not there leaves it out.
static inline void lz_index_add(AVStream *s, int64_t position, int64_t time) {
    LZ_CALL(av_add_index_entry, s, position, time, 0, 0, AVINDEX_KEYFRAME);
}
// Bit fields are not imported by Swift.
static inline int lz_index_flags(const AVIndexEntry *e) { return e->flags; }
static inline int lz_index_size(const AVIndexEntry *e) { return e->size; }

typedef int (*LZRead)(void *opaque, uint8_t *buffer, int size);
typedef int64_t (*LZSeek)(void *opaque, int64_t offset, int whence);
static inline AVIOContext *lz_io_alloc(int size, void *opaque, LZRead read, LZSeek seek) {
    unsigned char *buffer = lz_malloc(size);
    if (!buffer) return 0;
    AVIOContext *io = LZ_CALL(avio_alloc_context, buffer, size, 0, opaque, read, 0, seek);
    if (!io) LZ_CALL(av_freep, &buffer);
    return io;
}
/// Frees the context and its current buffer, which FFmpeg may have replaced.
static inline void lz_io_free(AVIOContext **io) {
    if (*io) LZ_CALL(av_freep, &(*io)->buffer);
    LZ_CALL(avio_context_free, io);
}
/// Refuses to open other files or addresses for a container.
static inline int lz_refuse_open(
    AVFormatContext *f, AVIOContext **io, const char *url, int flags, AVDictionary **options) {
    (void)f; (void)url; (void)flags; (void)options;
    *io = 0;
    return AVERROR(EACCES);
}
static inline void lz_format_prepare(
    AVFormatContext *f, AVIOContext *io, int (*interrupt)(void *), void *opaque) {
    f->pb = io;
    f->flags |= AVFMT_FLAG_CUSTOM_IO;
    f->io_open = lz_refuse_open;
    // Finding streams opens decoders of sound and subtitles, too.
    const char *decoders = lz_callable_decoders();
    if (decoders) f->codec_whitelist = LZ_CALL(av_strdup, decoders);
    f->interrupt_callback = (AVIOInterruptCB){interrupt, opaque};
}

static inline lz_scaler *lz_sws_alloc(void) {
    return (lz_scaler *)LZ_CALL(sws_alloc_context);
}
static inline int lz_sws_init(lz_scaler *s) {
    return LZ_CALL(sws_init_context, lz_sws_of(s), 0, 0);
}
static inline void lz_sws_free(lz_scaler *s) { LZ_CALL(sws_freeContext, lz_sws_of(s)); }
/// Sets matrix and range of the source; the target is always full-range RGB.
static inline int lz_sws_set_colors(lz_scaler *s, int colorspace, int is_full) {
    const int *matrix = LZ_CALL(sws_getCoefficients, colorspace);
    const int *standard = LZ_CALL(sws_getCoefficients, SWS_CS_DEFAULT);
    return LZ_CALL(
        sws_setColorspaceDetails, lz_sws_of(s), matrix, is_full, standard, 1, 0, 1 << 16, 1 << 16);
}
/// Converts a picture to rows of four bytes per pixel.
static inline int lz_sws_scale(lz_scaler *s, const AVFrame *f, uint8_t *rows, int stride) {
    uint8_t *data[4] = {rows};
    int strides[4] = {stride};
    return LZ_CALL(
        sws_scale, lz_sws_of(s), (const uint8_t *const *)f->data, f->linesize, 0, f->height, data,
        strides);
}
/// Makes both sides of a scaler have the same matrix and range, so that samples keep their meaning.
static inline int lz_sws_keep_colors(lz_scaler *s, int is_full) {
    const int *standard = LZ_CALL(sws_getCoefficients, SWS_CS_DEFAULT);
    return LZ_CALL(
        sws_setColorspaceDetails, lz_sws_of(s), standard, is_full, standard, is_full, 0, 1 << 16,
        1 << 16);
}
/// Scales the planes of a picture; `layout` has the offset and stride of each.
static inline int lz_sws_scale_planes(
    lz_scaler *s, const AVFrame *f, uint8_t *target, const int64_t *layout, int planes) {
    uint8_t *data[4] = {0};
    int strides[4] = {0};
    for (int plane = 0; plane < planes; plane++) {
        data[plane] = target + layout[2 * plane];
        strides[plane] = (int)layout[2 * plane + 1];
    }
    return LZ_CALL(
        sws_scale, lz_sws_of(s), (const uint8_t *const *)f->data, f->linesize, 0, f->height, data,
        strides);
}
/// Makes a frame refer to three planes that it does not own and that are only read.
static inline void lz_frame_lend(
    AVFrame *f, const uint8_t *bytes, const int64_t places[3], const int strides[3]) {
    for (int plane = 0; plane < 3; plane++) {
        f->data[plane] = (uint8_t *)bytes + places[plane];
        f->linesize[plane] = strides[plane];
    }
}
/// Makes a progressive frame with another's tags refer to planes that it does not own.
static inline void lz_frame_take(
    AVFrame *f, const AVFrame *other, uint8_t *bytes, const int64_t *layout, int planes) {
    f->width = other->width;
    f->height = other->height;
    f->format = other->format;
    f->color_range = other->color_range;
    f->colorspace = other->colorspace;
    f->color_primaries = other->color_primaries;
    f->color_trc = other->color_trc;
    f->chroma_location = other->chroma_location;
    lz_frame_set_key(f, lz_frame_is_key(other));
    lz_frame_set_duration(f, lz_frame_duration(other));
    f->best_effort_timestamp = other->best_effort_timestamp;
    for (int plane = 0; plane < planes; plane++) {
        f->data[plane] = bytes + layout[2 * plane];
        f->linesize[plane] = (int)layout[2 * plane + 1];
    }
}
static inline const uint8_t *lz_plane(const AVFrame *f, int plane) { return f->data[plane]; }
static inline int lz_plane_stride(const AVFrame *f, int plane) { return f->linesize[plane]; }
static inline const char *lz_codec_license(void) { return LZ_CALL(avcodec_license); }
static inline unsigned lz_avutil_version(void) { return LZ_CALL(avutil_version); }
static inline unsigned lz_avcodec_version(void) { return LZ_CALL(avcodec_version); }
static inline unsigned lz_avformat_version(void) { return LZ_CALL(avformat_version); }
static inline unsigned lz_swscale_version(void) { return LZ_CALL(swscale_version); }

#undef LZ_CALL
#endif
