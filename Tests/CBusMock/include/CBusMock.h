#ifndef CBUSMOCK_H
#define CBUSMOCK_H

// A stand-in for NetworkManager or the desktop's portal on a bus of a test, by libsystemd.

/// A service that answers on a thread of its own.
typedef struct LZMock LZMock;

/// Takes the name of NetworkManager (or of the portal) on a bus; 0, or a negative error number.
int lz_mock_start(const char *address, int is_portal, unsigned char metered, LZMock **mock);

/// Changes what it answers, and tells so by its signal.
void lz_mock_set(LZMock *mock, unsigned char metered);

/// The number of questions it has answered.
int lz_mock_questions(LZMock *mock);

/// Ends it: its name is free when this returns.
void lz_mock_stop(LZMock *mock);

#endif
