#include "CLazySystem.h"

#include <malloc.h>

void lazy_map_blocks_from(int bytes) {
#ifdef M_MMAP_THRESHOLD
    mallopt(M_MMAP_THRESHOLD, bytes);
    // The C library's own rule, which setting the first turns off. Smaller blocks at the end of an arena
    // would go back to the system and be cleared for the next one.
    mallopt(M_TRIM_THRESHOLD, 2 * bytes);
#else
    (void)bytes;
#endif
}

void lazy_trim_heap(void) {
#ifdef __GLIBC__
    malloc_trim(0);
#endif
}
