// Every frame of a GIF as BGRA by Wuffs, composed as its library composes: $WUFFS is the folder of its one C file, as the
// source archive of pywuffs (PyPI) has it under libs/wuffs/release/c.
//
//   wuffs FILE
#define WUFFS_IMPLEMENTATION
#define WUFFS_CONFIG__MODULES
#define WUFFS_CONFIG__MODULE__BASE
#define WUFFS_CONFIG__MODULE__GIF
#define WUFFS_CONFIG__MODULE__LZW
#include "wuffs-unsupported-snapshot.c"

#include <stdio.h>

static wuffs_base__slice_u8 read_file(const char *path) {
    FILE *file = fopen(path, "rb");
    if (!file || fseek(file, 0, SEEK_END) != 0) return wuffs_base__empty_slice_u8();
    const size_t size = (size_t)ftell(file);
    uint8_t *bytes = malloc(size);
    rewind(file);
    const size_t count = bytes ? fread(bytes, 1, size, file) : 0;
    fclose(file);
    return wuffs_base__make_slice_u8(bytes, count);
}

int main(int count, char **words) {
    wuffs_base__slice_u8 bytes = count == 2 ? read_file(words[1]) : wuffs_base__empty_slice_u8();
    wuffs_base__io_buffer source = wuffs_base__slice_u8__reader(bytes, true);
    wuffs_gif__decoder *decoder = wuffs_gif__decoder__alloc();
    wuffs_base__image_config config = {0};
    if (!decoder) return 1;
    wuffs_base__status status = wuffs_gif__decoder__decode_image_config(decoder, &config, &source);
    if (!wuffs_base__status__is_ok(&status)) return 1;
    const uint32_t width = wuffs_base__pixel_config__width(&config.pixcfg);
    const uint32_t height = wuffs_base__pixel_config__height(&config.pixcfg);
    wuffs_base__pixel_config__set(
        &config.pixcfg, WUFFS_BASE__PIXEL_FORMAT__BGRA_PREMUL, WUFFS_BASE__PIXEL_SUBSAMPLING__NONE, width, height);
    const size_t size = (size_t)width * height * 4;
    wuffs_base__slice_u8 pixels = wuffs_base__make_slice_u8(calloc(size, 1), size);
    const size_t needed = (size_t)wuffs_gif__decoder__workbuf_len(decoder).max_incl;
    wuffs_base__slice_u8 work = wuffs_base__make_slice_u8(malloc(needed + 1), needed);
    wuffs_base__pixel_buffer canvas = {0};
    status = wuffs_base__pixel_buffer__set_from_slice(&canvas, &config.pixcfg, pixels);
    if (!wuffs_base__status__is_ok(&status)) return 1;
    long frames = 0;
    for (;; frames++) {
        wuffs_base__frame_config frame = {0};
        status = wuffs_gif__decoder__decode_frame_config(decoder, &frame, &source);
        if (!wuffs_base__status__is_ok(&status)) break;
        const wuffs_base__pixel_blend blend = wuffs_base__frame_config__overwrite_instead_of_blend(&frame)
            ? WUFFS_BASE__PIXEL_BLEND__SRC : WUFFS_BASE__PIXEL_BLEND__SRC_OVER;
        status = wuffs_gif__decoder__decode_frame(decoder, &canvas, &source, blend, work, NULL);
        if (!wuffs_base__status__is_ok(&status)) break;
    }
    if (frames == 0) fputs("baseline: cannot read the GIF\n", stderr);
    return frames == 0;
}
