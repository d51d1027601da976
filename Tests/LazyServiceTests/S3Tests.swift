import FoundationEssentials
import LazyBase
import LazyLoading
import LazyMedia
import LazyPipeline
import LazyRenditions
import Testing

@testable import LazyService

/// Names of objects, results as objects, and what happens while a bucket fails.
@Suite struct S3Tests {
    // MARK: - Names

    @Test(arguments: [
        ("s3://bucket/clip.mp4", "s3://bucket/clip.mp4", "bucket", "clip.mp4"),
        ("S3://bucket//a b%é?", "s3://bucket/a%20b%25%C3%A9", "bucket", "a b%é"),
        ("s3://my.bucket/a/b/c", "s3://my.bucket/a/b/c", "my.bucket", "a/b/c"),
    ])
    func `an address in a path is a bucket and a key`(
        text: String, url: String, bucket: String, key: String
    ) throws {
        var rules = AddressRules()
        rules.schemes.insert("s3")
        let read = try rules.url(of: text)
        #expect(read.absoluteString == url)
        #expect(try S3Address(read) == S3Address(bucket: bucket, key: key))
    }

    @Test func `a version is behind a question mark`() throws {
        var rules = AddressRules()
        rules.schemes.insert("s3")
        let address = try S3Address(rules.url(of: "s3://bucket/key?v/1"))
        #expect(address.key == "key" && address.version == "v/1")
    }

    @Test(arguments: [
        "s3://bucket", "s3://bucket/", "s3:///key", "s3://a%40b/key", "s3://.b/key",
        "s3://bucket/a/../b", "s3://bucket/%2E%2E/b", "s3://bucket/a%00",
    ])
    func `what is no object is not asked for`(text: String) throws {
        let url = try #require(URL(string: text))
        #expect(throws: LoadingError.self) { try S3Address(url) }
    }

    @Test func `buckets are sources only where that is set`() throws {
        var configuration = ServiceConfiguration()
        #expect(!configuration.allows("s3://bucket/key"))
        configuration.loadsS3 = true
        #expect(configuration.allows("s3://bucket/key"))
        configuration.allowedSources = ["s3://mine/"]
        #expect(!configuration.allows("s3://bucket/key") && configuration.allows("s3://mine/key"))
        configuration.allowedSources = []
        configuration.loadsRemote = false
        #expect(!configuration.allows("s3://bucket/key") && !configuration.allows("S3://bucket/k"))
    }

    @Test(arguments: [
        (true, "a b/c", "https://host:9000/s/bucket/a%20b/c?versionId=1"),
        (false, "a+b", "https://bucket.host:9000/s/a%2Bb?versionId=1"),
        (true, "", "https://host:9000/s/bucket?versionId=1"),
        (false, "", "https://bucket.host:9000/s/?versionId=1"),
    ])
    func `a bucket is in the path or in the host`(isPath: Bool, key: String, url: String) {
        let endpoint = S3Endpoint(address: "https://host:9000/s", usesPathStyle: isPath)
        let made = endpoint.url(bucket: "bucket", key: key, query: [("versionId", "1")])
        #expect(made?.absoluteString == url)
    }

    @Test func `a playlist of somebody else names no object`() async throws {
        let storage = S3Storage(
            endpoint: "http://127.0.0.1:9", environment: ["AWS_EC2_METADATA_DISABLED": "true"])
        let loader = storage.loader(next: BlobLoader { _ in Blob([1]) })
        var request = LoadRequest(url: try #require(URL(string: "s3://bucket/key")))
        request.trustedHost = "example.com"
        await #expect {
            try await loader.load(request)
        } throws: {
            ($0 as? LoadingError)?.code == .badAddress
        }
    }

    // MARK: - Objects

    private static let result = Rendition.Stored(
        body: Blob(Array("body\n".utf8)), byteCount: 5, type: .webp,
        digest: "0f3b4d2e4ec3a7c0e5b4a9f9e3f7a2b1", report: #"{"width": 1}"#)

    @Test func `a result is one object, which is read as it was`() throws {
        var result = Self.result
        result.digest = try RenditionTask.Tag.text(of: result.body)
        let bytes = StoredObject.head(of: result) + Array("body\n".utf8)
        let read = try #require(S3Results.result(of: Blob(bytes)))
        #expect(try read.body.bytes() == Array("body\n".utf8))
        #expect(read.digest == result.digest && read.report == result.report)
        #expect(read.type == .webp && read.byteCount == 5)
    }

    @Test func `a damaged object is none`() throws {
        var result = Self.result
        result.digest = try RenditionTask.Tag.text(of: result.body)
        let bytes = StoredObject.head(of: result) + Array("body\n".utf8)
        for place in bytes.indices {
            #expect(S3Results.result(of: Blob(Array(bytes[..<place]))) == nil)
            var changed = bytes
            changed[place] ^= 1
            // Names of types and the report have no digest; all else shows.
            if let read = S3Results.result(of: Blob(changed)) {
                #expect(try read.body.bytes() == result.body.bytes())
                #expect(read.digest == result.digest)
            }
        }
        #expect(S3Results.result(of: Blob(bytes + [0])) == nil)
    }

    @Test func `of a list only names of ours are read`() {
        let name = String(repeating: "0f", count: 32)
        let list = """
            <?xml version="1.0"?><ListBucketResult><Name>b</Name><Prefix>p/</Prefix>
            <Contents><Key>p/\(name)</Key><Size>12</Size></Contents>
            <Contents><Key>p/\(name)x</Key><Size>1</Size></Contents>
            <Contents><Key>q/\(name)</Key><Size>1</Size></Contents>
            <Contents><Key>p/&#x2e;</Key></Contents><Contents></Contents>
            </ListBucketResult>
            """
        #expect(
            ListedObject.all(in: Array(list.utf8), folder: "p/")
                == [ListedObject(key: "p/\(name)", size: 12)])
        for end in list.utf8.indices {
            _ = ListedObject.all(in: Array(list.utf8[..<end]), folder: "p/")
        }
    }

    // MARK: - Failures

    @Test func `a store that fails is left alone, each time for longer`() {
        var pause = StorePause()
        var asked: [Bool] = []
        func ask(_ milliseconds: Int) {
            asked.append(pause.mayAsk(at: .milliseconds(milliseconds)))
        }
        ask(0)
        pause.didFail(at: .seconds(10))
        ask(10_999)
        ask(11_000)
        // Others wait for what becomes of that.
        ask(11_000)
        pause.didFail(at: .seconds(12))
        ask(13_999)
        ask(14_000)
        pause.didSucceed()
        ask(14_000)
        ask(14_000)
        #expect(asked == [true, false, true, false, false, true, true, true])
        for second in 0..<10 { pause.didFail(at: .seconds(second)) }
        #expect(pause.length == .seconds(30))
    }
}
