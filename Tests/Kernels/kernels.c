// Runs the kernels over numbers that are the same everywhere and prints a digest of each result: every processor has
// to print the same text. Values of standards are checked.
#include <Checksum.h>
#include <Color.h>
#include <Deinterlace.h>
#include <Digest.h>
#include <Scanline.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 131, HEIGHT = 37, PIXELS = WIDTH * HEIGHT };

static int failures;

static void expect(int holds, const char *claim) {
    if (holds) return;
    printf("FAILED: %s\n", claim);
    failures++;
}

static uint32_t next_number(void) {
    static uint32_t state = 1;
    state = state * 1664525u + 1013904223u;
    return state >> 8;
}

static void fill(void *memory, size_t count) {
    uint8_t *bytes = memory;
    for (size_t i = 0; i < count; i++) bytes[i] = (uint8_t)next_number();
}

static void print_hexadecimal(const char *name, const uint8_t *bytes, size_t count) {
    printf("%s ", name);
    for (size_t i = 0; i < count; i++) printf("%02x", bytes[i]);
    printf("\n");
}

static void sha256(const void *bytes, size_t count, uint8_t *digest) {
    lazy_sha256_state sum;
    lazy_sha256_begin(&sum);
    lazy_sha256_add(&sum, bytes, count);
    lazy_sha256_end(&sum, digest);
}

static void report(const char *name, const void *bytes, size_t count) {
    uint8_t digest[LAZY_SHA256_LENGTH];
    sha256(bytes, count, digest);
    print_hexadecimal(name, digest, sizeof digest);
}

// MARK: - Digests and sums

static void digests(void) {
    static const uint8_t sha_of_abc[] = {0xba, 0x78, 0x16, 0xbf, 0x8f, 0x01, 0xcf, 0xea}, md5_of_abc[] = {0x90, 0x01, 0x50, 0x98};
    uint8_t digest[LAZY_SHA256_LENGTH], all[300 * LAZY_SHA256_LENGTH], bytes[9 * 64];
    sha256("abc", 3, digest);
    expect(memcmp(digest, sha_of_abc, sizeof sha_of_abc) == 0, "SHA-256 of FIPS 180-4");
    lazy_md5("abc", 3, digest);
    expect(memcmp(digest, md5_of_abc, sizeof md5_of_abc) == 0, "MD5 of RFC 1321");
    fill(bytes, sizeof bytes);
    for (size_t i = 0; i < 300; i++) sha256(bytes, i, all + i * sizeof digest);
    report("sha256", all, sizeof all);
    for (size_t i = 0; i < 300; i++) lazy_md5(bytes, i, all + i * LAZY_MD5_LENGTH);
    report("md5", all, 300 * LAZY_MD5_LENGTH);
    lazy_sha256_state sum, portable;
    lazy_sha256_begin(&sum);
    portable = sum;
    lazy_sha256_add(&sum, bytes, sizeof bytes);
    lazy_sha256_add_blocks_portable(portable.state, bytes, sizeof bytes / 64);
    expect(memcmp(sum.state, portable.state, sizeof sum.state) == 0, "SHA-256 by instructions and portable");
    for (size_t i = 3; i < sizeof bytes; i += 8) bytes[i] = 0;
    lazy_sha256_begin(&sum);
    lazy_sha256_add_visible(&sum, bytes, sizeof bytes);
    lazy_sha256_end(&sum, digest);
    print_hexadecimal("sha256 visible", digest, sizeof digest);
}

static void sums(void) {
    static const uint8_t zeros[32];
    expect(cchecksum_crc32c(0, "123456789", 9) == 0xE3069283, "CRC-32C of the catalog of CRCs");
    expect(cchecksum_crc32c(0, zeros, sizeof zeros) == 0x8A9136AA, "CRC-32C of RFC 3720");
    expect(cscanline_crc((const uint8_t *)"123456789", 9) == 0xCBF43926, "CRC-32 of the catalog of CRCs");
    uint8_t bytes[1000];
    fill(bytes, sizeof bytes);
    for (size_t i = 0; i < sizeof bytes; i += 97) {
        uint32_t first = cchecksum_crc32c(0, bytes, i);
        expect(cchecksum_crc32c(first, bytes + i, sizeof bytes - i) == cchecksum_crc32c(0, bytes, sizeof bytes), "CRC-32C in pieces");
        printf("crc %zu %08x %08x\n", i, first, cscanline_crc(bytes, i));
    }
}

// MARK: - Scanlines

static uint32_t pixels[PIXELS], others[PIXELS];
static uint8_t out[PIXELS * 8 + HEIGHT + CSCANLINE_SLACK], scratch[4 * WIDTH * 4];
static uint8_t again[sizeof out];

static void filters(void) {
    cscanline_rows rows = {(const uint8_t *)pixels, WIDTH, WIDTH * 4, 0, HEIGHT};
    cscanline_filter_rgb(rows, CSCANLINE_PORTABLE, out);
    for (cscanline_kernel kernel = CSCANLINE_PORTABLE; kernel <= cscanline_best_kernel(); kernel++) {
        cscanline_filter_rgb(rows, kernel, again);
        expect(memcmp(out, again, HEIGHT * (1 + WIDTH * 3)) == 0, "RGB by another path");
    }
    report("rgb", out, HEIGHT * (1 + WIDTH * 3));
    cscanline_filter_rgba(rows, out);
    report("rgba", out, HEIGHT * (1 + WIDTH * 4));
    for (int channels = 3; channels <= 4; channels++) {
        size_t count = HEIGHT * (1 + WIDTH * (size_t)channels);
        cscanline_filter_none(rows, channels, out);
        report("none", out, count);
        cscanline_filter_best(rows, channels, scratch, out);
        report("best", out, count);
    }
    for (int filter = 0; filter <= 5; filter++) {
        cscanline_filter_samples(rows.rgba, NULL, WIDTH * 3, HEIGHT, 3, filter, scratch, out);
        report("samples", out, HEIGHT * (1 + WIDTH * 3));
    }
}

static void samples(void) {
    for (int channels = 1; channels <= 4; channels++) {
        cscanline_take_deep_samples((const uint16_t *)pixels, PIXELS / 2, channels, out);
        report("deep", out, PIXELS / 2 * (size_t)channels * 2);
        if (channels <= 2) cscanline_take_gray_samples(pixels, PIXELS, channels, out);
        if (channels >= 2) printf("sayable %d ", cscanline_take_samples(pixels, PIXELS, channels, 0, out));
        report("taken", out, PIXELS * (size_t)channels);
    }
    cscanline_rows rows = {(const uint8_t *)pixels, WIDTH, WIDTH * 4, 0, HEIGHT};
    printf("traits %d %d %d\n", cscanline_traits(rows), cscanline_is_opaque(rows), cscanline_has_few_colors(rows));
    memcpy(others, pixels, sizeof pixels);
    for (size_t i = WIDTH * 5 + 7; i < WIDTH * 20; i += 53) others[i] ^= 0x00FF00FF;
    cscanline_changes changes = cscanline_compare(pixels, others, WIDTH, HEIGHT);
    printf("changes %zu %zu %zu %zu %zu %d\n", changes.x, changes.y, changes.width, changes.height, changes.count, changes.can_lie_over);
    cscanline_take_rect(pixels, others, WIDTH, WIDTH - 3, HEIGHT - 2, (uint32_t *)(void *)out);
    report("rect", out, (WIDTH - 3) * (HEIGHT - 2) * 4);
}

static void palettes(void) {
    for (size_t i = 0; i < PIXELS; i++) others[i] = 0xFF000000u | (pixels[i] % 13) * 0x010307;
    cscanline_rows rows = {(const uint8_t *)others, WIDTH, WIDTH * 4, 0, HEIGHT};
    cscanline_palette *palette = cscanline_palette_make();
    if (!palette) abort();
    expect(cscanline_index(palette, rows, 1, out), "thirteen colors fit");
    expect(cscanline_palette_count(palette) == 13, "thirteen colors");
    report("colors", cscanline_palette_colors(palette), 13 * 4);
    report("indices", out, HEIGHT * (1 + WIDTH));
    uint8_t map[256];
    for (int i = 0; i < 256; i++) map[i] = (uint8_t)(255 - i);
    cscanline_look_up(palette, others, PIXELS, map, again);
    report("looked up", again, PIXELS);
    size_t packed = cscanline_pack_indices(out, WIDTH, HEIGHT, 4);
    report("packed", out, packed);
    cscanline_palette_free(palette);
}

// The bytes of a stream differ, because ISA-L looks for matches otherwise; what they say does not.
static void streams(void) {
    const uint8_t *bytes = (const uint8_t *)others;
    for (int level = 1; level <= 2; level++) {
        cscanline_deflater *deflater = cscanline_deflater_make();
        cscanline_buffer buffer = {0};
        if (!deflater) abort();
        cscanline_deflater_begin(deflater, level, 16);
        expect(cscanline_deflate(deflater, bytes, sizeof others, 1, &buffer), "deflate");
        memset(out, 0, sizeof out);
        expect(cscanline_inflate(buffer.bytes, buffer.count, out, sizeof others), "inflate");
        expect(memcmp(out, bytes, sizeof others) == 0 && buffer.count < sizeof others / 2, "a stream of ISA-L");
        cscanline_free(&buffer);
        cscanline_deflater_free(deflater);
    }
    cscanline_buffer buffer = {0};
    expect(cscanline_squeeze(6, bytes, sizeof others, &buffer), "squeeze");
    expect(cscanline_inflate(buffer.bytes, buffer.count, out, sizeof others), "inflate");
    expect(memcmp(out, bytes, sizeof others) == 0, "a stream of zlib");
    cscanline_free(&buffer);
}

// MARK: - Colors

static float light[256], gain[CCOLOR_LIGHT_STEPS + 1];
static int32_t output[CCOLOR_OUTPUT_STEPS + 1];
static uint16_t rows16[3][PIXELS], codes[3][PIXELS];
static uint8_t alpha[PIXELS];
static uint32_t rgba[PIXELS], portable[PIXELS];

static void conversions(void) {
    for (int i = 0; i < 256; i++) light[i] = (float)(i * i) / 40000;
    for (int i = 0; i <= CCOLOR_LIGHT_STEPS; i++) gain[i] = 1 - (float)i / 40000;
    for (int i = 0; i <= CCOLOR_OUTPUT_STEPS; i++) output[i] = i / 17;
    for (int i = 0; i < PIXELS; i++) {
        for (int row = 0; row < 3; row++) rows16[row][i] = (uint16_t)(next_number() & 255);
        alpha[i] = (uint8_t)i;
    }
    ccolor_conversion conversion = {
        .steps = 255, .light = {light, light, light}, .wide = {0.6f, 0.3f, 0.1f, 0.1f, 0.8f, 0.1f, 0, 0.1f, 0.9f},
        .matrix = {1.6f, -0.5f, -0.1f, -0.1f, 1.1f, 0, 0, -0.1f, 1.1f}, .gain = gain, .system_gamma = gain,
        .most_light = 2, .output = output};
    for (int kind = CCOLOR_PLAIN; kind <= CCOLOR_HLG; kind++) {
        conversion.kind = (ccolor_kind)kind;
        ccolor_convert(&conversion, rows16[0], rows16[1], rows16[2], alpha, rgba, PIXELS);
        ccolor_convert_portable(&conversion, rows16[0], rows16[1], rows16[2], alpha, portable, PIXELS);
        expect(memcmp(rgba, portable, sizeof rgba) == 0, "colors by instructions and portable");
        report("colors", rgba, sizeof rgba);
    }
}

static void matrices(void) {
    // BT.709 in the limited range, 8 bits and two more of chroma.
    const ccolor_matrix matrix = {16, 512, 304764, 0, 117302, -13953, -34865, 138219, 0, 8160};
    const ccolor_deep_matrix deep = {64, 4096, 20088000000, 0, 3866000000, -460000000, -1149000000, 4555000000, 0};
    static uint16_t wide[2][PIXELS], deep_rgba[PIXELS * 4];
    static int32_t deep_chroma[2][PIXELS];
    static uint8_t narrow[PIXELS];
    for (int is_half = 0; is_half <= 1; is_half++) {
        ccolor_expand_chroma(rows16[1], rows16[2], is_half, wide[0], PIXELS);
        ccolor_repeat_chroma(rows16[2], is_half, wide[1], PIXELS);
        report("expanded", wide[0], sizeof wide[0]);
        report("repeated", wide[1], sizeof wide[1]);
        ccolor_yuv_to_rgb(&matrix, rows16[0], wide[0], wide[1], codes[0], codes[1], codes[2], PIXELS);
        report("codes", codes, sizeof codes);
        ccolor_join8(codes[0], codes[1], codes[2], is_half ? alpha : NULL, rgba, PIXELS);
        report("joined", rgba, sizeof rgba);
        for (int i = 0; i < 2; i++) ccolor_expand_deep_chroma(rows16[1 + i], rows16[2 - i], is_half, i, deep_chroma[i], PIXELS);
        report("deep chroma", deep_chroma, sizeof deep_chroma);
        ccolor_yuv_to_rgba16(&deep, rows16[0], deep_chroma[0], deep_chroma[1], deep_rgba, PIXELS);
        report("deep", deep_rgba, sizeof deep_rgba);
    }
    ccolor_scale16(&deep, rows16[2], deep_rgba + 1, PIXELS - 1);
    report("scaled", deep_rgba, sizeof deep_rgba);
    ccolor_scale(&matrix, rows16[0], codes[0], PIXELS);
    report("scaled", codes[0], sizeof codes[0]);
    ccolor_widen((const uint8_t *)pixels, codes[0], PIXELS);
    report("widened", codes[0], sizeof codes[0]);
    ccolor_split8(pixels, codes[0], codes[1], codes[2], narrow, PIXELS);
    report("split", codes, sizeof codes);
    ccolor_split16(deep_rgba, 8160, codes[0], codes[1], codes[2], narrow, PIXELS);
    report("split", codes, sizeof codes);
    report("split", narrow, sizeof narrow);
}

// MARK: - Fields

static void fields(void) {
    static uint16_t pictures[3][PIXELS], target[PIXELS];
    for (int bits = 8; bits <= 10; bits += 2) {
        size_t size = bits > 8 ? 2 : 1;
        for (int picture = 0; picture < 3; picture++) {
            fill(pictures[picture], sizeof pictures[picture]);
            if (bits == 10)
                for (int i = 0; i < PIXELS; i++) pictures[picture][i] &= 1023;
        }
        for (int way = 0; way < 4; way++) {
            int is_alone = way & 1;
            cdeinterlace_plane plane = {
                .previous = is_alone ? NULL : pictures[0], .current = pictures[1], .next = is_alone ? NULL : pictures[2],
                .width = WIDTH, .height = HEIGHT, .bits = bits, .keeps_top = way >> 1};
            plane.previous_stride = plane.current_stride = plane.next_stride = (ptrdiff_t)(WIDTH * size);
            cdeinterlace(&plane, target, plane.current_stride);
            report("fields", target, PIXELS * size);
        }
    }
}

int main(void) {
    fill(pixels, sizeof pixels);
    digests();
    sums();
    filters();
    samples();
    palettes();
    streams();
    conversions();
    matrices();
    fields();
    return failures ? 1 : 0;
}
