import FoundationEssentials
import LazyBase
import LazyKit
import LazyMedia
import Support
import Testing

@testable import LazyService

/// Statuses of requests, as the data has them.
@Suite(.timeLimit(.minutes(2))) struct StatusTests {
    /// Rows that are answered differently, and why.
    private static let differences: [String: String] = [
        "status-05": "needs that very server", "status-06": "needs that very server",
        "status-07": "needs that very server",
        "status-10": "needs a server; in the tests of the program",
        "status-11": "needs a server; in the tests of the program",
        "status-12": "formats cannot be turned off", "status-13": "formats cannot be turned off",
        "status-14": "formats are skipped by paths only",
        "status-16": "formats are skipped by paths only",
        "status-17": "formats are skipped by paths only", "status-25": "needs a server",
        "status-18": "SVG is not rendered: 415", "status-19": "SVG is not rendered: 415",
        "status-21": "SVG is not rendered: 415", "status-22": "SVG is not rendered: 415",
        "status-23": "SVG is not rendered: 415", "status-24": "SVG is not rendered: 415",
        "status-28": "damage of a source is 422, and not a fault of the service",
    ]

    private static func served(_ row: Table.Row, _ folder: String) throws -> Served {
        try Served(folder) { configuration in
            if row["config"].hasPrefix("key") {
                let pair = URLSignature.Pair(
                    key: Array("test-key".utf8), salt: Array("test-salt".utf8))
                configuration.signature = URLSignature(pairs: [pair])
            }
            if row["config"].hasPrefix("allowed sources") {
                configuration.allowedSources = row["config"].split(separator: " ").dropFirst(2)
                    .map { String($0) }
            }
            configuration.allowsBounds = true
        }
    }

    @Test(arguments: Table("statuses").rows.filter { differences[$0.id] == nil })
    func `a request has the status of its row`(_ row: Table.Row) async throws {
        let scratch = Scratch()
        let png = try Pictures.plain(PixelSize(width: 10, height: 10)).pngData()
        scratch.write(png, "test1.png")
        let wide = try Pictures.plain(PixelSize(width: 200, height: 100)).pngData()
        scratch.write(wide, "geometry.png")
        let jpeg = try await Pictures.plain(PixelSize(width: 600, height: 800)).encoded(as: .jpeg)
        scratch.write(jpeg, "jpg.jpg")
        let request = row["request"].replacing("HALF", with: "\(jpeg.count / 2)")
        let response = try await Self.served(row, scratch.path).get(request)
        #expect(response.status == Int(row["status"]), "\(response)")
        let bytes = try await Served.bytes(response)
        if row["facts"].hasPrefix("bytes of the source") { #expect(bytes == png) }
        if row["facts"].contains("body <= HALF") { #expect(bytes.count <= jpeg.count / 2) }
    }
}
