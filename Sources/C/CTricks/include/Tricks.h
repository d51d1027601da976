// Which tricks of this folder apply; README.md says what each one does and assumes.
#ifndef LAZYIMG_TRICKS_H
#define LAZYIMG_TRICKS_H

/// Something below the public interface of libc, the linker or Swift's run time.
enum tricks_trick { tricks_stand_ins, tricks_conformances };

/// What tricks depend on at run time.
struct tricks_machine {
    /// The version of glibc, such as `2.36`.
    const char *_Nullable glibc;
    /// The name of FFmpeg's library of codecs, such as `libavcodec.so.59`; for `tricks_stand_ins` only.
    const char *_Nullable codecs;
    /// The value of `LAZYIMG_PLAIN`, or null.
    const char *_Nullable plain;
    /// Whether the program has more rights than who started it, and does not trust the environment.
    int is_privileged;
};

/// What this process runs on.
struct tricks_machine tricks_this_machine(void);

/// Whether a trick was tested on such a machine, and nobody turned it off.
int tricks_applies(enum tricks_trick trick, struct tricks_machine machine);

#endif
