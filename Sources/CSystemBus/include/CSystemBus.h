#ifndef CSYSTEMBUS_H
#define CSYSTEMBUS_H

// D-Bus by sd-bus of libsystemd, behind a table of function pointers that is filled on first use:
// start-up does not pay for it, and all else runs where libsystemd is missing.
//
// Negative results are error numbers, as in sd-bus. A connection is for one thread at a time.

#include <stddef.h>
#include <stdint.h>

/// A connection to a bus.
typedef struct sd_bus LZBus;

/// Who tells what the network costs.
typedef enum {
    /// NetworkManager, on the bus of the system.
    LZ_BUS_NETWORK_MANAGER,
    /// The desktop's portal, on the bus of the session: for programs in a sandbox.
    LZ_BUS_PORTAL,
} LZBusService;

/// Loads libsystemd on the first call, from any thread; 0 when it is there.
int lz_bus_load(void);

/// The one sentence that says why it is not there.
const char *lz_bus_load_message(void);

/// Loads a library by name into a scrap table, as `lz_bus_load` does; for tests.
int lz_bus_try_load(const char *name, char *message, size_t size);

/// Connects to the bus of a service, at an address or, without one, where the environment says.
///
/// Waits for the bus to greet, so many microseconds at most.
int lz_bus_open(LZBusService service, const char *address, uint64_t microseconds, LZBus **bus);

void lz_bus_close(LZBus *bus);

/// Asks to be told of what may change the answer; the number counts how often that was.
int lz_bus_watch(LZBus *bus, LZBusService service, unsigned *count);

/// The answer of the service: its number, such as NetworkManager's `NMMetered`, or 0 and 1 of the portal.
int lz_bus_metered(LZBus *bus, LZBusService service, uint64_t microseconds);

/// Handles what has arrived, and waits where nothing has.
///
/// 0 when something was handled, 1 when the other descriptor was closed or written to.
int lz_bus_wait(LZBus *bus, int other);

#endif
