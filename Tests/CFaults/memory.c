#include "faults.h"

#include <stddef.h>
#include <string.h>

// glibc's own, which need no look-up: a look-up asks for memory.
extern void *__libc_malloc(size_t size);
extern void *__libc_calloc(size_t count, size_t size);
extern void *__libc_realloc(void *memory, size_t size);
extern void *__libc_memalign(size_t alignment, size_t size);

static int fails(const char *function, void *caller) {
    static const enum kind kinds[] = {kind_allocation, kind_swift_allocation, kind_none};
    int error = errno;
    int result = faults_fails(kinds[faults_owner(caller)], function, "", caller);
    if (!result) errno = error;
    return result;
}

static char *copy(const char *text, size_t length) {
    char *result = __libc_malloc(length + 1);
    if (!result) return NULL;
    memcpy(result, text, length);
    result[length] = 0;
    return result;
}

char *strdup(const char *text) { return fails("strdup", CALLER) ? NULL : copy(text, strlen(text)); }

char *__strdup(const char *text) { return fails("strdup", CALLER) ? NULL : copy(text, strlen(text)); }

char *strndup(const char *text, size_t most) { return fails("strndup", CALLER) ? NULL : copy(text, strnlen(text, most)); }

void *malloc(size_t size) { return fails("malloc", CALLER) ? NULL : __libc_malloc(size); }

void *calloc(size_t count, size_t size) { return fails("calloc", CALLER) ? NULL : __libc_calloc(count, size); }

// Less never fails.
void *realloc(void *memory, size_t size) {
    return size && fails("realloc", CALLER) ? NULL : __libc_realloc(memory, size);
}

void *memalign(size_t alignment, size_t size) {
    return fails("memalign", CALLER) ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size) {
    return fails("aligned_alloc", CALLER) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size) {
    if (fails("posix_memalign", CALLER)) return ENOMEM;
    void *result = __libc_memalign(alignment, size);
    if (!result) return ENOMEM;
    *memory = result;
    return 0;
}
