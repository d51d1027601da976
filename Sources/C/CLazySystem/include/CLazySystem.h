#ifndef CLAZYSYSTEM_H
#define CLAZYSYSTEM_H

#include <stdint.h>

// Linux calls that are missing in Swift's Glibc module, and code that must be async-signal-safe.

/// Opens an unnamed file in a folder (`O_TMPFILE`), which is deleted unless it gets a name.
int lazy_open_unnamed(const char *folder, unsigned mode);

/// Names an unnamed file; fails with `EEXIST` if the name exists.
int lazy_link_unnamed(int descriptor, const char *path);

/// Opens a path below an open folder, without symbolic links and without leaving it by `..`.
///
/// Close-on-exec; `mode` is that of a created file. `ELOOP` or `ENOTDIR` if a part is a link.
int lazy_open_beneath(int folder, const char *path, int flags, unsigned mode);

/// Opens what is there below an open folder, also by symbolic links that do not leave it.
///
/// Close-on-exec. `EXDEV` if a link leads out; without `openat2` links are refused, as above.
int lazy_open_inside(int folder, const char *path, int flags);

/// The first one without `openat2`, for tests.
int lazy_open_stepwise(int folder, const char *path, int flags, unsigned mode);

/// Opens a path with `O_PATH`; a link itself unless `follows`.
///
/// `folder` is `lazy_current_folder`, or an open folder.
int lazy_open_place(int folder, const char *name, int follows);

/// The current folder (`AT_FDCWD`).
extern const int lazy_current_folder;

/// Locks one of 2^62 slots of an open file for this descriptor; -1 if another descriptor has it.
///
/// 0 also if the file system has no locks. The lock ends with the process.
int lazy_claim(int descriptor, uint64_t place);

/// Releases a slot.
void lazy_release(int descriptor, uint64_t place);

/// Takes a shared lock of an open file; waits while another descriptor has it exclusively.
///
/// Releases an exclusive lock and all slots. -1 if the file system has no locks. Ends with the process.
int lazy_attend(int descriptor);

/// Takes the exclusive lock of an open file; -1 if others have a lock or a slot, or if the file
/// system has no locks. Ends with `lazy_attend` or the process.
int lazy_have_alone(int descriptor);

/// Renames unless the new name exists (`EEXIST`).
int lazy_rename_new(const char *from, const char *to);

/// Delivers signals as bytes through a pipe; returns its reading end, or -1 on failure.
///
/// Signals that are ignored, as under nohup, stay ignored.
int lazy_signals_as_bytes(const int *signals, int count);

/// Restores the current modes of a terminal before a signal ends the process.
///
/// For every signal without another handler whose default action ends a process, including faults.
/// The default action follows.
void lazy_guard_keys(int keys);

/// Writes `ending` to a terminal before such a signal ends the process.
void lazy_guard_screen(int screen, const char *ending);

/// Removes a file before such a signal ends the process, and by `lazy_release_terminal`; `slot` is 0 to 3.
void lazy_guard_file(int slot, const char *path);

/// Ends all three.
void lazy_release_terminal(void);

/// Maps allocations from a size upward separately, so that freed memory returns to the system.
///
/// By default the C library raises this threshold, and keeps freed memory in an arena per thread.
void lazy_map_blocks_from(int bytes);

/// Returns the free pages of all arenas to the system; does nothing where the C library cannot.
void lazy_trim_heap(void);

/// The number of words that started the process: its name and its arguments. 0 where the C library does not tell.
int lazy_word_count(void);

/// One of these words.
const char *lazy_word(int place);

/// The path by which the program was started, perhaps relative to the folder of then; NULL if it is unknown.
const char *lazy_program_path(void);

/// The kind of processor, with what the code for it depends on.
const char *lazy_processor(void);

#endif
