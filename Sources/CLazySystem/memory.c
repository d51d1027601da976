#include "CLazySystem.h"

#include <malloc.h>

void lazy_map_blocks_from(int bytes) {
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, bytes);
#else
    (void)bytes;
#endif
}
