import Glibc

extension FileDescriptor {
    /// The target of a symbolic link that was opened itself.
    func linkTarget() throws(SystemError) -> String {
        var text = [UInt8](repeating: 0, count: Int(PATH_MAX))
        let count = text.withUnsafeMutableBytes { buffer in
            buffer.withMemoryRebound(to: CChar.self) { text in
                text.baseAddress.map { readlinkat(number, "", $0, text.count) } ?? 0
            }
        }
        guard count >= 0 else { throw .last }
        guard count < text.count else { throw SystemError(code: ENAMETOOLONG) }
        return String(decoding: text[..<count], as: UTF8.self)
    }
}
