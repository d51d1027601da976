internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading
public import LazyPipeline
internal import LazyRenditions

/// Answers requests for posters, previews, sheets and conversions, whose paths say what is made of which source.
///
/// ```swift
/// let service = ImageService(pipeline: pipeline, configuration: configuration)
/// let request = ServiceRequest(target: "/unsafe/rs:fit:160:160/plain/local:///clip.mp4@webp")
/// let answer = await service.respond(to: request)
/// ```
///
/// Equal requests share their work in the pipeline. A request that has to make something takes a place of the
/// admission first; what is stored is answered at once.
public final class ImageService: Sendable {
    let pipeline: ImagePipeline
    let admission: Admission
    let counters = ServiceCounters()
    /// The facts of sources by the tags of their text, so that it is not read each time.
    let facts = MemoryCache<String, SourceFacts>(limits: .init(count: 8192))
    /// The tags of results in place of which a source with fewer bytes is not sent, since it has more than pixels.
    let kept = MemoryCache<String, Bool>(limits: .init(count: 8192))
    /// Jobs whose stale results are in use until they have ended.
    let revalidations = Revalidations()
    /// The configuration, and the number of its changes.
    private let current: Locked<(configuration: ServiceConfiguration, version: Int)>
    /// What paths say that were read before, by the version of the configuration, the path and what the client shows.
    private let jobs = MemoryCache<JobName, ServiceJob>(limits: .init(count: 1024))

    private struct JobName: Hashable {
        let version: Int
        let target: String
        let accept: String?
    }
    private let now: @Sendable () -> WallTime

    /// Makes a service on a pipeline.
    public convenience init(pipeline: ImagePipeline, configuration: ServiceConfiguration) {
        self.init(pipeline: pipeline, configuration: configuration) { .now }
    }

    init(
        pipeline: ImagePipeline, configuration: ServiceConfiguration,
        now: @escaping @Sendable () -> WallTime
    ) {
        self.pipeline = pipeline
        self.now = now
        admission = Admission(running: configuration.running, queued: configuration.queued)
        current = Locked((configuration, 0))
    }

    /// The configuration; requests that have begun keep the one they have.
    ///
    /// Places of the admission stay as they were when the service was made.
    public var configuration: ServiceConfiguration {
        get { current.withLock { $0.configuration } }
        set { current.withLock { $0 = (newValue, $0.version + 1) } }
    }

    /// The answer to a `GET` or `HEAD`, where memory has all that it needs; nil otherwise.
    ///
    /// Waits for nothing, so that nobody has to be asked whether the client is still there.
    public func readyResponse(to request: ServiceRequest) -> ServiceResponse? {
        guard request.method == "GET" || request.method == "HEAD",
            let job = knownJob(request),
            let ready = try? ready(JobWork(job: job, request: request, service: self))
        else { return nil }
        counters.begin()
        return finished(ready, of: job, request)
    }

    /// Whether an answer of `readyResponse(to:)` is right for an equal request, and counts that as answered.
    ///
    /// Equal are requests of one method, target and `Accept`, without conditions and ranges. It holds for a second at
    /// most, and costs a fraction of asking again: servers keep it as they send it.
    public func repeats(_ response: ServiceResponse) -> Bool {
        guard let repetition = response.repetition, repetition.result.isRight,
            repetition.version == current.withLock({ $0.version })
        else { return false }
        counters.repeat(response)
        pipeline.didRepeat()
        return true
    }

    /// What a path says, which is read once.
    private func knownJob(_ request: ServiceRequest) -> ServiceJob? {
        let (configuration, version) = current.withLock { $0 }
        let name = JobName(
            version: version, target: request.target, accept: request.fields["accept"])
        if var job = jobs.value(for: name) {
            job.seconds = Int(now().seconds)
            return job.options.expiry <= 0 || job.options.expiry > job.seconds ? job : nil
        }
        guard var job = try? job(request, nil, configuration) else { return nil }
        job.version = version
        jobs.set(job, for: name, cost: 1)
        return job
    }

    /// The answer to a request; cancelling the task cancels what nobody else waits for.
    ///
    /// A `POST` comes with a file, which is the source: of a path whose source is `upload:NAME`, or of `/pipeline`.
    public func respond(
        to request: ServiceRequest, uploading file: UploadedFile? = nil
    ) async -> ServiceResponse {
        let configuration = configuration
        counters.begin()
        if request.method == "OPTIONS" {
            return finished(ServiceResponse(methodsOf: request), of: nil, request)
        }
        var response: ServiceResponse
        do throws(ServiceError) {
            let job = try job(request, file, configuration)
            return finished(await answer(job, to: request), of: job, request)
        } catch {
            response = ServiceResponse(error)
            let rules = configuration.rules
            if rules.prefersAVIF || rules.prefersWebP { response.fields["Vary"] = "Accept" }
        }
        return finished(response, of: nil, request)
    }

    /// The answer with what every one has.
    private func finished(
        _ response: ServiceResponse, of job: ServiceJob?, _ request: ServiceRequest
    ) -> ServiceResponse {
        var response = response
        if job?.isNegotiated == true { response.fields["Vary"] = "Accept" }
        response.harden(for: job?.configuration ?? configuration)
        if request.method == "HEAD" { response.body = .none }
        // What is made of a file that was sent is nobody else's.
        if request.method == "POST" { response.fields["Cache-Control"] = "no-store" }
        counters.end(response)
        return response
    }

    /// Why a file is not taken, before it is read; nil where it is.
    public func refusal(ofUpload request: ServiceRequest) -> ServiceResponse? {
        let configuration = configuration
        do throws(ServiceError) {
            if let length = request.fields["content-length"].flatMap({ Int($0) }),
                length > configuration.uploadBytes
            {
                throw ServiceError(413, "A file has at most \(configuration.uploadBytes) bytes.")
            }
            _ = try job(request, UploadedFile(limit: 0), configuration)
            return nil
        } catch {
            var response = ServiceResponse(error)
            response.harden(for: configuration)
            counters.begin()
            counters.end(response)
            return response
        }
    }

    private func job(
        _ request: ServiceRequest, _ file: UploadedFile?, _ configuration: ServiceConfiguration
    ) throws(ServiceError) -> ServiceJob {
        let seconds = Int(now().seconds)
        let isRead = request.method == "GET" || request.method == "HEAD"
        guard isRead ? file == nil : request.method == "POST" && file != nil else {
            throw ServiceError(405, "Results are asked for by GET, HEAD, and POST with a file.")
        }
        if let fault = file?.fault { throw fault }
        let path = request.target.prefix { $0 != "?" }
        if let file, path == configuration.pathPrefix + "/pipeline" {
            return try ServiceJob(
                pipeline: request, file: file, configuration, seconds: seconds)
        }
        return try ServiceJob(request, file: file, configuration, seconds: seconds)
    }

    /// The answer to a job.
    private func answer(_ job: ServiceJob, to request: ServiceRequest) async -> ServiceResponse {
        let work = JobWork(job: job, request: request, service: self)
        do throws(ServiceError) {
            if let ready = try ready(work) { return ready }
            return try await work.runWithDeadline()
        } catch {
            return ServiceResponse(error)
        }
    }

    /// What memory has for a job; what is stale is sent as it is, while its source is asked for again.
    private func ready(_ work: JobWork) throws(ServiceError) -> ServiceResponse? {
        if let ready = try work.ready() { return ready }
        let time = work.job.staleTime
        guard time > .zero, let stale = try work.ready(staleFor: time) else { return nil }
        revalidations.begin(work)
        return stale
    }

    /// Removes what was made and loaded of a source, given as paths name it; the number of entries.
    ///
    /// An address in a path is percent-encoded.
    public func remove(source address: String, isEncoded: Bool = false) async throws -> Int {
        let configuration = configuration
        guard let address = isEncoded ? PercentEncoding.text(address) : address else {
            throw ServiceError(404, "The address is not percent-encoded UTF-8.")
        }
        let url = try configuration.addresses.url(of: configuration.addresses.whole(address))
        let removal = await pipeline.cache.removeAll(knownBy: url.absoluteString)
        return removal.imageCount + removal.renditions.count + removal.data.count
            + removal.responses.count
    }

    /// The counts of the service in Prometheus' text format.
    public var metrics: String { counters.text(admission.counts) }
}

extension ServiceResponse {
    private static let methods = "GET, HEAD, POST, OPTIONS"

    /// The answer to `OPTIONS`, which browsers ask for before they send a file to another origin.
    fileprivate init(methodsOf request: ServiceRequest) {
        self.init(
            status: 200, fields: ["Allow": Self.methods, "Cache-Control": "no-store"], length: 0)
    }

    /// Adds what keeps browsers from taking a result for something else, and which other origins may read it.
    fileprivate mutating func harden(for configuration: ServiceConfiguration) {
        fields["X-Content-Type-Options"] = "nosniff"
        fields["Content-Security-Policy"] = "default-src 'none'; sandbox"
        if status == 405 { fields["Allow"] = Self.methods }
        guard let origin = configuration.allowedOrigin, !origin.isEmpty else { return }
        fields["Access-Control-Allow-Origin"] = origin
        fields["Access-Control-Allow-Methods"] = Self.methods
        // The token of uploads, their types, and what else is not sent without being asked for.
        if fields["Allow"] != nil {
            fields["Access-Control-Allow-Headers"] =
                "Authorization, Content-Type, If-None-Match, Range"
        }
    }
}
