#ifndef LAZYIMG_CHOSTILE_H
#define LAZYIMG_CHOSTILE_H

#include <stddef.h>

/// Tries to break out in a way that has a name; `argument` is a path, a port or nothing.
///
/// 0 where it worked, else the error number; -1 for an unknown name.
int hostile_attempt(const char *name, const char *argument);

/// Becomes another program under a filter that refuses system calls, where this one was started by a path whose name
/// begins with `restricted-`; the rest of the name says which: `namespaces`, `landlock`, `seccomp` or `filters`.
void hostile_restrict(const char *program);

/// Remembers which memory this process has; to be called before it enters the sandbox.
void hostile_note_memory(void);

/// Whether a text is in the remembered memory, in the environment, or can be read from a descriptor.
///
/// The text is given with every byte changed by 1, so that it does not find itself.
int hostile_finds(const char *changed);

/// Sends bytes as one packet to the host, with so many copies of a descriptor.
int hostile_send(const void *bytes, size_t count, int descriptors);

/// Allocates and uses memory until there is none.
void hostile_eat(void);

#endif
