#ifndef CSYSTEMBUS_TABLE_H
#define CSYSTEMBUS_TABLE_H

#include "CSystemBus.h"

// Types and prototypes of sd-bus(3), so that its headers are not needed to build. They are the ABI of
// libsystemd.so.0, whose symbols carry versions and keep their meaning.
typedef struct sd_bus sd_bus;
typedef struct sd_bus_message sd_bus_message;
typedef struct sd_bus_slot sd_bus_slot;
typedef struct sd_bus_error sd_bus_error;
typedef int (*LZBusHandler)(sd_bus_message *message, void *context, sd_bus_error *error);

// The used functions: result, name, parameters.
#define LZ_BUS_FUNCTIONS(X) \
    X(int, sd_bus_open_system, (sd_bus **)) \
    X(int, sd_bus_open_user, (sd_bus **)) \
    X(int, sd_bus_new, (sd_bus **)) \
    X(int, sd_bus_set_address, (sd_bus *, const char *)) \
    X(int, sd_bus_set_bus_client, (sd_bus *, int)) \
    X(int, sd_bus_start, (sd_bus *)) \
    X(int, sd_bus_is_ready, (sd_bus *)) \
    X(sd_bus *, sd_bus_flush_close_unref, (sd_bus *)) \
    X(int, sd_bus_process, (sd_bus *, sd_bus_message **)) \
    X(int, sd_bus_get_fd, (sd_bus *)) \
    X(int, sd_bus_get_events, (sd_bus *)) \
    X(int, sd_bus_get_timeout, (sd_bus *, uint64_t *)) \
    X(int, sd_bus_add_match, (sd_bus *, sd_bus_slot **, const char *, LZBusHandler, void *)) \
    X(int, sd_bus_message_new_method_call, \
        (sd_bus *, sd_bus_message **, const char *, const char *, const char *, const char *)) \
    X(int, sd_bus_message_append, (sd_bus_message *, const char *, ...)) \
    X(int, sd_bus_message_set_auto_start, (sd_bus_message *, int)) \
    X(int, sd_bus_call, \
        (sd_bus *, sd_bus_message *, uint64_t, sd_bus_error *, sd_bus_message **)) \
    X(int, sd_bus_message_read, (sd_bus_message *, const char *, ...)) \
    X(sd_bus_message *, sd_bus_message_unref, (sd_bus_message *))

#define LZ_BUS_MEMBER(result, function, parameters) result (*function) parameters;
typedef struct {
    LZ_BUS_FUNCTIONS(LZ_BUS_MEMBER)
} LZBusTable;

extern LZBusTable lz_bus_table;

#endif
