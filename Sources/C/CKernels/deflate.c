#include "Scanline.h"
#include "vectors.h"

#include <isa-l.h>
#include <isa-l/igzip_lib.h>
#include <stdlib.h>
#include <string.h>
#include <zlib.h>

struct cscanline_deflater {
    struct isal_zstream stream;
    uint8_t level_buffer[ISAL_DEF_LVL1_LARGE + ISAL_DEF_LVL2_LARGE] __attribute__((aligned(16)));
    uint32_t adler;
    int has_begun;
};

int cscanline_reserve(cscanline_buffer *buffer, size_t more) {
    if (buffer->capacity - buffer->count >= more) return 1;
    size_t wanted = buffer->count + more;
    if (wanted < buffer->capacity + buffer->capacity / 2)
        wanted = buffer->capacity + buffer->capacity / 2;
    uint8_t *bytes = realloc(buffer->bytes, wanted);
    if (!bytes) return 0;
    buffer->bytes = bytes;
    buffer->capacity = wanted;
    return 1;
}

void cscanline_free(cscanline_buffer *buffer) {
    free(buffer->bytes);
    *buffer = (cscanline_buffer){0};
}

cscanline_deflater *cscanline_deflater_make(void) { return malloc(sizeof(cscanline_deflater)); }

void cscanline_deflater_free(cscanline_deflater *deflater) { free(deflater); }

void cscanline_deflater_begin(cscanline_deflater *deflater, int level, int block_thousands) {
    // ISA-L makes its blocks as long as this memory allows: see ISAL_DEF_LVL1_SMALL and the like.
    uint32_t tables = level == 1 ? ISAL_DEF_LVL1_REQ : ISAL_DEF_LVL2_REQ;
    isal_deflate_init(&deflater->stream);
    deflater->stream.level = (uint32_t)level;
    deflater->stream.level_buf = deflater->level_buffer;
    deflater->stream.level_buf_size =
        tables + (uint32_t)block_thousands * 1024 * ISAL_DEF_LVL1_TOKEN_SIZE;
    deflater->adler = 1;
    deflater->has_begun = 0;
}

static int append(cscanline_buffer *out, const uint8_t *bytes, size_t count) {
    if (!cscanline_reserve(out, count)) return 0;
    memcpy(out->bytes + out->count, bytes, count);
    out->count += count;
    return 1;
}

// The header of zlib, and the first byte in a stored block.
//
// ISA-L 2.30 on x86-64 hashes the address of its state into the matches of a stream that begins without history
// (`.write_first_byte` of igzip_icf_body_h1_gr_bt.asm). With a dictionary, which is that byte, equal bytes become
// equal streams.
static int begin(
    cscanline_deflater *deflater, const uint8_t *bytes, size_t count, cscanline_buffer *out) {
    static const uint8_t zlib[] = {0x78, 0x01}, stored[] = {0, 1, 0, 0xFE, 0xFF};
    deflater->has_begun = 1;
    if (!append(out, zlib, sizeof zlib)) return 0;
    if (count == 0) return 1;
    return append(out, stored, sizeof stored) && append(out, bytes, 1)
        && isal_deflate_set_dict(&deflater->stream, (uint8_t *)bytes, 1) == COMP_OK;
}

static int append_checksum(uint32_t adler, cscanline_buffer *out) {
    uint8_t bytes[] = {
        (uint8_t)(adler >> 24), (uint8_t)(adler >> 16), (uint8_t)(adler >> 8), (uint8_t)adler};
    return append(out, bytes, sizeof bytes);
}

static int deflate_piecewise(
    cscanline_deflater *deflater, const uint8_t *bytes, size_t count, int is_last,
    cscanline_buffer *out) {
    struct isal_zstream *stream = &deflater->stream;
    // ISA-L counts in 32 bits.
    const size_t most = 1u << 30;
    deflater->adler = isal_adler32(deflater->adler, bytes, count);
    if (count == 0 && !is_last) return 1;
    if (!deflater->has_begun) {
        if (!begin(deflater, bytes, count, out)) return 0;
        if (count > 0) bytes++, count--;
    }
    do {
        uint32_t piece = (uint32_t)(count < most ? count : most);
        stream->next_in = (uint8_t *)bytes;
        stream->avail_in = piece;
        stream->end_of_stream = is_last && piece == count;
        bytes += piece;
        count -= piece;
        do {
            if (!cscanline_reserve(out, 1 << 14)) return 0;
            size_t room = out->capacity - out->count;
            stream->next_out = out->bytes + out->count;
            stream->avail_out = (uint32_t)(room < most ? room : most);
            uint32_t before = stream->avail_out;
            if (isal_deflate(stream) != COMP_OK) return 0;
            out->count += before - stream->avail_out;
        } while (stream->avail_out == 0 || stream->avail_in > 0);
    } while (count > 0);
    return is_last ? append_checksum(deflater->adler, out) : 1;
}

int cscanline_deflate(
    cscanline_deflater *deflater, const uint8_t *bytes, size_t count, int is_last,
    cscanline_buffer *out) {
    int status = deflate_piecewise(deflater, bytes, count, is_last, out);
    clear_upper_halves();
    return status;
}

int cscanline_squeeze(int level, const uint8_t *bytes, size_t count, cscanline_buffer *out) {
    z_stream stream;
    memset(&stream, 0, sizeof stream);
    if (deflateInit2(&stream, level, Z_DEFLATED, 15, 9, Z_DEFAULT_STRATEGY) != Z_OK) return 0;
    // zlib counts in 32 bits.
    const size_t most = 1u << 30;
    int status = Z_OK;
    stream.next_in = (uint8_t *)bytes;
    do {
        if (stream.avail_in == 0) {
            stream.avail_in = (uInt)(count < most ? count : most);
            count -= stream.avail_in;
        }
        if (!cscanline_reserve(out, 1 << 14)) break;
        size_t room = out->capacity - out->count;
        stream.next_out = out->bytes + out->count;
        stream.avail_out = (uInt)(room < most ? room : most);
        uInt before = stream.avail_out;
        status = deflate(&stream, count == 0 ? Z_FINISH : Z_NO_FLUSH);
        out->count += before - stream.avail_out;
    } while (status == Z_OK || status == Z_BUF_ERROR);
    deflateEnd(&stream);
    return status == Z_STREAM_END;
}

int cscanline_inflate(const uint8_t *bytes, size_t byte_count, uint8_t *out, size_t count) {
    struct inflate_state state;
    isal_inflate_init(&state);
    state.crc_flag = ISAL_ZLIB;
    state.next_in = (uint8_t *)bytes;
    state.avail_in = (uint32_t)byte_count;
    state.next_out = out;
    state.avail_out = (uint32_t)count;
    if (byte_count > UINT32_MAX || count > UINT32_MAX) return 0;
    int status = isal_inflate_stateless(&state);
    clear_upper_halves();
    return status == ISAL_DECOMP_OK && state.avail_out == 0;
}

#define TEXT_(number) #number
#define TEXT(number) TEXT_(number)

const char *cscanline_isal_version(void) {
    return TEXT(ISAL_MAJOR_VERSION) "." TEXT(ISAL_MINOR_VERSION) "." TEXT(ISAL_PATCH_VERSION);
}
