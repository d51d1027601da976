import LazyLoading
import LazyMedia
import LazyPipeline
import Testing

@Suite struct ErrorStatusTests {
    static let statuses: [(PipelineError, Int)] = [
        (.dataMissingInCache, 504), (.dataIsEmpty, 415),
        (.decoderNotRegistered(.init(type: .unknown)), 415),
        (.requestMissing, 400), (.pipelineInvalidated, 503), (.cancelled, 499),
        (.dataDownloadExceededMaximumSize(1), 413),
        (.sourceFailed(ProcessingError("x")), 500),
        (.processingFailed(identifier: "x", ProcessingError("x")), 422),
        (.dataLoadingFailed(LoadingError(.notFound, "")), 404),
        (.dataLoadingFailed(LoadingError(.status, "", status: 404)), 404),
        (.dataLoadingFailed(LoadingError(.status, "", status: 500)), 502),
        (.dataLoadingFailed(LoadingError(.badAddress, "")), 400),
        (.dataLoadingFailed(LoadingError(.timeout, "")), 504),
        (.dataLoadingFailed(LoadingError(.dns, "")), 502),
        (.dataLoadingFailed(LoadingError(.tooLarge, "")), 413),
        (.decodingFailed(MediaError(.unsupported, "")), 415),
        (.decodingFailed(MediaError(.encrypted, "")), 422),
        (.decodingFailed(MediaError(.truncated, "")), 422),
        (.decodingFailed(MediaError(.limitExceeded, "")), 413),
        (.decodingFailed(MediaError(.decoderCrashed, "")), 502),
        (.decodingFailed(MediaError(.timedOut, "")), 504),
    ]

    @Test(arguments: statuses.indices) func `each error has its HTTP status`(index: Int) {
        let (error, status) = Self.statuses[index]
        #expect(error.httpStatus == status, "\(error)")
    }
}
