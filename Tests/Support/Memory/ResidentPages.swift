import Glibc

/// Which pages of memory have been made.
public enum ResidentPages {
    /// Whether Linux can make pages of memory before it is written.
    public static var canBePopulated: Bool {
        var system = utsname()
        guard uname(&system) == 0 else { return false }
        let release = withUnsafeBytes(of: system.release) {
            String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        let numbers = release.split { !$0.isNumber }.prefix(2).compactMap { Int($0) }
        return numbers.count == 2 && (numbers[0], numbers[1]) >= (5, 14)
    }

    /// For each page that lies within the memory, whether it was made.
    public static func within(_ memory: UnsafeRawBufferPointer) -> [Bool] {
        let start = (UInt(bitPattern: memory.baseAddress) + 4095) & ~4095
        let end = (UInt(bitPattern: memory.baseAddress) + UInt(memory.count)) & ~4095
        guard end > start else { return [] }
        var pages = [UInt8](repeating: 0, count: Int(end - start) / 4096)
        let result = mincore(UnsafeMutableRawPointer(bitPattern: start), Int(end - start), &pages)
        return result == 0 ? pages.map { $0 & 1 == 1 } : []
    }
}
