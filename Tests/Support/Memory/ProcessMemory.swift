import Glibc

/// The memory of this process as the kernel counts it, in bytes.
public enum ProcessMemory {
    /// What is resident.
    public static var resident: Int { bytes("VmRSS:") }

    /// The most that was resident.
    public static var peak: Int { bytes("VmHWM:") }

    private static func bytes(_ name: String) -> Int {
        guard let file = fopen("/proc/self/status", "r") else { return 0 }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, 256, file) != nil {
            let text = String(
                decoding: line.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
            guard text.hasPrefix(name) else { continue }
            return (Int(text.split(separator: " ").dropFirst().first ?? "") ?? 0) * 1024
        }
        return 0
    }
}
