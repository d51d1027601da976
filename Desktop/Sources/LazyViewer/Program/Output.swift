import Glibc

/// Writes text to a descriptor, whole or not at all.
enum Output {
    static func print(_ text: String, _ descriptor: CInt = STDOUT_FILENO) {
        var bytes = Array(text.utf8)[...]
        while !bytes.isEmpty {
            let count = bytes.withUnsafeBytes { write(descriptor, $0.baseAddress, $0.count) }
            guard count > 0 else { return }
            bytes = bytes.dropFirst(count)
        }
    }
}
