#ifndef CLAZYSYSTEM_H
#define CLAZYSYSTEM_H

#include <stdint.h>

// Linux calls whose constants and prototypes Swift's Glibc module does not have, and the one piece
// of code that must be async-signal-safe.

/// Opens a file without a name in a folder (`O_TMPFILE`); it is gone if it is never given one.
int lazy_open_unnamed(const char *folder, unsigned mode);

/// Gives an unnamed file its name; fails with `EEXIST` where the name is taken.
int lazy_link_unnamed(int descriptor, const char *path);

/// Opens a file by a path below an open folder, following no symbolic link and leaving it by no `..`.
///
/// Close-on-exec; `mode` is for a file that is made. `ELOOP` or `ENOTDIR` where a part is a link.
int lazy_open_beneath(int folder, const char *path, int flags, unsigned mode);

/// The same without `openat2`, for the tests.
int lazy_open_stepwise(int folder, const char *path, int flags, unsigned mode);

/// Opens a name as a mere place (`O_PATH`), whatever stands there; a link itself unless `follows`.
///
/// `folder` is `lazy_current_folder`, or an open folder.
int lazy_open_place(int folder, const char *name, int follows);

/// The folder that relative paths begin at.
extern const int lazy_current_folder;

/// Claims one of 2^62 places of an open file for this descriptor; -1 where another descriptor has it.
///
/// 0 also where the file system has no locks. The end of the process gives the claim up.
int lazy_claim(int descriptor, uint64_t place);

/// Gives a claim up.
void lazy_release(int descriptor, uint64_t place);

/// Says that this descriptor uses an open file; waits while another one has it alone.
///
/// Gives up what it has alone, and all claims. -1 where the file system has no locks. The end of the process takes it back.
int lazy_attend(int descriptor);

/// Takes an open file that nobody else attends and of which nobody else has claimed a place; -1 where
/// that is not so, and where the file system has no locks. Until `lazy_attend` or the end.
int lazy_have_alone(int descriptor);

/// Renames unless the new name is taken (`EEXIST`).
int lazy_rename_new(const char *from, const char *to);

/// Makes signals come out of a pipe, one byte each; -1 on failure, or the end to read from.
///
/// A signal that is ignored already, as under nohup, stays so.
int lazy_signals_as_bytes(const int *signals, int count);

/// Gives a terminal's keys the modes that they have now before a signal ends the process.
///
/// For every signal whose default ends a process and which nobody else answers, faults included. The
/// signal then does what it would have done.
void lazy_guard_keys(int keys);

/// Writes `ending` to a screen before such a signal ends the process.
void lazy_guard_screen(int screen, const char *ending);

/// Ends both: the terminal is as before, or somebody else sees to it.
void lazy_release_terminal(void);

/// Has blocks of so many bytes mapped each by itself, and given back when they are freed; for good.
///
/// The C library raises its own limit as it goes, and keeps what was freed in an arena for each thread.
void lazy_map_blocks_from(int bytes);

#endif
