import FoundationEssentials
import Glibc

/// A folder that is gone when the test is over.
final class TemporaryFolder: Sendable {
    let path: String

    init() {
        var template = Array("/tmp/lazyloading-XXXXXX".utf8CString)
        _ = mkdtemp(&template)
        path = template.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } ?? "" }
    }

    deinit { try? FileManager.default.removeItem(atPath: path) }

    func file(_ name: String, _ bytes: [UInt8]) -> String {
        let descriptor = open("\(path)/\(name)", O_CREAT | O_TRUNC | O_WRONLY, 0o644)
        defer { close(descriptor) }
        var offset = 0
        while offset < bytes.count {
            let count = bytes[offset...].withUnsafeBytes {
                write(descriptor, $0.baseAddress, $0.count)
            }
            precondition(count > 0)
            offset += count
        }
        return "\(path)/\(name)"
    }
}
