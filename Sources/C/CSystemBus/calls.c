// The calls of NetworkManager and of the portal.
#include "table.h"

#include <errno.h>
#include <poll.h>
#include <time.h>

#define MANAGER "org.freedesktop.NetworkManager"
#define MANAGER_PATH "/org/freedesktop/NetworkManager"
#define PORTAL "org.freedesktop.portal.Desktop"
#define PORTAL_PATH "/org/freedesktop/portal/desktop"
#define PORTAL_MONITOR "org.freedesktop.portal.NetworkMonitor"

#define NEVER UINT64_MAX

// The clock of sd_bus_get_timeout().
static uint64_t now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (uint64_t)time.tv_sec * 1000000 + (uint64_t)time.tv_nsec / 1000;
}

// Waits for the bus or the other descriptor until a time; 1 for the other one.
static int wait_until(LZBus *bus, int other, uint64_t end) {
    uint64_t timeout = NEVER;
    int events = lz_bus_table.sd_bus_get_events(bus);
    if (events < 0) return events;
    int status = lz_bus_table.sd_bus_get_timeout(bus, &timeout);
    if (status < 0) return status;
    if (end < timeout) timeout = end;
    int milliseconds = -1;
    if (timeout != NEVER) {
        uint64_t present = now();
        uint64_t rest = timeout > present ? (timeout - present + 999) / 1000 : 0;
        milliseconds = rest > 60000 ? 60000 : (int)rest;
    }
    struct pollfd polled[] = {
        {.fd = lz_bus_table.sd_bus_get_fd(bus), .events = (short)events},
        {.fd = other, .events = POLLIN},
    };
    if (polled[0].fd < 0) return polled[0].fd;
    if (poll(polled, other < 0 ? 1 : 2, milliseconds) < 0) return errno == EINTR ? 0 : -errno;
    return other >= 0 && polled[1].revents ? 1 : 0;
}

static int connect_to(LZBusService service, const char *address, LZBus **bus) {
    if (!address) {
        return service == LZ_BUS_PORTAL ? lz_bus_table.sd_bus_open_user(bus)
                                        : lz_bus_table.sd_bus_open_system(bus);
    }
    int status = lz_bus_table.sd_bus_new(bus);
    if (status < 0) return status;
    if ((status = lz_bus_table.sd_bus_set_address(*bus, address)) < 0
        || (status = lz_bus_table.sd_bus_set_bus_client(*bus, 1)) < 0
        || (status = lz_bus_table.sd_bus_start(*bus)) < 0) {
        lz_bus_close(*bus);
    }
    return status;
}

int lz_bus_open(LZBusService service, const char *address, uint64_t microseconds, LZBus **bus) {
    uint64_t end = now() + microseconds;
    int status = connect_to(service, address, bus);
    if (status < 0) return status;
    while ((status = lz_bus_table.sd_bus_is_ready(*bus)) == 0) {
        status = lz_bus_table.sd_bus_process(*bus, NULL);
        if (status == 0) status = now() < end ? wait_until(*bus, -1, end) : -ETIMEDOUT;
        if (status < 0) break;
    }
    if (status < 0) lz_bus_close(*bus);
    return status < 0 ? status : 0;
}

void lz_bus_close(LZBus *bus) { lz_bus_table.sd_bus_flush_close_unref(bus); }

static int did_change(sd_bus_message *message, void *context, sd_bus_error *error) {
    (void)message, (void)error;
    unsigned *count = context;
    *count += 1;
    return 0;
}

int lz_bus_watch(LZBus *bus, LZBusService service, unsigned *count) {
    // The service may start and stop as well.
    static const char *const manager[] = {
        "type='signal',sender='" MANAGER "',path='" MANAGER_PATH "',"
        "interface='org.freedesktop.DBus.Properties',member='PropertiesChanged'",
        "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
        "member='NameOwnerChanged',arg0='" MANAGER "'",
    };
    static const char *const portal[] = {
        "type='signal',sender='" PORTAL "',path='" PORTAL_PATH "',interface='" PORTAL_MONITOR "',"
        "member='changed'",
        "type='signal',sender='org.freedesktop.DBus',interface='org.freedesktop.DBus',"
        "member='NameOwnerChanged',arg0='" PORTAL "'",
    };
    const char *const *matches = service == LZ_BUS_PORTAL ? portal : manager;
    for (int index = 0; index < 2; index++) {
        int status = lz_bus_table.sd_bus_add_match(bus, NULL, matches[index], did_change, count);
        if (status < 0) return status;
    }
    return 0;
}

static int ask(LZBus *bus, LZBusService service, sd_bus_message **question) {
    if (service == LZ_BUS_PORTAL) {
        return lz_bus_table.sd_bus_message_new_method_call(
            bus, question, PORTAL, PORTAL_PATH, PORTAL_MONITOR, "GetMetered");
    }
    int status = lz_bus_table.sd_bus_message_new_method_call(
        bus, question, MANAGER, MANAGER_PATH, "org.freedesktop.DBus.Properties", "Get");
    if (status < 0) return status;
    // The question must not start the service.
    if ((status = lz_bus_table.sd_bus_message_set_auto_start(*question, 0)) < 0) return status;
    return lz_bus_table.sd_bus_message_append(*question, "ss", MANAGER, "Metered");
}

int lz_bus_metered(LZBus *bus, LZBusService service, uint64_t microseconds) {
    sd_bus_message *question = NULL, *answer = NULL;
    uint32_t number = 0;
    int flag = 0;
    int status = ask(bus, service, &question);
    if (status >= 0) {
        status = lz_bus_table.sd_bus_call(bus, question, microseconds, NULL, &answer);
    }
    if (status >= 0) {
        status = service == LZ_BUS_PORTAL
            ? lz_bus_table.sd_bus_message_read(answer, "b", &flag)
            : lz_bus_table.sd_bus_message_read(answer, "v", "u", &number);
    }
    // Null is allowed.
    lz_bus_table.sd_bus_message_unref(question);
    lz_bus_table.sd_bus_message_unref(answer);
    if (status < 0) return status;
    return service == LZ_BUS_PORTAL ? flag != 0 : (int)(number & 0xFF);
}

int lz_bus_wait(LZBus *bus, int other) {
    int status = lz_bus_table.sd_bus_process(bus, NULL);
    if (status != 0) return status < 0 ? status : 0;
    return wait_until(bus, other, NEVER);
}
