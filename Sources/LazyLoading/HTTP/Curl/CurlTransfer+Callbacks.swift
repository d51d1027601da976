internal import CCurl
import Glibc

extension LZCurlCallbacks {
    /// The callbacks of a transfer; the context is an unowned `CurlTransfer`.
    static let transfer = LZCurlCallbacks(
        write: { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return CurlTransfer.of(context).didReceive(buffer) ? size * count : 0
        },
        header: { bytes, size, count, context in
            guard let bytes, let context else { return 0 }
            let buffer = UnsafeRawBufferPointer(start: bytes, count: size * count)
            return CurlTransfer.of(context).didReceiveLine(buffer) ? size * count : 0
        },
        connected: { context, address, _, _, _ in
            guard let context else { return CURL_PREREQFUNC_ABORT }
            let ip = address.flatMap { IPAddress(String(cString: $0)) }
            return CurlTransfer.of(context).didConnect(to: ip)
                ? CURL_PREREQFUNC_OK : CURL_PREREQFUNC_ABORT
        },
        open: { context, _, address in
            guard let context, let address else { return CURL_SOCKET_BAD }
            let place = UnsafeMutableRawPointer(address) + addressOffset
            guard let ip = IPAddress(place, family: address.pointee.family),
                CurlTransfer.of(context).mayConnect(to: ip)
            else { return CURL_SOCKET_BAD }
            // Without this, child processes would inherit the sockets of libcurl.
            return socket(
                address.pointee.family, address.pointee.socktype | CInt(SOCK_CLOEXEC.rawValue),
                address.pointee.protocol)
        })

    private static let addressOffset =
        MemoryLayout<curl_sockaddr>.offset(of: \curl_sockaddr.addr) ?? 16
}
