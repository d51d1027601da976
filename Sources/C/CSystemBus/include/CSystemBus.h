#ifndef CSYSTEMBUS_H
#define CSYSTEMBUS_H

// D-Bus by sd-bus of libsystemd, behind a table of function pointers that is filled on first use:
// startup does not pay for it, and everything else works without libsystemd.
//
// Negative results are error numbers, as in sd-bus. A connection is for one thread at a time.

#include <stddef.h>
#include <stdint.h>

/// A connection to a bus.
typedef struct sd_bus LZBus;

/// A service that knows whether the network is metered.
typedef enum {
    /// NetworkManager, on the system bus.
    LZ_BUS_NETWORK_MANAGER,
    /// The desktop portal, on the session bus: for programs in a sandbox.
    LZ_BUS_PORTAL,
} LZBusService;

/// Loads libsystemd on the first call; 0 on success. Thread-safe.
int lz_bus_load(void);

/// One sentence with the reason of a failure.
const char *lz_bus_load_message(void);

/// Loads a library by name into a temporary table, like `lz_bus_load`; for tests.
int lz_bus_try_load(const char *name, char *message, size_t size);

/// Connects to the bus of a service, at an address or, without one, that of the environment.
///
/// Waits for the greeting of the bus, with a timeout in microseconds.
int lz_bus_open(LZBusService service, const char *address, uint64_t microseconds, LZBus **bus);

void lz_bus_close(LZBus *bus);

/// Subscribes to signals that may change the answer, and counts them.
int lz_bus_watch(LZBus *bus, LZBusService service, unsigned *count);

/// The answer of the service: NetworkManager's `NMMetered`, or 0 or 1 of the portal.
int lz_bus_metered(LZBus *bus, LZBusService service, uint64_t microseconds);

/// Handles messages, or waits for them.
///
/// 0 after a message, 1 if the other descriptor was closed or written to.
int lz_bus_wait(LZBus *bus, int other);

#endif
