#define _GNU_SOURCE
#include "Tricks.h"
#include "lists.h"

#include <gnu/libc-version.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>

// Debian 12 and 13.
static const char *const tested_glibc[] = {"2.36", "2.41", NULL};
// FFmpeg 5.1 and 7.1. Not whole names, by which scripts/deb.sh finds what is loaded.
static const char *const tested_codecs[] = {"59", "61", NULL};

static const char *codecs_version(const char *name) {
    static const char prefix[] = "libavcodec.so.";
    return name && strncmp(name, prefix, sizeof prefix - 1) == 0 ? name + sizeof prefix - 1 : "";
}

struct tricks_machine tricks_this_machine(void) {
    return (struct tricks_machine){
        .glibc = gnu_get_libc_version(), .plain = getenv("LAZYIMG_PLAIN"),
        .is_privileged = getauxval(AT_SECURE) != 0};
}

static int is_tested(enum tricks_trick trick, struct tricks_machine machine) {
#ifndef __x86_64__
    return (void)trick, (void)machine, 0;
#else
    switch (trick) {
    case tricks_stand_ins:
        return is_listed(machine.glibc, tested_glibc) &&
            is_listed(codecs_version(machine.codecs), tested_codecs);
    // Depends on the compiler alone: scripts/link-flags.sh.
    case tricks_conformances: return 1;
    }
    return 0;
#endif
}

int tricks_applies(enum tricks_trick trick, struct tricks_machine machine) {
    int is_plain = machine.plain && *machine.plain && strcmp(machine.plain, "0");
    return !is_plain && !machine.is_privileged && is_tested(trick, machine);
}
