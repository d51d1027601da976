import FoundationEssentials
import Hummingbird
import LazyKit

/// What a query asks for: the source, and the rendition by its JSON or by words.
struct Query {
    let source: ImageRequest
    let rendition: Rendition

    init(_ query: Parameters) throws {
        guard let text = query["url"], let url = URL(string: String(text)),
            ["http", "https"].contains(url.scheme)
        else { throw HTTPError(.badRequest, message: "An http or https URL is required: ?url=…") }
        source = ImageRequest(url: url)
        let json = try query["rendition"].map { String($0) } ?? Self.json(query)
        do { rendition = try Rendition(json: json) } catch {
            throw HTTPError(.badRequest, message: "In the rendition, \(error).")
        }
    }

    /// The words of a query as JSON: `at=25%&edit.crop=16:9&width=320&type=webp`.
    ///
    /// Words of an edit and of the output have a dot; `width` and `type` are short for two of them.
    private static func json(_ query: Parameters) throws -> String {
        var members = ["": ["kind": "poster"], "edit": [:], "output": [:]]
        for (name, value) in query where name != "url" {
            let (name, value) = (String(name), String(value))
            switch name {
            case "width": members["edit"]?["size"] = value + "x"
            case "type": members["output"]?["type"] = value
            default:
                let parts = name.split(separator: ".", maxSplits: 1).map { String($0) }
                members[parts.count > 1 ? parts[0] : "", default: [:]][parts.last ?? ""] = value
            }
        }
        let own = members.removeValue(forKey: "") ?? [:]
        let encoder = JSONEncoder()
        let parts =
            try own.map { (try encoder.encode($0.key), try encoder.encode($0.value)) }
            + members.map { (try encoder.encode($0.key), try encoder.encode($0.value)) }
        return "{" + parts.map { text($0.0) + ":" + text($0.1) }.joined(separator: ",") + "}"
    }

    private static func text(_ data: Data) -> String { String(decoding: data, as: UTF8.self) }
}
