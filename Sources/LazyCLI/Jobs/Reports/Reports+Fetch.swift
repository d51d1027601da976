internal import FoundationEssentials
package import LazyBase
internal import LazyLoading

extension Reports {
    /// `fetch --json`: one download.
    package static func fetched(_ fetched: Fetched) -> JSONValue {
        let head = fetched.head
        return .object([
            ("input", .name(fetched.item.label)),
            ("output", .name(orNull: fetched.output)),
            ("bytes", .integer(fetched.count)),
            ("from", .string(head.origin.rawValue)),
            ("resumedBytes", .integer(head.resumedCount)),
            ("status", .integer(head.status)),
            ("url", .string(head.url.absoluteString)),
            ("contentType", .string(orNull: head.headers["Content-Type"])),
        ])
    }

    /// One download as a line for people.
    package static func line(_ fetched: Fetched) -> String {
        let name = fetched.output.map { $0 == "-" ? fetched.item.label : $0 } ?? fetched.item.label
        return "\(name): \(ByteSize.text(fetched.count)) \(origin(of: fetched))"
    }

    private static func origin(of fetched: Fetched) -> String {
        switch fetched.head.origin {
        case .network: "from the network"
        case .store: "from the cache"
        case .revalidated: "from the cache, validated by the server"
        case .stale: "from the cache, stale"
        case .resumed:
            "from the network, except \(ByteSize.text(fetched.head.resumedCount)) of an earlier run"
        case .local: "local"
        }
    }
}
