#define _GNU_SOURCE
#include "CBusMock.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

#define MANAGER "org.freedesktop.NetworkManager"
#define MANAGER_PATH "/org/freedesktop/NetworkManager"
#define PORTAL "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define PORTAL_MONITOR "org.freedesktop.portal.NetworkMonitor"

// Of sd-bus(3).
typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
typedef int (*Handler)(sd_bus_message *, void *, void *);
static struct {
    int (*sd_bus_new)(sd_bus **);
    int (*sd_bus_set_address)(sd_bus *, const char *);
    int (*sd_bus_set_bus_client)(sd_bus *, int);
    int (*sd_bus_start)(sd_bus *);
    int (*sd_bus_request_name)(sd_bus *, const char *, uint64_t);
    int (*sd_bus_add_object)(sd_bus *, void **, const char *, Handler, void *);
    int (*sd_bus_process)(sd_bus *, sd_bus_message **);
    int (*sd_bus_get_fd)(sd_bus *);
    int (*sd_bus_get_events)(sd_bus *);
    sd_bus *(*sd_bus_flush_close_unref)(sd_bus *);
    int (*sd_bus_message_is_method_call)(sd_bus_message *, const char *, const char *);
    int (*sd_bus_reply_method_return)(sd_bus_message *, const char *, ...);
    int (*sd_bus_emit_signal)(
        sd_bus *, const char *, const char *, const char *, const char *, ...);
} bus;

struct LZMock {
    sd_bus *connection;
    int is_portal;
    unsigned char metered;
    atomic_int questions;
    int reader, writer;
    pthread_t thread;
};

static int loaded;

static void find_functions(void) {
    void *library = dlopen("libsystemd.so.0", RTLD_LAZY | RTLD_LOCAL);
    loaded = library ? -ENOSYS : -ENOENT;
    if (!library) return;
#define FIND(name) if (!(bus.name = (__typeof__(bus.name))dlsym(library, #name))) return;
    FIND(sd_bus_new) FIND(sd_bus_set_address) FIND(sd_bus_set_bus_client) FIND(sd_bus_start)
    FIND(sd_bus_request_name) FIND(sd_bus_add_object) FIND(sd_bus_process) FIND(sd_bus_get_fd)
    FIND(sd_bus_get_events) FIND(sd_bus_flush_close_unref) FIND(sd_bus_message_is_method_call)
    FIND(sd_bus_reply_method_return) FIND(sd_bus_emit_signal)
    loaded = 0;
}

static int load(void) {
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, find_functions);
    return loaded;
}

static int answer(sd_bus_message *message, void *context, void *error) {
    (void)error;
    LZMock *mock = context;
    if (mock->is_portal) {
        if (!bus.sd_bus_message_is_method_call(message, PORTAL_MONITOR, "GetMetered")) return 0;
        mock->questions++;
        return bus.sd_bus_reply_method_return(message, "b", (int)mock->metered);
    }
    if (!bus.sd_bus_message_is_method_call(message, "org.freedesktop.DBus.Properties", "Get")) {
        return 0;
    }
    mock->questions++;
    return bus.sd_bus_reply_method_return(message, "v", "u", (uint32_t)mock->metered);
}

static void tell(LZMock *mock) {
    if (mock->is_portal) {
        bus.sd_bus_emit_signal(mock->connection, PORTAL_PATH, PORTAL_MONITOR, "changed", "");
    } else {
        bus.sd_bus_emit_signal(mock->connection, MANAGER_PATH, "org.freedesktop.DBus.Properties",
            "PropertiesChanged", "sa{sv}as", MANAGER, 1, "Metered", "u", (uint32_t)mock->metered, 0);
    }
}

static void *serve(void *context) {
    LZMock *mock = context;
    for (;;) {
        int status = bus.sd_bus_process(mock->connection, NULL);
        if (status < 0) break;
        if (status > 0) continue;
        struct pollfd polled[] = {
            {.fd = bus.sd_bus_get_fd(mock->connection),
                .events = (short)bus.sd_bus_get_events(mock->connection)},
            {.fd = mock->reader, .events = POLLIN},
        };
        if (poll(polled, 2, -1) < 0 && errno != EINTR) break;
        if (!polled[1].revents) continue;
        unsigned char byte;
        if (read(mock->reader, &byte, 1) != 1) break;
        mock->metered = byte;
        tell(mock);
    }
    bus.sd_bus_flush_close_unref(mock->connection);
    return NULL;
}

int lz_mock_start(const char *address, int is_portal, unsigned char metered, LZMock **result) {
    int status = load();
    if (status < 0) return status;
    LZMock *mock = calloc(1, sizeof *mock);
    mock->is_portal = is_portal;
    mock->metered = metered;
    if ((status = bus.sd_bus_new(&mock->connection)) < 0) goto failed;
    if ((status = bus.sd_bus_set_address(mock->connection, address)) < 0
        || (status = bus.sd_bus_set_bus_client(mock->connection, 1)) < 0
        || (status = bus.sd_bus_start(mock->connection)) < 0
        || (status = bus.sd_bus_add_object(mock->connection, NULL,
                is_portal ? PORTAL_PATH : MANAGER_PATH, answer, mock)) < 0
        || (status = bus.sd_bus_request_name(
                mock->connection, is_portal ? PORTAL : MANAGER, 0)) < 0) {
        bus.sd_bus_flush_close_unref(mock->connection);
        goto failed;
    }
    int ends[2];
    // A child process that inherited the writing end would keep the thread from ending.
    if (pipe2(ends, O_CLOEXEC) < 0) abort();
    mock->reader = ends[0];
    mock->writer = ends[1];
    if (pthread_create(&mock->thread, NULL, serve, mock)) abort();
    *result = mock;
    return 0;
failed:
    free(mock);
    return status;
}

void lz_mock_set(LZMock *mock, unsigned char metered) {
    if (write(mock->writer, &metered, 1) != 1) abort();
}

int lz_mock_questions(LZMock *mock) { return mock->questions; }

void lz_mock_stop(LZMock *mock) {
    close(mock->writer);
    pthread_join(mock->thread, NULL);
    close(mock->reader);
    free(mock);
}
