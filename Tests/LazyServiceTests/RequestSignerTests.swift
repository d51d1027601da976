import FoundationEssentials
import Glibc
import LazyBase
import LazyLoading
import Testing

@testable import LazyService

/// Signatures of requests, as botocore makes them (scripts/install-python.sh).
@Suite struct RequestSignerTests {
    private static let script =
        String(#filePath.dropLast("RequestSignerTests.swift".count)) + "Data/sign.py"

    /// How many requests are compared: 200, or what `LAZYIMG_SIGNATURES` says.
    private static let count =
        ProcessInfo.processInfo.environment["LAZYIMG_SIGNATURES"].flatMap { Int($0) } ?? 200

    /// A request, and how botocore signs it.
    private struct Row {
        let members: [(String, JSONValue)]

        subscript(_ name: String) -> String {
            guard case .string(let text)? = members.first(where: { $0.0 == name })?.1 else {
                return ""
            }
            return text
        }

        func texts(_ name: String) -> [String] {
            guard case .array(let values)? = members.first(where: { $0.0 == name })?.1 else {
                return []
            }
            return values.map { if case .string(let text) = $0 { text } else { "" } }
        }

        var seconds: Int64 {
            guard case .integer(let value)? = members.first(where: { $0.0 == "seconds" })?.1 else {
                return -1
            }
            return value
        }

        var body: [UInt8] {
            let digits = self["body"].utf8.compactMap(\.hexadecimalValue)
            return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
        }
    }

    /// What the script prints; nil where botocore is not installed.
    private static func rows() -> [Row]? {
        guard let stream = popen("python3 '\(script)' \(count) \(count == 200 ? 1 : count)", "r")
        else { return nil }
        var output: [UInt8] = []
        var buffer = [UInt8](repeating: 0, count: 1 << 16)
        while true {
            let count = fread(&buffer, 1, buffer.count, stream)
            if count <= 0 { break }
            output += buffer[..<count]
        }
        guard pclose(stream) == 0 else { return nil }
        return output.split(separator: UInt8(ascii: "\n")).compactMap { line in
            guard case .object(let members)? = JSONValue(reading: Array(line)) else { return nil }
            return Row(members: members)
        }
    }

    @Test func `requests are signed as botocore signs them`() throws {
        guard let rows = Self.rows() else {
            print("botocore is not installed: run scripts/install-python.sh.")
            return
        }
        #expect(rows.count == Self.count)
        var equal = 0
        for row in rows {
            var request = LoadRequest(url: try #require(URL(string: row["url"])))
            request.method = row["method"]
            if !row.body.isEmpty { request.upload = row.body }
            for (name, value) in zip(row.texts("names"), row.texts("values")) {
                request.headers.add(name, value)
            }
            let token = row["token"].isEmpty ? nil : row["token"]
            let key = AccessKey(id: row["id"], secret: row["secret"], token: token)
            let signed = RequestSigner(region: row["region"]).signed(
                request, by: key, at: WallTime(seconds: row.seconds))
            #expect(signed.headers["X-Amz-Date"] == row["date"])
            #expect(signed.headers["X-Amz-Content-SHA256"] == row["digest"])
            #expect(signed.headers["X-Amz-Security-Token"] == token)
            if signed.headers["Authorization"] == row["authorization"] {
                equal += 1
            } else {
                Issue.record("\(row["url"]): \(row["authorization"])")
            }
        }
        #expect(equal == rows.count)
    }

    @Test func `AWS's own example has its signature`() throws {
        // "GET Object" of the documentation of Signature Version 4 for S3.
        var request = LoadRequest(
            url: try #require(URL(string: "https://examplebucket.s3.amazonaws.com/test.txt")))
        request.headers.add("Range", "bytes=0-9")
        let key = AccessKey(
            id: "AKIAIOSFODNN7EXAMPLE", secret: "wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY")
        let signed = RequestSigner(region: "us-east-1").signed(
            request, by: key, at: WallTime(seconds: 1_369_353_600))
        #expect(
            signed.headers["Authorization"]?.hasSuffix(
                "Signature=f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41")
                == true)
    }
}
