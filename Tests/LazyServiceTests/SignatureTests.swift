import LazyBase
import LazyLoading
import Testing

@testable import LazyService

/// Signatures, and what is repaired of paths.
@Suite struct SignatureTests {
    private static let rows = Table("signatures").rows

    private static func signature(of row: Table.Row) -> URLSignature {
        let keys = row["key_hex"].split(separator: ",")
        let salts = row["salt_hex"].split(separator: ",")
        let pairs = zip(keys, salts).compactMap {
            URLSignature.Pair(key: String($0), salt: String($1))
        }
        let trusted: Set<String> = row["note"].contains("trusted signatures") ? ["truested"] : []
        return URLSignature(pairs: pairs, byteCount: Int(row["size"]) ?? 32, trusted: trusted)
    }

    @Test(arguments: rows.filter { $0["kind"].hasPrefix("signature") })
    func `a signature is right or wrong as its row says`(_ row: Table.Row) throws {
        let signature = Self.signature(of: row)
        let isRight = signature.allows(row["output"][...], for: row["input"])
        #expect(isRight == (row["result"] == "accepted"))
        if row["hmac_equal"] == "yes", signature.pairs.count == 1 {
            #expect(signature.signed(row["input"]) == "/" + row["output"] + row["input"])
        }
    }

    @Test(arguments: rows.filter { $0["kind"] == "request" })
    func `a request is cut into signature and path`(_ row: Table.Row) {
        let prefix = row["note"].contains("prefix /imgproxy") ? "/imgproxy" : ""
        guard row["result"] != "error" else {
            // Without a slash the row stands for a target that has none.
            let target = row.id == "split-07" ? "invalid_path_without_slash" : row["input"]
            #expect(throws: ServiceError.self) { try ServicePath(target: target, prefix: prefix) }
            return
        }
        let path = try? ServicePath(target: row["input"], prefix: prefix)
        #expect(path?.path == row["output"])
        #expect("signature=\(path?.signature ?? "")" == row["result"])
    }

    @Test(arguments: rows.filter { $0["kind"].hasPrefix("repair") })
    func `a path is repaired`(_ row: Table.Row) {
        // The slash in front of it belongs to the request.
        func bare(_ text: String) -> Substring {
            text.hasPrefix("/") ? text.dropFirst() : text[...]
        }
        #expect(bare(ServicePath.repaired(row["input"])) == bare(row["output"]))
    }

    /// Paths that a service repairs before it verifies them, and those of the data.
    @Test(
        arguments: [
            "/w:8/plain/http:/lost-slash", "/w%3A8/plain/local:/still.jpg", "/w:8/plain/a?b=c",
            "/rs%3Afit%3A8%3A8/bG9jYWw6Ly8vc3RpbGwuanBn.png", "/plain/http://h/a:/b",
            "//plain/local:///still.jpg",
        ] + rows.filter { $0["kind"].hasPrefix("repair") }.map { "/" + $0["input"] })
    func `what is signed is accepted`(path: String) throws {
        let pair = try #require(URLSignature.Pair(key: "aa", salt: "bb"))
        let rules = URLSignature(pairs: [pair])
        let signed = try #require(rules.signed(path))
        #expect(signed.hasSuffix(path))
        guard path.dropFirst().contains(where: { $0 != "/" }) else { return }
        let read = try ServicePath(target: signed)
        #expect(rules.allows(read.signature, for: read.signed))
    }

    @Test func `each flipped bit of a signature makes it wrong`() throws {
        let signature = try #require(
            URLSignature.Pair(key: "746573742d6b6579", salt: "746573742d73616c74"))
        let rules = URLSignature(pairs: [signature])
        let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        let text = Array("oWaL7QoW5TsgbuiS9-5-DI8S3Ibbo1gdB2SteJh3a20")
        for place in text.indices {
            let value = try #require(alphabet.firstIndex(of: text[place]))
            for bit in 0..<6 {
                // The last two bits of the last character are spare.
                if place == text.count - 1, bit < 2 { continue }
                var flipped = text
                flipped[place] = alphabet[value ^ (1 << bit)]
                #expect(!rules.allows(String(flipped)[...], for: "/asd"))
            }
        }
        #expect(!rules.allows("oWaL7QoW5TsgbuiS9-5-DI8S3Ibbo1gdB2SteJh3a20=", for: "/asd"))
        #expect(rules.allows("oWaL7QoW5TsgbuiS9-5-DI8S3Ibbo1gdB2SteJh3a23", for: "/asd"))
    }

    @Test func `each flipped bit of a decoded signature is 403`() async throws {
        let pair = try #require(
            URLSignature.Pair(key: "746573742d6b6579", salt: "746573742d73616c74"))
        let served = try Served { $0.signature = URLSignature(pairs: [pair]) }
        let path = "/w:8/plain/local:///still.jpg@png"
        let signed = try #require(served.service.configuration.signature.signed(path))
        #expect(await served.get(signed).status == 200)
        let text = signed.dropFirst().dropLast(path.count)
        let standard = text.replacing("-", with: "+").replacing("_", with: "/") + "="
        let bytes = try #require(Base64.decode(Array(standard.utf8)))
        #expect(bytes.count == 32)
        for bit in 0..<256 {
            var flipped = bytes
            flipped[bit / 8] ^= 1 << (bit % 8)
            let wrong = Base64.encode(flipped).replacing("+", with: "-")
                .replacing("/", with: "_").dropLast()
            #expect(await served.get("/\(wrong)\(path)").status == 403)
        }
    }

    @Test func `without keys every signature is right, except an option in its place`() {
        #expect(URLSignature().allows("unsafe", for: "/x"))
        #expect(!URLSignature().allows("rs:fit:1:1", for: "/x"))
    }
}
