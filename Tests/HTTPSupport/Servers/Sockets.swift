import Glibc
import LazyBase

/// Socket calls for test servers.
enum Sockets {
    /// A socket that listens on a free port of 127.0.0.1.
    static func listener() throws(SystemError) -> (descriptor: CInt, port: Int) {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .last }
        var address = loopback(port: 0)
        var size = socklen_t(MemoryLayout<sockaddr_in>.size)
        let status = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, size) == 0 && listen(descriptor, 512) == 0
                    && getsockname(descriptor, $0, &size) == 0
            }
        }
        guard status else {
            let error = SystemError.last
            close(descriptor)
            throw error
        }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    private typealias Accept =
        @convention(c) (
            CInt, UnsafeMutableRawPointer?, UnsafeMutableRawPointer?, CInt
        ) -> CInt
    // Glibc's module has no accept4.
    private static let accept4 = dlsym(nil, "accept4").map { unsafeBitCast($0, to: Accept.self) }

    /// Accepts a connection that no child process inherits.
    ///
    /// One that is started between `accept` and `fcntl` would keep the connection, and neither an
    /// end nor a reset would ever go out.
    static func accept(from listener: CInt) -> CInt {
        guard let accept4 else { preconditionFailure("the system has no accept4") }
        return accept4(listener, nil, nil, CInt(SOCK_CLOEXEC.rawValue))
    }

    /// A connection to a port of 127.0.0.1.
    static func connection(port: Int) throws(SystemError) -> CInt {
        let descriptor = socket(AF_INET, CInt(SOCK_STREAM.rawValue | SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { throw .last }
        var address = loopback(port: port)
        let status = withUnsafePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                connect(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
            }
        }
        guard status == 0 else {
            let error = SystemError.last
            close(descriptor)
            throw error
        }
        return descriptor
    }

    /// Sends as much as possible without blocking; nil if the peer is gone.
    static func sendSome(_ bytes: ArraySlice<UInt8>, on descriptor: CInt) -> Int? {
        let sent = bytes.withUnsafeBytes {
            send(descriptor, $0.baseAddress, $0.count, CInt(MSG_NOSIGNAL) | CInt(MSG_DONTWAIT))
        }
        if sent >= 0 { return sent }
        return errno == EAGAIN || errno == EINTR ? 0 : nil
    }

    /// Waits for bytes and reads them; nil at the end or on an error.
    static func receiveSome(from descriptor: CInt) -> [UInt8]? {
        var buffer = [UInt8](repeating: 0, count: 16_384)
        let count = recv(descriptor, &buffer, buffer.count, 0)
        return count > 0 ? Array(buffer.prefix(count)) : nil
    }

    /// `POLLRDHUP`: the peer has closed the connection or its sending side.
    static let isHungUp: Int16 = 0x2000

    /// A non-blocking pipe that no child process inherits.
    static func pipe() -> (reader: CInt, writer: CInt)? {
        var ends: [CInt] = [0, 0]
        guard Glibc.pipe(&ends) == 0 else { return nil }
        for end in ends {
            _ = fcntl(end, F_SETFD, FD_CLOEXEC)
            _ = fcntl(end, F_SETFL, O_NONBLOCK)
        }
        return (ends[0], ends[1])
    }

    /// Closes a connection with a reset.
    static func reset(_ descriptor: CInt) {
        var option = linger(l_onoff: 1, l_linger: 0)
        setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &option, socklen_t(MemoryLayout<linger>.size))
    }

    private static func loopback(port: Int) -> sockaddr_in {
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = in_port_t(port).bigEndian
        address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
        return address
    }
}
