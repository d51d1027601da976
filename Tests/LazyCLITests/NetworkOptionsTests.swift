import ArgumentParser
import FoundationEssentials
import LazyLoading
import LazyPipeline
import Testing

@testable import LazyBase
@testable import LazyBatch
@testable import LazyCLI
@testable import LazyTerminal

@Suite struct NetworkOptionsTests {
    private func settings(_ arguments: String..., inputs: Int = 1) throws -> NetworkSettings {
        try NetworkOptions.parse(arguments).settings(inputs: inputs)
    }

    @Test(arguments: [
        ([], FetchPolicy.normal), (["--refresh"], .reload), (["--offline"], .cacheOnly),
        (["--no-cache"], .noCache),
    ]) func `options select the policy`(arguments: [String], policy: FetchPolicy) throws {
        #expect(try NetworkOptions.parse(arguments).settings(inputs: 1).policy == policy)
    }

    @Test func `policies exclude each other`() {
        #expect {
            try settings("--offline", "--refresh")
        } throws: {
            ($0 as? CommandFailure)?.message == "--refresh cannot be combined with --offline."
        }
    }

    @Test func `a URL for constrained networks allows only one input`() throws {
        #expect(try settings("--low-data", "http://a/s").lowDataURL?.absoluteString == "http://a/s")
        #expect(throws: CommandFailure.self) {
            try settings("--low-data", "http://a/s", inputs: 2)
        }
    }

    @Test func `a budget selects one of the URLs of an input`() throws {
        let settings = try settings(
            "--alternative", "http://a/m", "--alternative", "http://a/s", "--budget", "20K")
        #expect(settings.alternatives.map(\.absoluteString) == ["http://a/m", "http://a/s"])
        #expect(settings.budget == 20_000)
        #expect(throws: CommandFailure.self) {
            try self.settings("--alternative", "http://a/m", inputs: 2)
        }
        #expect(throws: CommandFailure.self) { try self.settings("--budget", "1K") }
    }

    @Test func `a request has the values of the options`() throws {
        let url = try #require(URL(string: "http://a/b"))
        let request = try settings(
            "--timeout", "1.5", "--header", "A: b", "--header", "A:c ", "--max-download", "2K",
            "--max-time", "2m", "--min-rate", "1K", "--header", "Accept-Language: de"
        ).request(url)
        #expect(request.totalTimeout == .seconds(120))
        #expect(request.minimumRate == .init(bytesPerSecond: 1000))
        // Fields of one's own are taken for secrets; what is known to be none is not.
        #expect(request.secretHeaders == ["a"])
        #expect(try settings("--min-rate", "0").request(url).minimumRate?.bytesPerSecond == 0)
        #expect(try settings().request(url).totalTimeout == nil)
        #expect(request.readTimeout == .milliseconds(1500))
        #expect(request.connectTimeout == .milliseconds(1500))
        #expect(request.headers.values(of: "a") == ["b", "c "])
        #expect(request.maximumBytes == 2000)
    }

    @Test(arguments: [
        ["--header", "no colon"], ["--header", ": x"], ["--header", "a b: c"],
        ["--header", "a: b\nc: d"], ["--timeout", "0"], ["--timeout", "soon"], ["--max-time", "0"],
        ["--min-rate", "-1"], ["--retries", "-1"],
        ["--retries", "101"], ["--max-download", "0"], ["--max-download", "big"],
        ["--low-data", "small.gif"], ["--alternative", "small.gif"], ["--budget", "0"],
    ]) func `invalid header fields are rejected`(arguments: [String]) {
        #expect(throws: (any Error).self) { try NetworkOptions.parse(arguments) }
    }

    static let outcomes: [(LoadingError, LazyPipeline.ExitStatus)] = [
        (LoadingError(.badAddress, ""), .usage), (LoadingError(.notFound, ""), .noInput),
        (LoadingError(.notCached, ""), .noInput), (LoadingError(.dns, ""), .unavailable),
        (LoadingError(.connect, ""), .unavailable), (LoadingError(.tls, ""), .unavailable),
        (LoadingError(.redirect, ""), .unavailable), (LoadingError(.malformed, ""), .unavailable),
        (LoadingError(.reset, ""), .temporary), (LoadingError(.truncated, ""), .temporary),
        (LoadingError(.timeout, ""), .temporary), (LoadingError(.constrained, ""), .temporary),
        (LoadingError(.tooLarge, ""), .limit), (LoadingError(.empty, ""), .badData),
        (LoadingError(.environment, ""), .unavailable),
        (LoadingError.cancelled, .interrupted(by: nil)),
        (LoadingError(.status, "", status: 400), .unavailable),
        (LoadingError(.status, "", status: 401), .noPermission),
        (LoadingError(.status, "", status: 403), .noPermission),
        (LoadingError(.status, "", status: 404), .noInput),
        (LoadingError(.status, "", status: 410), .noInput),
        (LoadingError(.status, "", status: 408), .temporary),
        (LoadingError(.status, "", status: 413), .limit),
        (LoadingError(.status, "", status: 429), .temporary),
        (LoadingError(.status, "", status: 500), .unavailable),
        (LoadingError(.status, "", status: 503), .unavailable),
        (LoadingError(.status, "", status: 503, retryAfter: .seconds(7)), .temporary),
    ]

    @Test(arguments: outcomes) func `each failure has a stable exit code and name`(
        error: LoadingError, status: LazyPipeline.ExitStatus
    ) {
        let failure = CommandFailure(error, about: "http://a/b")
        #expect(failure.status == status)
        #expect(failure.code == error.code.rawValue)
        #expect(failure.httpStatus == error.status)
    }
}
