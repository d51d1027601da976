#include "coefficients.h"
#include "jump.h"
#include <stdlib.h>
#include <string.h>

// The coefficients of a picture in scans, which libjpeg wants to have as whole arrays: three bytes a pixel, of which
// most are zero. Here only the rows of blocks that it works on are an array. The others are packed: of each block which
// of its 16 groups of four coefficients are not zero, which of these need 16 bits a coefficient, those of 8, and those
// of 16.

enum { GROUP = 4, HEAD_BYTES = 4, MOST_PACKED = HEAD_BYTES + sizeof(JBLOCK) };

typedef int8_t narrow __attribute__((vector_size(GROUP)));
typedef int16_t wide __attribute__((vector_size(GROUP * 2)));

/// A row of blocks: as packed or, where that is not smaller, as it is; nothing where all are zero.
typedef struct {
    uint8_t *bytes;
    size_t count;
} packed_row;

struct jvirt_barray_control {
    JDIMENSION width, height;
    packed_row *rows;
    /// The rows that libjpeg has, from `first` on, and whether it may have changed them.
    JBLOCKARRAY window;
    JDIMENSION first, count;
    int is_changed;
    /// Where a row is packed.
    uint8_t *scratch;
    struct jvirt_barray_control *next;
};

static uint8_t *pack_block(const JCOEF *block, uint8_t *out) {
    uint16_t used[2] = {0, 0};
    uint8_t *end = out + HEAD_BYTES;
    for (int i = 0; i < DCTSIZE2 / GROUP; i++) {
        wide group;
        memcpy(&group, block + i * GROUP, sizeof group);
        uint64_t all = (uint64_t)group;
        if (!all) continue;
        used[0] |= (uint16_t)(1 << i);
        narrow bytes = __builtin_convertvector(group, narrow);
        if ((uint64_t)__builtin_convertvector(bytes, wide) == all) {
            memcpy(end, &bytes, sizeof bytes);
            end += sizeof bytes;
        } else {
            used[1] |= (uint16_t)(1 << i);
        }
    }
    for (unsigned left = used[1]; left; left &= left - 1) {
        memcpy(end, block + __builtin_ctz(left) * GROUP, sizeof(wide));
        end += sizeof(wide);
    }
    memcpy(out, used, sizeof used);
    return end;
}

static const uint8_t *unpack_block(const uint8_t *in, JCOEF *block) {
    uint16_t used[2];
    memcpy(used, in, sizeof used);
    in += HEAD_BYTES;
    memset(block, 0, sizeof(JBLOCK));
    for (unsigned left = used[0] & ~used[1]; left; left &= left - 1) {
        narrow bytes;
        memcpy(&bytes, in, sizeof bytes);
        in += sizeof bytes;
        wide group = __builtin_convertvector(bytes, wide);
        memcpy(block + __builtin_ctz(left) * GROUP, &group, sizeof group);
    }
    for (unsigned left = used[1]; left; left &= left - 1) {
        memcpy(block + __builtin_ctz(left) * GROUP, in, sizeof(wide));
        in += sizeof(wide);
    }
    return in;
}

static void fail(j_common_ptr jpeg) {
    jpeg->err->msg_code = JERR_OUT_OF_MEMORY;
    jpeg->err->error_exit(jpeg);
}

static void pack_row(
    j_common_ptr jpeg, const struct jvirt_barray_control *array, JBLOCKROW blocks,
    packed_row *row) {
    const size_t plain = array->width * sizeof(JBLOCK);
    uint8_t *end = array->scratch;
    for (JDIMENSION x = 0; x < array->width; x++) end = pack_block(blocks[x], end);
    size_t count = (size_t)(end - array->scratch);
    const void *bytes = array->scratch;
    if (count >= plain) bytes = blocks, count = plain;
    if (row->count != count) {
        uint8_t *room = realloc(row->bytes, count);
        if (!room) fail(jpeg);
        *row = (packed_row){room, count};
    }
    memcpy(row->bytes, bytes, count);
}

static void unpack_row(
    const struct jvirt_barray_control *array, const packed_row *row, JBLOCKROW blocks) {
    const size_t plain = array->width * sizeof(JBLOCK);
    if (!row->bytes) {
        memset(blocks, 0, plain);
    } else if (row->count == plain) {
        memcpy(blocks, row->bytes, plain);
    } else {
        const uint8_t *in = row->bytes;
        for (JDIMENSION x = 0; x < array->width; x++) in = unpack_block(in, blocks[x]);
    }
}

static JBLOCKARRAY access_rows(
    j_common_ptr jpeg, jvirt_barray_ptr array, JDIMENSION first, JDIMENSION count,
    boolean is_writable) {
    if (first != array->first || count != array->count) {
        for (JDIMENSION y = 0; array->is_changed && y < array->count; y++)
            pack_row(jpeg, array, array->window[y], &array->rows[array->first + y]);
        array->first = first;
        array->count = count;
        array->is_changed = 0;
        for (JDIMENSION y = 0; y < count; y++)
            unpack_row(array, &array->rows[first + y], array->window[y]);
    }
    if (is_writable) array->is_changed = 1;
    return array->window;
}

static jvirt_barray_ptr request_rows(
    j_common_ptr jpeg, int pool, boolean is_zeroed, JDIMENSION width, JDIMENSION height,
    JDIMENSION most) {
    (void)is_zeroed;
    struct jpeg_memory_mgr *memory = jpeg->mem;
    cjpeg_errors *owner = (cjpeg_errors *)jpeg->err;
    // The pool of the picture is empty once that is finished.
    jvirt_barray_ptr array = memory->alloc_small(jpeg, JPOOL_PERMANENT, sizeof *array);
    *array = (struct jvirt_barray_control){.width = width, .height = height};
    array->window = memory->alloc_barray(jpeg, pool, width, most);
    array->scratch = memory->alloc_large(jpeg, pool, (size_t)width * MOST_PACKED);
    array->rows = calloc(height, sizeof *array->rows);
    if (!array->rows) fail(jpeg);
    array->next = owner->arrays;
    owner->arrays = array;
    return array;
}

void cjpeg_pack_coefficients(j_common_ptr jpeg) {
    jpeg->mem->request_virt_barray = request_rows;
    jpeg->mem->access_virt_barray = access_rows;
}

void cjpeg_free_coefficients(j_common_ptr jpeg) {
    jvirt_barray_ptr array = ((cjpeg_errors *)jpeg->err)->arrays;
    for (; array; array = array->next) {
        for (JDIMENSION y = 0; y < array->height; y++) free(array->rows[y].bytes);
        free(array->rows);
    }
}
