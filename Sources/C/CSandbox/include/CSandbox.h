#ifndef LAZYIMG_CSANDBOX_H
#define LAZYIMG_CSANDBOX_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

// Processes that decode untrusted media: their sandbox, the process that forks them, and how bytes, descriptors
// and memory go between them and their host. Plain C: it runs before Swift's run-time library has made a thread, and
// between fork and the decoder.

// MARK: The sandbox

/// What a process can be denied; each layer is put up independently of the others.
enum sandbox_layer {
    /// Set-user-ID programs give nothing (`PR_SET_NO_NEW_PRIVS`).
    sandbox_no_new_privileges,
    /// Limits of memory, files and descriptors (`setrlimit`).
    sandbox_limits,
    /// A list of system calls (seccomp).
    sandbox_seccomp,
    /// No files, no TCP ports, no signals to others (Landlock without a right).
    sandbox_landlock,
    /// Own process IDs, network and System V objects (namespaces).
    sandbox_namespaces,
    /// No capabilities, and not the user root.
    sandbox_unprivileged,
    /// Memory never becomes executable (`PR_SET_MDWE`).
    sandbox_memory_execution,
    sandbox_layer_count
};

/// Which layers stand. `errors[layer]` is 0 where it does, else the error number of the system call that failed, or -1
/// where it was not tried.
struct sandbox_report {
    uint32_t magic;
    uint32_t version;
    int32_t errors[sandbox_layer_count];
    int32_t landlock_abi;
    uint32_t user;
    int32_t process;
};

enum { sandbox_magic = 0x4C5A4457, sandbox_version = 1 };

/// In place of a request, asks a process that listens to end when nobody uses it any more.
enum { sandbox_stop = 0x4C5A4453 };

/// The limits of one decoder.
struct sandbox_limits {
    /// Bytes of private writable memory (`RLIMIT_DATA`), or 0 for no limit.
    uint64_t memory;
    /// Seconds of processor time (`RLIMIT_CPU`), or 0 for no limit.
    uint32_t seconds;
    uint32_t descriptors;
};

/// Puts up all layers but namespaces and user, which the calling process has from the one that forked it.
///
/// `report` has what the forking process did, and gets the rest.
void sandbox_raise(struct sandbox_report *report, const struct sandbox_limits *limits);

// MARK: The process that forks

/// What `sandbox_serve` calls.
struct sandbox_service {
    /// Loads what a type of media needs; all of it for an empty name.
    void (*prepare)(const char *type);
    /// Loads a part of what was not asked for yet; 0 when nothing is left.
    int (*prepare_more)(void);
    /// Decodes samples, so that forks have what decoding leaves in memory.
    void (*warm)(void);
    /// Serves media in a forked process, in its sandbox; does not return.
    void (*decode)(int channel);
    /// What both sides must be made of.
    const char *build;
};

/// Begins a process that forks decoders: closes all descriptors but the first four, and enters namespaces where the
/// system allows it.
///
/// Returns in the process that is to serve. Call it before any thread is started.
void sandbox_enter(struct sandbox_report *report);

/// Forks a decoder for each request that arrives by `control`, or by connections to `listener` unless it is -1.
///
/// Returns when `control` is closed, or after `idle` milliseconds without a connection and a decoder.
void sandbox_serve(
    int control, int listener, int idle, const struct sandbox_report *report, const struct sandbox_service *service);

/// A request for a decoder; two descriptors come with it: its channel, and its lease.
///
/// The lease tells the end of the decoder by a `sandbox_end`. Closing its other end kills the decoder.
struct sandbox_request {
    uint32_t magic;
    uint32_t version;
    char build[32];
    char type[32];
    struct sandbox_limits limits;
    /// The layers that must stand, as bits; otherwise the decoder ends before it reads anything.
    uint32_t required;
};

/// How a decoder ended.
struct sandbox_end {
    uint32_t magic;
    /// As of `waitpid`, or -1 where it could not be forked.
    int32_t status;
    /// The most resident memory in kilobytes.
    int64_t memory;
    int32_t error;
};

/// The first message on a decoder's channel.
struct sandbox_ready {
    struct sandbox_report report;
    /// 1 where the other side has another build.
    uint32_t is_other_build;
};

// MARK: The host

/// Starts a program with `control` as descriptor 3 and nothing else; returns its process, or -1 and `errno`.
///
/// The environment has no variable but those of `spawn.c`. It has a process group of its own, so that
/// an interruption by the keyboard reaches the host only.
pid_t sandbox_spawn(const char *path, const char *const *arguments, int control);

/// Makes a pair of connected sockets that keep the bounds of messages; 0, or -1 and `errno`.
int sandbox_pair(int ends[2]);

/// Listens at a path that only this user can connect to; the descriptor, or -1 and `errno`.
int sandbox_listen(const char *path);

/// Connects to such a path; fails with `EPERM` where another user listens. -1 and `errno` on failure.
int sandbox_connect(const char *path);

/// Sends a message with descriptors; 0, or -1 and `errno`. Never raises SIGPIPE.
int sandbox_send(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count);

/// Receives a message: its bytes, 0 at the end, or -1 and `errno`.
///
/// `EMSGSIZE` where it was longer than `capacity`, or had more descriptors than `descriptor_capacity`: those are closed.
ssize_t sandbox_receive(
    int socket, void *bytes, size_t capacity, int *descriptors, int descriptor_capacity, int *descriptor_count);

/// Makes memory without a name that nobody can make larger or smaller; the descriptor, or -1 and `errno`.
int sandbox_memory(size_t size);

/// Makes a copy of bytes that nobody can change; the descriptor, or -1 and `errno`.
int sandbox_sealed_copy(const void *bytes, size_t size);

#endif
