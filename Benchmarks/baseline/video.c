// What a program must do at least with the same libraries, as plain calls of them: the baseline that bench.py compares
// lazyimg with.
//
//   video decode FILE         decode every frame, with as many threads as there are cores
//   video poster FILE OUTPUT  decode the first key frame, scale it to 320 pixels and write it as a JPEG of quality 75
//   video sheet FILE OUTPUT   decode 720 key frames at even times without deblocking, and write a page of tiles of 160
//                             pixels, ten in a row, as a JPEG of quality 75
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <libavcodec/avcodec.h>
#include <libavformat/avformat.h>
#include <libswscale/swscale.h>
#include <string.h>
#include <unistd.h>

static void check(int is_good, const char *step) {
    if (is_good) return;
    fprintf(stderr, "baseline: cannot %s\n", step);
    exit(1);
}

static void write_jpeg(const uint8_t *rows, int stride, int width, int height, const char *path) {
    struct jpeg_compress_struct jpeg;
    struct jpeg_error_mgr errors;
    FILE *file = fopen(path, "wb");
    check(file != NULL, "open the output");
    jpeg.err = jpeg_std_error(&errors);
    jpeg_create_compress(&jpeg);
    jpeg_stdio_dest(&jpeg, file);
    jpeg.image_width = (JDIMENSION)width;
    jpeg.image_height = (JDIMENSION)height;
    jpeg.input_components = 3;
    jpeg.in_color_space = JCS_RGB;
    jpeg_set_defaults(&jpeg);
    jpeg_set_quality(&jpeg, 75, TRUE);
    jpeg_start_compress(&jpeg, TRUE);
    while (jpeg.next_scanline < jpeg.image_height) {
        JSAMPROW row = (JSAMPROW)(rows + (size_t)jpeg.next_scanline * (size_t)stride);
        jpeg_write_scanlines(&jpeg, &row, 1);
    }
    jpeg_finish_compress(&jpeg);
    jpeg_destroy_compress(&jpeg);
    check(fclose(file) == 0, "write the output");
}

static void write_poster(const AVFrame *frame, const char *path) {
    const int longest = frame->width > frame->height ? frame->width : frame->height;
    const int width = frame->width * 320 / longest, height = frame->height * 320 / longest;
    const int strides[4] = {(width * 3 + 127) & ~63};
    uint8_t *rows = malloc((size_t)strides[0] * (size_t)height + 64);
    uint8_t *const targets[4] = {rows};
    struct SwsContext *scaler = sws_getContext(
        frame->width, frame->height, frame->format, width, height, AV_PIX_FMT_RGB24, SWS_BICUBIC, NULL, NULL, NULL);
    check(rows && scaler, "prepare the scaler");
    sws_scale(
        scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, targets, strides);
    write_jpeg(rows, strides[0], width, height, path);
}

struct video {
    AVFormatContext *file;
    AVCodecContext *decoder;
    int stream;
};

static struct video open_video(const char *path, int threads) {
    struct video video = {0};
    const AVCodec *codec = NULL;
    check(avformat_open_input(&video.file, path, NULL, NULL) == 0, "open the input");
    // Without avformat_find_stream_info, which decodes frames.
    video.stream = av_find_best_stream(video.file, AVMEDIA_TYPE_VIDEO, -1, -1, NULL, 0);
    check(video.stream >= 0, "find a video");
    const AVCodecParameters *parameters = video.file->streams[video.stream]->codecpar;
    codec = avcodec_find_decoder(parameters->codec_id);
    video.decoder = avcodec_alloc_context3(codec);
    check(codec && video.decoder, "find a decoder");
    avcodec_parameters_to_context(video.decoder, parameters);
    video.decoder->thread_count = threads;
    check(avcodec_open2(video.decoder, codec, NULL) == 0, "open the decoder");
    return video;
}

// Every frame, or the poster of the first where there is an output.
static long decode(struct video video, const char *output) {
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    long count = 0;
    int is_at_end = 0;
    while (!is_at_end) {
        is_at_end = av_read_frame(video.file, packet) < 0;
        if (!is_at_end && packet->stream_index != video.stream) {
            av_packet_unref(packet);
            continue;
        }
        avcodec_send_packet(video.decoder, is_at_end ? NULL : packet);
        av_packet_unref(packet);
        // A key frame comes out alone.
        if (output && !is_at_end) avcodec_send_packet(video.decoder, NULL);
        while (avcodec_receive_frame(video.decoder, frame) == 0) {
            count++;
            if (output) return write_poster(frame, output), count;
            av_frame_unref(frame);
        }
    }
    return count;
}

// One page of key frames at even times.
static long write_sheet(struct video video, const char *path) {
    enum { count = 720, columns = 10, width = 160 };
    const AVStream *stream = video.file->streams[video.stream];
    const int height = width * stream->codecpar->height / stream->codecpar->width;
    const int stride = columns * width * 3;
    uint8_t *page = calloc((size_t)stride, (size_t)(count / columns * height) + 1);
    AVPacket *packet = av_packet_alloc();
    AVFrame *frame = av_frame_alloc();
    struct SwsContext *scaler = NULL;
    check(page && packet && frame, "allocate a page");
    video.decoder->skip_loop_filter = AVDISCARD_ALL;
    for (int tile = 0; tile < count; tile++) {
        const int64_t time = stream->duration / count * tile + stream->duration / count / 2;
        check(av_seek_frame(video.file, video.stream, time, AVSEEK_FLAG_BACKWARD) >= 0, "seek");
        do {
            av_packet_unref(packet);
            check(av_read_frame(video.file, packet) >= 0, "read");
        } while (packet->stream_index != video.stream);
        avcodec_flush_buffers(video.decoder);
        avcodec_send_packet(video.decoder, packet);
        avcodec_send_packet(video.decoder, NULL);
        av_packet_unref(packet);
        check(avcodec_receive_frame(video.decoder, frame) == 0, "decode a key frame");
        if (!scaler)
            scaler = sws_getContext(
                frame->width, frame->height, frame->format, width, height, AV_PIX_FMT_RGB24, SWS_BICUBIC, NULL, NULL,
                NULL);
        uint8_t *const targets[4] = {page + (size_t)(tile / columns * height) * stride + tile % columns * width * 3};
        const int strides[4] = {stride};
        sws_scale(
            scaler, (const uint8_t *const *)frame->data, frame->linesize, 0, frame->height, targets, strides);
        av_frame_unref(frame);
    }
    write_jpeg(page, stride, columns * width, count / columns * height, path);
    return count;
}

int main(int count, char **words) {
    check(count >= 3, "do anything without decode, poster or sheet, and a file");
    av_log_set_level(AV_LOG_QUIET);
    long frames = 0;
    if (strcmp(words[1], "poster") == 0 && count == 4)
        frames = decode(open_video(words[2], 1), words[3]);
    else if (strcmp(words[1], "sheet") == 0 && count == 4)
        frames = write_sheet(open_video(words[2], 1), words[3]);
    else if (strcmp(words[1], "decode") == 0)
        frames = decode(open_video(words[2], (int)sysconf(_SC_NPROCESSORS_ONLN)), NULL);
    check(frames > 0, "decode a frame");
    // As lazyimg does, without taking everything apart.
    _exit(0);
}
