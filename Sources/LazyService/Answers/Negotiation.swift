/// Which of the formats that not every client shows a client has asked for (RFC 9110, 12.5.1).
///
/// All values of the field `Accept` are one of few classes, so that caches keep few variants.
struct Negotiation: Hashable, Sendable {
    /// Whether the client shows AVIF.
    var showsAVIF = false
    /// Whether the client shows WebP.
    var showsWebP = false

    /// Nothing but what every client shows.
    static let none = Negotiation()

    private init() {}

    /// Reads a field; types count where they are named, and not where a range has them.
    init(accept field: String?) {
        for member in (field ?? "").split(separator: ",") {
            let words = member.split(separator: ";").map { word in
                word.lowercased().filter { $0 != " " && $0 != "\t" }
            }
            let isRefused = words.dropFirst().contains { word in
                word.hasPrefix("q=") && Double(word.dropFirst(2)) == 0
            }
            guard let type = words.first, !isRefused else { continue }
            if type == "image/avif" { showsAVIF = true }
            if type == "image/webp" { showsWebP = true }
        }
    }
}
