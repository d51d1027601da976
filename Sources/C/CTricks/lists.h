// Private to this folder.
#pragma once
#include <string.h>

/// Whether a list, which ends with a null pointer, has a name.
static inline int is_listed(const char *name, const char *const *list) {
    for (; name && *list; list++)
        if (strcmp(name, *list) == 0) return 1;
    return 0;
}
