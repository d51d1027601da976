// FFmpeg behind a table of function pointers.
//
// Nothing here is linked to FFmpeg: resolving its symbols takes 33 to 55 ms, which only jobs that
// open a video should pay. The headers give the types; `lz_load` opens the libraries that the
// headers' version macros name, and fills the table once. The `lz_` functions below require it.
#ifndef LAZYIMG_CFFMPEG_H
#define LAZYIMG_CFFMPEG_H

#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libavutil/dovi_meta.h>
#include <libavutil/imgutils.h>
#include <libavutil/mastering_display_metadata.h>
#include <libavutil/opt.h>
#include <libavutil/pixdesc.h>
#include <libswresample/version.h>
#include <libswscale/swscale.h>
#include <stdarg.h>

// One line per function: LIBRARY(name), in the order of the libraries in `LZLibraries`.
#define LZ_FUNCTIONS(AVUTIL, AVCODEC, AVFORMAT, SWSCALE) \
    AVUTIL(avutil_version) \
    AVUTIL(av_buffer_create) \
    AVUTIL(av_buffer_unref) \
    AVUTIL(av_dict_free) \
    AVUTIL(av_dict_get) \
    AVUTIL(av_dict_set) \
    AVUTIL(av_frame_alloc) \
    AVUTIL(av_frame_free) \
    AVUTIL(av_freep) \
    AVUTIL(av_get_pix_fmt_name) \
    AVUTIL(av_image_fill_black) \
    AVUTIL(av_log_format_line2) \
    AVUTIL(av_log_set_callback) \
    AVUTIL(av_malloc) \
    AVUTIL(av_max_alloc) \
    AVUTIL(av_opt_set_int) \
    AVUTIL(av_pix_fmt_desc_get) \
    AVUTIL(av_strdup) \
    AVUTIL(av_strerror) \
    AVCODEC(avcodec_version) \
    AVCODEC(av_codec_is_decoder) \
    AVCODEC(av_codec_iterate) \
    AVCODEC(av_new_packet) \
    AVCODEC(av_packet_alloc) \
    AVCODEC(av_packet_free) \
    AVCODEC(av_packet_get_side_data) \
    AVCODEC(av_packet_make_writable) \
    AVCODEC(av_packet_move_ref) \
    AVCODEC(av_packet_ref) \
    AVCODEC(av_packet_unref) \
    AVCODEC(av_parser_close) \
    AVCODEC(av_parser_init) \
    AVCODEC(av_parser_parse2) \
    AVCODEC(avcodec_alloc_context3) \
    AVCODEC(avcodec_decode_subtitle2) \
    AVCODEC(avcodec_default_get_buffer2) \
    AVCODEC(avcodec_descriptor_get) \
    AVCODEC(avcodec_find_decoder) \
    AVCODEC(avcodec_find_decoder_by_name) \
    AVCODEC(avcodec_flush_buffers) \
    AVCODEC(avcodec_free_context) \
    AVCODEC(avcodec_get_name) \
    AVCODEC(avcodec_license) \
    AVCODEC(avcodec_open2) \
    AVCODEC(avcodec_parameters_to_context) \
    AVCODEC(avcodec_receive_frame) \
    AVCODEC(avcodec_send_packet) \
    AVCODEC(avsubtitle_free) \
    AVFORMAT(avformat_version) \
    AVFORMAT(av_add_index_entry) \
    AVFORMAT(av_find_input_format) \
    AVFORMAT(av_guess_sample_aspect_ratio) \
    AVFORMAT(av_read_frame) \
    AVFORMAT(avformat_alloc_context) \
    AVFORMAT(avformat_close_input) \
    AVFORMAT(avformat_find_stream_info) \
    AVFORMAT(avformat_index_get_entries_count) \
    AVFORMAT(avformat_index_get_entry) \
    AVFORMAT(avformat_open_input) \
    AVFORMAT(avformat_seek_file) \
    AVFORMAT(avio_alloc_context) \
    AVFORMAT(avio_context_free) \
    SWSCALE(swscale_version) \
    SWSCALE(sws_alloc_context) \
    SWSCALE(sws_freeContext) \
    SWSCALE(sws_getCoefficients) \
    SWSCALE(sws_init_context) \
    SWSCALE(sws_scale) \
    SWSCALE(sws_setColorspaceDetails)

// What only encoding needs; looked up when the first clip is written.
#define LZ_WRITING_FUNCTIONS(AVUTIL, AVCODEC) \
    AVUTIL(av_frame_get_buffer) \
    AVUTIL(av_frame_make_writable) \
    AVCODEC(avcodec_find_encoder_by_name) \
    AVCODEC(avcodec_receive_packet) \
    AVCODEC(avcodec_send_frame)

// `__typeof__` makes the compiler check each call against the header's own declaration.
#define LZ_FIELD(function) __typeof__(function) *function;
typedef struct LZTable {
    LZ_FUNCTIONS(LZ_FIELD, LZ_FIELD, LZ_FIELD, LZ_FIELD)
    LZ_WRITING_FUNCTIONS(LZ_FIELD, LZ_FIELD)
} LZTable;
#undef LZ_FIELD

/// The file names of the four libraries.
typedef struct LZLibraries {
    const char *avutil, *avcodec, *avformat, *swscale;
} LZLibraries;

/// The names from the headers' version macros, such as `libavutil.so.57`.
LZLibraries lz_expected_libraries(void);

/// Opens libraries and fills a table; returns 0, or -1 with one sentence in `message`.
int lz_fill(LZTable *table, LZLibraries libraries, char *message, size_t size);

/// Fills the process's table on the first call, on any thread; returns that call's result.
int lz_load(void);

/// Fills what encoders need, which is all but libavformat; returns 0, or -1 as `lz_load` does.
///
/// In the same table: jobs that only encode do not open libavformat.
int lz_load_writing(void);

/// The message of a failed `lz_load_writing`; empty after success.
const char *lz_load_writing_message(void);

/// The message of a failed `lz_load`; empty after success.
const char *lz_load_message(void);

/// What a process calls of FFmpeg.
enum LZUse {
    /// Whatever FFmpeg has; all that it depends on is loaded.
    LZ_USE_EVERYTHING,
    /// Decoders, and the encoders of films.
    LZ_USE_FILMS_AND_ENCODERS,
    /// Decoders of films.
    LZ_USE_FILMS,
};

/// Says before the first load that the rest of what FFmpeg depends on need not be loaded.
///
/// Empty libraries take its place in the whole process: only for programs that load nothing else by these
/// names.
void lz_will_use(enum LZUse use);

/// Whether the library was loaded that a codec hands its work to, if there is one.
int lz_can_call(const AVCodec *codec);

/// The decoders that can be called, for `AVFormatContext.codec_whitelist`, or null for all.
const char *lz_callable_decoders(void);

/// Silences FFmpeg and keeps the last error message of each thread.
void lz_log_install(void);

/// Removes and returns this thread's last error message; empty without one.
const char *lz_log_take_line(void);

/// The pages of Ogg and the elements of Matroska that were left out on this thread since the last call, because their check
/// sums or their sizes are wrong.
int lz_log_take_lost_parts(void);

extern LZTable lz_table;

#include "Versions.h"
#include "Wrappers.h"
#include "Memory.h"
#include "Writing.h"
#endif
