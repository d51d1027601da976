import Glibc
public import LazyBase

/// The simplest of clients, to check the servers without the code that they are to check.
public enum RawClient {
    /// Sends text to a port of 127.0.0.1 and returns all that comes back.
    public static func exchange(port: Int, _ text: String) throws(SystemError) -> String {
        let descriptor = try Sockets.connection(port: port)
        defer { close(descriptor) }
        _ = Sockets.sendSome(Array(text.utf8)[...], on: descriptor)
        shutdown(descriptor, CInt(SHUT_WR))
        var answer: [UInt8] = []
        while let bytes = Sockets.receiveSome(from: descriptor) { answer += bytes }
        return String(decoding: answer, as: UTF8.self)
    }
}
