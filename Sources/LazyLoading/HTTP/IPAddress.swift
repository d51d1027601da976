import Glibc

/// An IP address, version 4 or 6.
struct IPAddress: Equatable {
    /// 4 or 16 bytes.
    let bytes: [UInt8]

    init(bytes: [UInt8]) { self.bytes = bytes }

    /// Reads a `sockaddr`; nil for other address families.
    init?(_ address: UnsafeRawPointer, family: CInt) {
        switch family {
        case AF_INET:
            let address = address.loadUnaligned(as: sockaddr_in.self)
            bytes = withUnsafeBytes(of: address.sin_addr) { Array($0) }
        case AF_INET6:
            let address = address.loadUnaligned(as: sockaddr_in6.self)
            bytes = withUnsafeBytes(of: address.sin6_addr) { Array($0) }
        default: return nil
        }
    }

    /// Parses text such as `127.0.0.1` or `::1`.
    init?(_ text: String) {
        var four = in_addr()
        var six = in6_addr()
        if inet_pton(AF_INET, text, &four) == 1 {
            bytes = withUnsafeBytes(of: four) { Array($0) }
        } else if inet_pton(AF_INET6, text, &six) == 1 {
            bytes = withUnsafeBytes(of: six) { Array($0) }
        } else {
            return nil
        }
    }

    /// Whether it is globally reachable, by IANA's special-purpose address registries.
    var isPublic: Bool {
        bytes.count == 4 ? !Self.special4.contains { $0.contains(bytes) } : isPublic6
    }

    /// Whether a host is an address that is not public, or has a name that always means this machine (RFC 6761, 6.3).
    static func isPrivate(host: String) -> Bool {
        let host = host.hasPrefix("[") ? String(host.dropFirst().dropLast()) : host
        if let address = IPAddress(host) { return !address.isPublic }
        return host == "localhost" || host.hasSuffix(".localhost")
    }

    private var isPublic6: Bool {
        // ::ffff:0:0/96 (mapped), 64:ff9b::/96 (NAT64) and 2002::/16 (6to4) contain an IPv4 address,
        // which decides.
        let mapped = bytes[..<10].allSatisfy { $0 == 0 } && bytes[10] == 0xFF && bytes[11] == 0xFF
        if mapped || Block([0, 0x64, 0xFF, 0x9B, 0, 0, 0, 0, 0, 0, 0, 0], 96).contains(bytes) {
            return IPAddress(bytes: Array(bytes[12...])).isPublic
        }
        if Block([0x20, 0x02], 16).contains(bytes) {
            return IPAddress(bytes: Array(bytes[2..<6])).isPublic
        }
        // Only 2000::/3 has been allocated.
        return Block([0x20], 3).contains(bytes) && !Self.special6.contains { $0.contains(bytes) }
    }

    /// A block of addresses with a common prefix.
    private struct Block {
        let prefix: [UInt8]
        let bits: Int

        init(_ prefix: [UInt8], _ bits: Int) {
            self.prefix = prefix
            self.bits = bits
        }

        func contains(_ bytes: [UInt8]) -> Bool {
            zip(prefix, bytes).enumerated().allSatisfy { index, pair in
                let count = min(8, bits - index * 8)
                return count <= 0 || (pair.0 ^ pair.1) >> (8 - count) == 0
            }
        }
    }

    private static let special4 = [
        Block([0], 8), Block([10], 8), Block([100, 64], 10), Block([127], 8),
        Block([169, 254], 16), Block([172, 16], 12), Block([192, 0, 0], 24),
        Block([192, 0, 2], 24), Block([192, 88, 99], 24), Block([192, 168], 16),
        Block([198, 18], 15), Block([198, 51, 100], 24), Block([203, 0, 113], 24),
        Block([224], 4), Block([240], 4),
    ]
    /// Protocol assignments with Teredo, documentation (two blocks).
    private static let special6 = [
        Block([0x20, 0x01, 0x00], 23), Block([0x20, 0x01, 0x0D, 0xB8], 32),
        Block([0x3F, 0xFF, 0x00], 20),
    ]
}
