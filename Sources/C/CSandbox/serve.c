#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <malloc.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/signalfd.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

// A decoder, and the socket over which its host is told how it ended.
struct decoder {
    pid_t process;
    int lease;
};

struct server {
    struct decoder *decoders;
    int decoder_count, decoder_room;
    int *hosts;
    int host_count, host_room;
    struct pollfd *polled;
    int polled_room;
    int signals;
    /// Set when it is to end as soon as nobody uses it.
    int is_ending;
    int has_forked;
    /// What was prepared last; not a type before that.
    char prepared[sizeof ((struct sandbox_request *)0)->type];
    /// Set when this process is as further forks need it.
    int is_settled;
    pid_t own;
    const struct sandbox_report *report;
    const struct sandbox_service *service;
};

static void *grown(void *memory, int *room, int count, size_t size) {
    if (count < *room) return memory;
    int more = *room ? *room * 2 : 16;
    void *larger = realloc(memory, (size_t)more * size);
    if (!larger) _exit(1);
    *room = more;
    return larger;
}

// MARK: - In the forked process

static void decode(const struct server *server, const struct sandbox_request *request, int channel) {
    sigset_t none;
    sigemptyset(&none);
    // All but this channel belongs to others.
    if (channel != 3 && dup2(channel, 3) < 0) _exit(1);
    if (syscall(SYS_close_range, 4U, ~0U, 0U))
        for (int descriptor = 4; descriptor < 1024; descriptor++) close(descriptor);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != server->own) _exit(1);
    sigprocmask(SIG_SETMASK, &none, NULL);
    struct sandbox_ready ready = {.report = *server->report};
    ready.is_other_build = strncmp(request->build, server->service->build, sizeof request->build) != 0;
    sandbox_raise(&ready.report, &request->limits);
    if (sandbox_send(3, &ready, sizeof ready, NULL, 0)) _exit(1);
    if (ready.is_other_build) _exit(1);
    for (int layer = 0; layer < sandbox_layer_count; layer++)
        if (request->required & 1U << layer && ready.report.errors[layer]) _exit(1);
    server->service->decode(3);
    _exit(1);
}

// MARK: - In the process that forks

static void tell_end(int lease, int status, int64_t memory, int error) {
    struct sandbox_end end = {.magic = sandbox_magic, .status = status, .memory = memory, .error = error};
    sandbox_send(lease, &end, sizeof end, NULL, 0);
    close(lease);
}

// Makes further forks cheaper than the first one, which waits for none of this.
static void settle(struct server *server) {
    if (server->is_settled) return;
    server->service->warm();
    server->is_settled = 1;
}

static void start(struct server *server, struct sandbox_request *request, int channel, int lease) {
    request->build[sizeof request->build - 1] = 0;
    request->type[sizeof request->type - 1] = 0;
    if (strncmp(request->build, server->service->build, sizeof request->build) == 0) {
        if (strcmp(request->type, server->prepared)) server->service->prepare(request->type);
        memcpy(server->prepared, request->type, sizeof server->prepared);
        // For a fork ahead everything is ready now.
        if (!request->type[0] || server->has_forked) settle(server);
    }
    server->decoders = grown(
        server->decoders, &server->decoder_room, server->decoder_count, sizeof *server->decoders);
    server->has_forked = 1;
    pid_t process = fork();
    if (process == 0) decode(server, request, channel);
    int error = errno;
    close(channel);
    if (process < 0) return tell_end(lease, -1, 0, error);
    server->decoders[server->decoder_count++] = (struct decoder){process, lease};
}

// False when the host has closed its end.
static int answer_host(struct server *server, int host) {
    struct sandbox_request request;
    int descriptors[2], count;
    ssize_t got = sandbox_receive(host, &request, sizeof request, descriptors, 2, &count);
    if (got < 0 && errno == EAGAIN) return 1;
    if (got == sizeof request.magic && count == 0 && request.magic == sandbox_stop) {
        server->is_ending = 1;
        return 0;
    }
    if (got != sizeof request || count != 2 || request.magic != sandbox_magic || request.version != sandbox_version) {
        for (int i = 0; i < count; i++) close(descriptors[i]);
        return 0;
    }
    start(server, &request, descriptors[0], descriptors[1]);
    return 1;
}

static void reap(struct server *server) {
    struct signalfd_siginfo signal;
    struct rusage usage;
    int status;
    pid_t process;
    while (read(server->signals, &signal, sizeof signal) == sizeof signal) {}
    while ((process = wait4(-1, &status, WNOHANG, &usage)) > 0) {
        for (int i = 0; i < server->decoder_count; i++) {
            if (server->decoders[i].process != process) continue;
            int lease = server->decoders[i].lease;
            if (lease >= 0) tell_end(lease, status, usage.ru_maxrss, 0);
            server->decoders[i] = server->decoders[--server->decoder_count];
            break;
        }
    }
}

static void accept_host(struct server *server, int listener) {
    // The mode of the socket keeps other users out.
    int host = accept4(listener, NULL, NULL, SOCK_CLOEXEC);
    if (host < 0) return;
    server->hosts = grown(server->hosts, &server->host_room, server->host_count, sizeof *server->hosts);
    server->hosts[server->host_count++] = host;
}

static int wait_for_events(struct server *server, int listener, int timeout) {
    int needed = 2 + server->host_count + server->decoder_count;
    while (needed >= server->polled_room)
        server->polled = grown(server->polled, &server->polled_room, server->polled_room, sizeof *server->polled);
    struct pollfd *next = server->polled;
    *next++ = (struct pollfd){server->signals, POLLIN, 0};
    *next++ = (struct pollfd){listener, POLLIN, 0};
    for (int i = 0; i < server->host_count; i++) *next++ = (struct pollfd){server->hosts[i], POLLIN, 0};
    // Only the end of the connection is of interest, which needs no flag.
    for (int i = 0; i < server->decoder_count; i++) *next++ = (struct pollfd){server->decoders[i].lease, 0, 0};
    return poll(server->polled, (nfds_t)needed, timeout);
}

// A closed lease is the order to kill. Its process is reaped like others.
static void end_leases(struct server *server, const struct pollfd *leases, int count) {
    for (int i = 0; i < count; i++) {
        if (!leases[i].revents || server->decoders[i].lease < 0) continue;
        kill(server->decoders[i].process, SIGKILL);
        close(server->decoders[i].lease);
        server->decoders[i].lease = -1;
    }
}

void sandbox_serve(
    int control, int listener, int idle, const struct sandbox_report *report, const struct sandbox_service *service) {
    struct server server = {.own = getpid(), .report = report, .service = service, .prepared = "?"};
    sigset_t children;
    sigemptyset(&children);
    sigaddset(&children, SIGCHLD);
    sigprocmask(SIG_BLOCK, &children, NULL);
    signal(SIGPIPE, SIG_IGN);
    // A decoder lives for one media: memory that it frees is better used again than returned, because every page costs a
    // fault. Each arena keeps its own, so there is one.
    mallopt(M_ARENA_MAX, 1);
    mallopt(M_MMAP_THRESHOLD, 8 << 20);
    mallopt(M_TRIM_THRESHOLD, 64 << 20);
    mallopt(M_TOP_PAD, 4 << 20);
    server.signals = signalfd(-1, &children, SFD_CLOEXEC | SFD_NONBLOCK);
    if (control >= 0) {
        server.hosts = grown(server.hosts, &server.host_room, 0, sizeof *server.hosts);
        server.hosts[server.host_count++] = control;
    }
    int is_loading = control < 0, has_loaded = 0;
    for (;;) {
        // Nothing is loaded beside the first media: it waits for its own libraries only.
        if (server.is_ending && listener >= 0) {
            close(listener);
            listener = -1;
            idle = 0;
        }
        int pause = is_loading ? 0 : server.has_forked && !has_loaded ? 50 : server.host_count || server.decoder_count ? -1 : idle;
        int events = wait_for_events(&server, listener, pause);
        if (events < 0 && errno != EINTR) return;
        if (events == 0) {
            if (is_loading || (server.has_forked && !has_loaded)) {
                is_loading = service->prepare_more();
                if (!is_loading) {
                    has_loaded = 1;
                    server.is_settled = 0;
                    settle(&server);
                }
                continue;
            }
            return;
        }
        if (events < 0) continue;
        int hosts = server.host_count, decoders = server.decoder_count;
        struct pollfd *polled = server.polled;
        end_leases(&server, polled + 2 + hosts, decoders);
        if (polled[0].revents) reap(&server);
        for (int i = hosts - 1; i >= 0; i--) {
            if (!polled[2 + i].revents) continue;
            if (answer_host(&server, server.hosts[i])) continue;
            close(server.hosts[i]);
            server.hosts[i] = server.hosts[--server.host_count];
            if (control >= 0) return;
        }
        if (polled[1].revents) accept_host(&server, listener);
    }
}
