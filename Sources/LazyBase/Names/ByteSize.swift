/// Numbers of bytes in text.
package enum ByteSize {
    /// Three digits and a decimal unit: `999 B`, `1.2 kB`, `34.5 MB`.
    package static func text(_ bytes: Int) -> String {
        guard bytes >= 1000 else { return "\(bytes) B" }
        var value = Double(bytes) / 1000
        var units = ["kB", "MB", "GB", "TB"][...]
        while value >= 999.5, units.count > 1 {
            value /= 1000
            units = units.dropFirst()
        }
        let tenths = Int((value * 10).rounded())
        let number = tenths >= 1000 ? "\(Int(value.rounded()))" : "\(tenths / 10).\(tenths % 10)"
        return "\(number) \(units.first ?? "TB")"
    }
}
