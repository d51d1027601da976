#define _GNU_SOURCE
#include "Heap.h"

#include <malloc.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static const size_t large_page = 2 << 20;

// Memory that is never freed; the compiler cannot tell, and leave it out.
static char *taken(size_t size) {
    char *memory = malloc(size);
    __asm__ volatile("" : "+r"(memory));
    return memory;
}

// Gives back what lies within a block that nobody uses.
static void empty(char *block, size_t size) {
    // 4, 16 or 64 KB on arm64: the system rounds the end of a range up, to what others use.
    const uintptr_t page = (uintptr_t)sysconf(_SC_PAGESIZE);
    uintptr_t first = ((uintptr_t)block + page - 1) & -page, end = ((uintptr_t)block + size) & -page;
    if (first < end) madvise((void *)first, end - first, MADV_DONTNEED);
}

void tricks_fill_heap(void) {
    const size_t smallest = 1024, own = 32 << 10;
    // Memory that was written once keeps a table of small pages, even where it is free.
    char *written = sbrk(0), *next = NULL;
    uintptr_t last = 0;
    malloc_trim(0);
    const char *end = sbrk(0);
    // Another allocator may never come to the end.
    size_t most = mallinfo2().fordblks + 4 * large_page;
    for (size_t size = large_page; size >= smallest; size /= 2) {
        while ((next = taken(size)) && next < end && most >= size) {
            empty(next, size);
            most -= size;
        }
        if (!next) return;
        if (next + size > written) written = next + size;
        last = (uintptr_t)next;
        free(next);
    }
    if (last < (uintptr_t)end || last > (uintptr_t)sbrk(0)) return;
    // This process allocates from here, lest it touch the large page.
    char *reserve = taken(own);
    if (!reserve) return;
    next = reserve + malloc_usable_size(reserve) + sizeof(size_t);
    // The end of the heap describes itself in the bytes before the large page.
    char *large = (char *)(((uintptr_t)written + 2 * own + large_page - 1) & -large_page) - 64;
    while (next && large - next > (ptrdiff_t)large_page) {
        next = taken(large_page);
        if (next) next += malloc_usable_size(next) + sizeof(size_t);
    }
    if (next) taken((size_t)(large - next));
    free(reserve);
}
