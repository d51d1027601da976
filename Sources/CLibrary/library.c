#include "CLibrary.h"

void *clibrary_open(
    const char *name, const char *need, const char *package, const char *rest, char *message,
    size_t size) {
    message[0] = 0;
    void *library = dlopen(name, RTLD_LAZY | RTLD_LOCAL);
    if (!library)
        snprintf(message, size, "%s %s, which is not on this machine (Debian: apt-get install %s)%s.",
            need, name, package, rest);
    return library;
}

int clibrary_lacks(
    const char *name, const char *function, const char *project, char *message, size_t size) {
    snprintf(message, size, "%s has no function %s: it is not the %s that lazyimg needs.", name,
        function, project);
    return -1;
}
