#define _GNU_SOURCE
#include "CSandbox.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

#ifndef MFD_NOEXEC_SEAL
#define MFD_NOEXEC_SEAL 0x0008U
#endif

enum { most_descriptors = 8 };

int sandbox_pair(int ends[2]) { return socketpair(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0, ends); }

int sandbox_send(int socket, const void *bytes, size_t count, const int *descriptors, int descriptor_count) {
    union {
        char room[CMSG_SPACE(sizeof(int) * most_descriptors)];
        struct cmsghdr header;
    } control;
    struct iovec part = {(void *)bytes, count};
    struct msghdr message = {.msg_iov = &part, .msg_iovlen = 1};
    if (descriptor_count > most_descriptors) {
        errno = EINVAL;
        return -1;
    }
    if (descriptor_count > 0) {
        memset(&control, 0, sizeof control);
        message.msg_control = control.room;
        message.msg_controllen = CMSG_SPACE(sizeof(int) * descriptor_count);
        struct cmsghdr *header = CMSG_FIRSTHDR(&message);
        header->cmsg_level = SOL_SOCKET;
        header->cmsg_type = SCM_RIGHTS;
        header->cmsg_len = CMSG_LEN(sizeof(int) * descriptor_count);
        memcpy(CMSG_DATA(header), descriptors, sizeof(int) * descriptor_count);
    }
    ssize_t sent;
    do sent = sendmsg(socket, &message, MSG_NOSIGNAL);
    while (sent < 0 && errno == EINTR);
    return sent < 0 ? -1 : 0;
}

ssize_t sandbox_receive(
    int socket, void *bytes, size_t capacity, int *descriptors, int descriptor_capacity, int *descriptor_count) {
    union {
        char room[CMSG_SPACE(sizeof(int) * most_descriptors)];
        struct cmsghdr header;
    } control;
    struct iovec part = {bytes, capacity};
    struct msghdr message = {
        .msg_iov = &part, .msg_iovlen = 1, .msg_control = control.room, .msg_controllen = sizeof control.room};
    *descriptor_count = 0;
    ssize_t got;
    do got = recvmsg(socket, &message, MSG_CMSG_CLOEXEC);
    while (got < 0 && errno == EINTR);
    if (got < 0) return -1;
    int found[most_descriptors], count = 0;
    for (struct cmsghdr *header = CMSG_FIRSTHDR(&message); header; header = CMSG_NXTHDR(&message, header)) {
        if (header->cmsg_level != SOL_SOCKET || header->cmsg_type != SCM_RIGHTS) continue;
        int here = (int)((header->cmsg_len - CMSG_LEN(0)) / sizeof(int));
        for (int i = 0; i < here && count < most_descriptors; i++)
            memcpy(&found[count++], CMSG_DATA(header) + i * sizeof(int), sizeof(int));
    }
    if (message.msg_flags & (MSG_TRUNC | MSG_CTRUNC) || count > descriptor_capacity) {
        for (int i = 0; i < count; i++) close(found[i]);
        errno = EMSGSIZE;
        return -1;
    }
    if (count) memcpy(descriptors, found, count * sizeof(int));
    *descriptor_count = count;
    return got;
}

// MFD_NOEXEC_SEAL needs Linux 6.3.
static int anonymous(const char *name) {
    int descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING | MFD_NOEXEC_SEAL);
    if (descriptor < 0 && errno == EINVAL) descriptor = memfd_create(name, MFD_CLOEXEC | MFD_ALLOW_SEALING);
    return descriptor;
}

static int failed(int descriptor) {
    int error = errno;
    close(descriptor);
    errno = error;
    return -1;
}

int sandbox_memory(size_t size) {
    int descriptor = anonymous("lazyimg-pixels");
    if (descriptor < 0) return -1;
    if (ftruncate(descriptor, (off_t)size) || fcntl(descriptor, F_ADD_SEALS, F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
        return failed(descriptor);
    return descriptor;
}

int sandbox_sealed_copy(const void *bytes, size_t size) {
    int descriptor = anonymous("lazyimg-bytes");
    if (descriptor < 0) return -1;
    for (size_t done = 0; done < size;) {
        ssize_t put = write(descriptor, (const char *)bytes + done, size - done);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return failed(descriptor);
        done += (size_t)put;
    }
    if (fcntl(descriptor, F_ADD_SEALS, F_SEAL_WRITE | F_SEAL_SHRINK | F_SEAL_GROW | F_SEAL_SEAL))
        return failed(descriptor);
    return descriptor;
}

static int address(const char *path, struct sockaddr_un *address) {
    memset(address, 0, sizeof *address);
    address->sun_family = AF_UNIX;
    if (strlen(path) >= sizeof address->sun_path) {
        errno = ENAMETOOLONG;
        return -1;
    }
    strcpy(address->sun_path, path);
    return 0;
}

int sandbox_listen(const char *path) {
    struct sockaddr_un place;
    if (address(path, &place)) return -1;
    int listener = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC, 0);
    if (listener < 0) return -1;
    // The mode counts from the instant the name exists.
    mode_t mask = umask(0177);
    int result = bind(listener, (struct sockaddr *)&place, sizeof place);
    umask(mask);
    if (result || listen(listener, 64)) return failed(listener);
    return listener;
}

int sandbox_connect(const char *path) {
    struct sockaddr_un place;
    struct ucred other;
    socklen_t size = sizeof other;
    if (address(path, &place)) return -1;
    // Without blocking: one that does not accept connections is as good as none.
    int connection = socket(AF_UNIX, SOCK_SEQPACKET | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (connection < 0) return -1;
    if (connect(connection, (struct sockaddr *)&place, sizeof place)) return failed(connection);
    if (fcntl(connection, F_SETFL, 0)) return failed(connection);
    if (getsockopt(connection, SOL_SOCKET, SO_PEERCRED, &other, &size)) return failed(connection);
    if (other.uid != geteuid()) {
        errno = EPERM;
        return failed(connection);
    }
    return connection;
}
