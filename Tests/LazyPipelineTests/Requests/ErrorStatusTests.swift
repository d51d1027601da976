import Glibc
import LazyBase
import LazyLoading
import LazyMedia
import Testing

@testable import LazyPipeline

/// Exit codes and HTTP statuses of all errors.
@Suite struct ErrorStatusTests {
    typealias Row = (error: any Error, exit: Int, http: Int)

    static let media: [(MediaError.Code, Int, Int)] = [
        (.unsupported, 65, 415), (.coverOnly, 65, 415), (.noCover, 65, 415),
        (.malformed, 65, 422), (.truncated, 65, 422), (.encrypted, 65, 422),
        (.notFound, 65, 422), (.trackNotFound, 65, 422), (.notWritable, 65, 422),
        (.unending, 65, 422), (.processingFailed, 65, 422), (.init(rawValue: "own"), 65, 422),
        (.limitExceeded, 76, 413), (.decoderCrashed, 65, 502), (.decoderKilled, 75, 503),
        (.timedOut, 75, 504), (.environment, 69, 500), (.cancelled, 130, 499),
    ]

    static let loads: [(LoadingError.Code, Int, Int)] = [
        (.badAddress, 64, 400), (.notFound, 66, 404), (.notCached, 66, 504), (.dns, 69, 502),
        (.connect, 69, 502), (.tls, 69, 502), (.malformed, 69, 502), (.redirect, 69, 502),
        (.changed, 69, 502), (.status, 69, 502), (.reset, 75, 502), (.truncated, 75, 502),
        (.timeout, 75, 504), (.constrained, 75, 503), (.tooLarge, 76, 413), (.empty, 65, 415),
        (.environment, 69, 500), (.cancelled, 130, 499),
    ]

    static let pipeline: [(PipelineError, Int, Int)] = [
        (.dataMissingInCache, 66, 504), (.dataIsEmpty, 65, 415), (.requestMissing, 64, 400),
        (.decoderNotRegistered(.init(type: .unknown)), 65, 415), (.pipelineInvalidated, 70, 503),
        (.dataDownloadExceededMaximumSize(1), 76, 413), (.cancelled, 130, 499),
        (.sourceFailed(ProcessingError("x")), 70, 500),
        (.processingFailed(identifier: "x", ProcessingError("x")), 70, 422),
    ]

    static let responses: [(status: Int, exit: Int, http: Int)] = [
        (404, 66, 404), (410, 66, 404), (401, 77, 502), (403, 77, 502), (407, 77, 502),
        (451, 77, 502), (408, 75, 502), (425, 75, 502), (429, 75, 502), (413, 76, 502),
        (414, 76, 502), (500, 69, 502), (503, 69, 502), (418, 69, 502),
    ]

    /// Errors of the system: while media is read, and while bytes are loaded.
    static let system: [(code: CInt, media: (Int, Int), load: (Int, Int))] = [
        (ENOENT, (66, 404), (74, 500)), (ENOTDIR, (66, 404), (74, 500)),
        (EISDIR, (66, 404), (74, 500)), (ELOOP, (66, 404), (74, 500)),
        (ENAMETOOLONG, (66, 404), (74, 500)), (EACCES, (77, 500), (77, 500)),
        (EPERM, (77, 500), (77, 500)), (EROFS, (74, 500), (77, 500)),
        (EMFILE, (75, 503), (74, 500)), (ENFILE, (75, 503), (74, 500)),
        (ENOSPC, (74, 500), (74, 500)), (EIO, (74, 500), (74, 500)),
    ]

    static let limits: [(String, Int, Int)] = [
        ("maxBytes", 76, 422), ("sourceBytes", 73, 422), ("inputBytes", 76, 413),
    ]

    /// All rows, each error as it is and as one of a pipeline.
    static let rows: [Row] = {
        var rows: [Row] = pipeline.map { ($0.0, $0.1, $0.2) }
        func add(_ error: MediaError, _ exit: Int, _ http: Int) {
            rows += [(error, exit, http), (PipelineError.decodingFailed(error), exit, http)]
        }
        func add(_ error: LoadingError, _ exit: Int, _ http: Int) {
            rows += [(error, exit, http), (PipelineError.dataLoadingFailed(error), exit, http)]
            // A fault of media that is a fault of its load is that.
            rows.append((MediaError(.environment, "x", underlying: error), exit, http))
        }
        for (code, exit, http) in media { add(MediaError(code, "x"), exit, http) }
        for (code, exit, http) in loads { add(LoadingError(code, "x"), exit, http) }
        for (status, exit, http) in responses {
            add(LoadingError(.status, "x", status: status), exit, http)
        }
        add(LoadingError(.status, "x", status: 503, retryAfter: .seconds(1)), 75, 502)
        for (code, media, load) in system {
            let error = SystemError(code: code)
            add(MediaError(.environment, "x", underlying: error), media.0, media.1)
            add(LoadingError(.environment, "x", underlying: error), load.0, load.1)
        }
        for (name, exit, http) in limits {
            let excess = MediaError.Excess(limit: name, allowed: 1, actual: 2)
            add(MediaError(.limitExceeded, "x", excess: excess), exit, http)
        }
        return rows
    }()

    @Test(arguments: rows.indices) func `each error has its exit code and its HTTP status`(
        index: Int
    ) {
        let (error, exit, http) = Self.rows[index]
        let found: (Int, Int)? =
            switch error {
            case let error as MediaError: (error.exitCode, error.httpStatus)
            case let error as LoadingError: (error.exitCode, error.httpStatus)
            case let error as PipelineError: (error.exitCode, error.httpStatus)
            default: nil
            }
        #expect(found?.0 == exit && found?.1 == http, "\(error) \(String(describing: found))")
    }
}
