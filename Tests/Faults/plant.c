// Copies a file as it should be done, or does something wrong where a call fails: run.py makes sure that it sees each.
//
// usage: plant MODE FROM TO
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *mode;

static int is(const char *name) { return strcmp(mode, name) == 0; }

static int fail(const char *from, const char *to, const char *part) {
    if (is("dies")) raise(SIGSEGV);
    if (is("hangs")) pause();
    if (is("leaves")) return dprintf(2, "lazyimg: It failed.\n"), 74;
    unlink(part);
    if (is("half")) close(open(to, O_CREAT | O_WRONLY, 0666));
    if (is("loses")) unlink(from);
    if (is("lies")) return 0;
    if (is("silent")) return 74;
    if (is("unknown")) return dprintf(2, "lazyimg: It failed.\n"), 3;
    if (is("vague")) return dprintf(2, "lazyimg: Success.\n"), 74;
    dprintf(2, "lazyimg: Cannot copy %s.\n", from);
    return 74;
}

int main(int count, char **words) {
    if (count < 4) return 64;
    mode = words[1];
    const char *from = words[2], *to = words[3], *part = ".part.lazyimg-1";
    char bytes[4096];
    int in = open(from, O_RDONLY), out = open(part, O_CREAT | O_WRONLY, 0666);
    if (in < 0 || out < 0) return fail(from, to, part);
    for (;;) {
        ssize_t size = read(in, bytes, sizeof bytes);
        if (size == 0) break;
        if (size < 0 || write(out, bytes, (size_t)size) != size) return fail(from, to, part);
    }
    if (rename(part, to)) return fail(from, to, part);
    return 0;
}
