#include "faults.h"

#include <pthread.h>
#include <spawn.h>
#include <sys/socket.h>
#include <unistd.h>

// MARK: - Processes and threads

STAND_IN(
    int, posix_spawn,
    (pid_t *process, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
     char *const words[], char *const variables[]),
    (process, path, actions, attributes, words, variables), process, path, errno)
STAND_IN(
    int, posix_spawnp,
    (pid_t *process, const char *path, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
     char *const words[], char *const variables[]),
    (process, path, actions, attributes, words, variables), process, path, errno)
STAND_IN(pid_t, fork, (void), (), process, "", -1)
STAND_IN(
    int, pthread_create,
    (pthread_t *thread, const pthread_attr_t *attributes, void *(*body)(void *), void *argument),
    (thread, attributes, body, argument), thread, "", errno)

// MARK: - Sockets and other descriptors

STAND_IN(
    int, connect, (int socket, const struct sockaddr *address, socklen_t size), (socket, address, size), connect, "", -1)
STAND_IN(int, socket, (int family, int type, int protocol), (family, type, protocol), connect, "socket", -1)
STAND_IN(
    int, socketpair, (int family, int type, int protocol, int ends[2]), (family, type, protocol, ends), descriptor, "", -1)
STAND_IN(int, pipe, (int ends[2]), (ends), descriptor, "", -1)
STAND_IN(int, pipe2, (int ends[2], int flags), (ends, flags), descriptor, "", -1)
STAND_IN(int, dup, (int file), (file), descriptor, "", -1)
STAND_IN(int, accept4, (int from, struct sockaddr *to, socklen_t *size, int flags), (from, to, size, flags), descriptor, "", -1)
// Not `eventfd` and `epoll_create1`: Swift's Dispatch ends a process that gets none.
