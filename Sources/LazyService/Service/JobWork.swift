internal import FoundationEssentials
internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyPipeline
internal import LazyRenditions

/// Answers one job: what the source is, what is made of it, and which part of that is sent.
final class JobWork: Sendable {
    let job: ServiceJob
    let request: ServiceRequest
    let service: ImageService

    private let hasPlace = Locked(false)
    /// What is known of the source, and its bytes once they are loaded: all that is made for a job is made of them.
    private let source = Locked<(any HeldSource)?>(nil)

    init(job: ServiceJob, request: ServiceRequest, service: ImageService) {
        (self.job, self.request, self.service) = (job, request, service)
    }

    // MARK: - Time

    /// The answer, or 504 after the deadline; then the job continues for the grace period and keeps its place.
    ///
    /// A client that hangs up ends the job, but not what others wait for.
    func runWithDeadline() async throws(ServiceError) -> ServiceResponse {
        let (deadline, grace) = (job.configuration.deadline, job.configuration.grace)
        let work = Task {
            let result = await self.result()
            leave()
            return result
        }
        let answer = await withTaskCancellationHandler {
            await withCheckedContinuation { continuation in
                let waiter = Waiter(continuation)
                let timer = Task {
                    guard (try? await Task.sleep(for: deadline)) != nil else { return }
                    waiter.take(.failure(Self.late))
                    guard (try? await Task.sleep(for: grace)) != nil else { return }
                    work.cancel()
                }
                Task {
                    waiter.take(await work.value)
                    timer.cancel()
                }
            }
        } onCancel: {
            work.cancel()
        }
        return try answer.get()
    }

    /// Who waits, until the first answer.
    private final class Waiter: Sendable {
        typealias Answer = Result<ServiceResponse, ServiceError>
        private let continuation: Locked<CheckedContinuation<Answer, Never>?>

        init(_ continuation: CheckedContinuation<Answer, Never>) {
            self.continuation = Locked(continuation)
        }

        func take(_ answer: Answer) {
            let continuation = continuation.withLock { waiting in
                defer { waiting = nil }
                return waiting
            }
            continuation?.resume(returning: answer)
        }
    }

    private func result() async -> Result<ServiceResponse, ServiceError> {
        do throws(ServiceError) { return .success(try await run()) } catch {
            return .failure(error)
        }
    }

    private static let late: ServiceError = {
        var error = ServiceError(504, "The result was not made in time; it may be ready later.")
        error.retryAfter = 5
        return error
    }()

    // MARK: - Places

    private func enter() async throws(ServiceError) {
        guard !hasPlace.withLock({ $0 }) else { return }
        try await service.admission.enter()
        hasPlace.withLock { $0 = true }
    }

    private func leave() {
        let hadPlace = hasPlace.withLock { hasPlace in
            defer { hasPlace = false }
            return hasPlace
        }
        if hadPlace { service.admission.leave() }
    }

    // MARK: - Steps

    /// The answer, where memory has all that it needs, fresh or stale for not longer than a time; nil otherwise.
    func ready(staleFor time: Duration = .zero) throws(ServiceError) -> ServiceResponse? {
        let pipeline = service.pipeline
        guard !job.options.isRaw,
            let known = pipeline.readyResponse(
                for: job.source, as: Self.facts, staleFor: time),
            let facts = known.head.tag.flatMap({ service.facts.value(for: $0.text) }),
            !isSkipped(facts)
        else { return nil }
        let plan = try plan(facts)
        guard plan.format != .vtt, plan.maxBytes == 0,
            let response = pipeline.readyResponse(
                for: job.source, as: plan.rendition, part: plan.part, staleFor: time),
            !mayBeSource(plan, response.head, facts)
        else { return nil }
        service.counters.count(.memory)
        var answer = answer(response, plan.format)
        if time == .zero, job.options.expiry <= 0, let result = response.repetition,
            let version = job.version
        {
            answer.repetition = .init(result: result, version: version)
        }
        return answer
    }

    private func run() async throws(ServiceError) -> ServiceResponse {
        if job.options.isRaw { return try await source() }
        let facts = try await facts()
        if isSkipped(facts) {
            try planning(facts).checkSource()
            return try await source()
        }
        var plan = try plan(facts)
        while true {
            let task = task(plan.rendition, plan.part)
            let head = try await head(of: task)
            if let known = head.byteCount, plan.lowerQuality(than: known) { continue }
            if let source = try await smallerSource(plan, head, facts) { return source }
            if plan.maxBytes == 0, let answer = answer(head, plan.format) {
                task.cancel()
                return answer
            }
            let response = try await made(task, head)
            if plan.lowerQuality(than: response.body.count) { continue }
            if let source = try await smallerSource(plan, response.head, facts) { return source }
            if plan.format == .vtt { return try await table(of: response) }
            return answer(response, plan.format)
        }
    }

    private static let facts: Rendition = {
        var facts = Rendition.Facts()
        facts.isQuick = true
        return Rendition(.facts(facts))
    }()

    private func facts() async throws(ServiceError) -> SourceFacts {
        let response = try await made(task(Self.facts, .main))
        if let facts = response.head.tag.flatMap({ service.facts.value(for: $0.text) }) {
            return facts
        }
        guard let facts = SourceFacts(json: try await bytes(of: response)) else {
            throw ServiceError(422, "The facts of the source are too long.")
        }
        if let tag = response.head.tag { service.facts.set(facts, for: tag.text, cost: 1) }
        return facts
    }

    private func plan(_ facts: SourceFacts) throws(ServiceError) -> RenditionPlan {
        try planning(facts).plan()
    }

    private func planning(_ facts: SourceFacts) -> RenditionPlanning {
        RenditionPlanning(
            options: job.options, facts: facts, rules: job.configuration.rules,
            accepts: job.accepts)
    }

    /// Whether the source is of a format that is sent as it is.
    private func isSkipped(_ facts: SourceFacts) -> Bool {
        guard let format = facts.format, job.options.skipped.contains(format) else { return false }
        return job.options.format == nil || job.options.format == format
    }

    /// Whether the source is what was asked for and has fewer bytes, as far as its facts tell.
    private func mayBeSource(
        _ plan: RenditionPlan, _ head: RenditionTask.Head, _ facts: SourceFacts
    ) -> Bool {
        guard plan.mayBeSource, let count = facts.byteCount, let made = head.byteCount else {
            return false
        }
        return made > count
            && head.tag.flatMap { service.kept.value(for: Self.key($0, facts)) } == nil
    }

    /// What is remembered of a source: others may have the same result.
    private static func key(_ tag: RenditionTask.Tag, _ facts: SourceFacts) -> String {
        "\(tag.text) \(facts.byteCount ?? 0)"
    }

    /// The source in place of a result with more bytes; nil where it has what results never have.
    private func smallerSource(
        _ plan: RenditionPlan, _ head: RenditionTask.Head, _ facts: SourceFacts
    ) async throws(ServiceError) -> ServiceResponse? {
        guard mayBeSource(plan, head, facts) else { return nil }
        let source = try await sourceData()
        let (file, format) = (source.data, facts.format)
        let isPlain = await BlockingPool.disk.run { PlainFile.isPlain(file, as: format) }
        guard !isPlain else { return await answer(source) }
        if let tag = head.tag { service.kept.set(true, for: Self.key(tag, facts), cost: 1) }
        return nil
    }

    // MARK: - The pipeline

    private func task(_ rendition: Rendition, _ part: Rendition.Part) -> RenditionTask {
        service.pipeline.renditionTask(
            for: job.source, as: rendition, part: part, of: source.withLock { $0 })
    }

    private func head(of task: RenditionTask) async throws(ServiceError) -> RenditionTask.Head {
        do throws(PipelineError) {
            let head = try await task.head
            if let held = task.heldSource { source.withLock { $0 = held } }
            return head
        } catch {
            throw ServiceError(error)
        }
    }

    /// What a task makes, which takes a place unless a store has it.
    private func made(
        _ task: RenditionTask, _ known: RenditionTask.Head? = nil
    ) async throws(ServiceError) -> RenditionTask.Response {
        let head = if let known { known } else { try await self.head(of: task) }
        if head.byteCount == nil {
            do throws(ServiceError) { try await enter() } catch {
                task.cancel()
                throw error
            }
        }
        do throws(PipelineError) {
            let response = try await task.response
            service.counters.count(response.cacheType, isShared: task.hasJoined)
            return response
        } catch {
            throw ServiceError(error)
        }
    }

    private func bytes(of response: RenditionTask.Response) async throws(ServiceError) -> [UInt8] {
        var bytes: [UInt8] = []
        do throws(SystemError) {
            for try await piece in response.pieces { bytes += piece }
        } catch {
            throw ServiceError(500, "What was made cannot be read.")
        }
        return bytes
    }

    // MARK: - The source

    private typealias SourceData = (data: Blob, head: ResponseHead?)

    /// The bytes of the source as they are.
    private func source() async throws(ServiceError) -> ServiceResponse {
        await answer(try await sourceData())
    }

    private func sourceData() async throws(ServiceError) -> SourceData {
        try await enter()
        do throws(PipelineError) {
            return try await service.pipeline.data(for: job.source, of: source.withLock { $0 })
        } catch {
            throw ServiceError(error)
        }
    }

    private func answer(_ source: SourceData) async -> ServiceResponse {
        let lifetime = source.head.flatMap {
            service.pipeline.cacheControl(of: $0, for: job.source)
        }
        return ServiceResponse(
            source: source.data, type: await contentType(of: source.data),
            tag: source.head?.headers["ETag"], job.fields(lifetime: lifetime, ending: nil),
            to: request)
    }

    /// What the bytes of a source are, and not what its server says; browsers show pictures and films only.
    private func contentType(of data: Blob) async -> String {
        let decoders = service.pipeline.configuration.decoders
        let type = await BlockingPool.disk.run { try? decoders.type(of: BlobBytes(data)) }
        guard let type, type != .unknown,
            ["image/", "video/"].contains(where: type.mimeType.hasPrefix)
        else { return "application/octet-stream" }
        return type.mimeType
    }

    // MARK: - Answers

    /// The answer to a client that has the result, or wants no body; nil for others.
    private func answer(
        _ head: RenditionTask.Head, _ format: ServiceFormat
    ) -> ServiceResponse? {
        if let tag = head.tag, let field = request.fields["if-none-match"],
            tag.isNamed(inIfNoneMatch: field)
        {
            return ServiceResponse(status: 304, fields: job.fields(of: head, format))
        }
        guard request.method == "HEAD", let count = head.byteCount else { return nil }
        return ServiceResponse(status: 200, fields: job.fields(of: head, format), length: count)
    }

    private func answer(
        _ response: RenditionTask.Response, _ format: ServiceFormat
    ) -> ServiceResponse {
        if let answer = answer(response.head, format) { return answer }
        var answer = ServiceResponse(
            response, fields: job.fields(of: response.head, format), to: request)
        answer.origin = response.cacheType.map { "\($0)" } ?? "made"
        if job.tellsSize,
            case .object(let report)? = JSONValue(reading: Array(response.report.utf8))
        {
            for (name, member) in [("Image-Width", "width"), ("Image-Height", "height")] {
                guard let value = report.first(where: { $0.0 == member })?.1 else { continue }
                answer.fields[name] = value.line
            }
        }
        return answer
    }

    /// The times of a sheet's tiles, with the addresses of its pages.
    ///
    /// Its tag is that of a text with other addresses, which depend on the path alone.
    private func table(
        of response: RenditionTask.Response
    ) async throws(ServiceError) -> ServiceResponse {
        if let answer = answer(response.head, .vtt), answer.status == 304 { return answer }
        let text = String(decoding: try await bytes(of: response), as: UTF8.self)
        var pages: [Substring: String] = [:]
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false).map { line in
            guard let mark = line.firstRange(of: "#xywh=") else { return String(line) }
            let name = line[..<mark.lowerBound]
            let page = pages[name] ?? job.target(ofPage: pages.count)
            pages[name] = page
            return page + line[mark.lowerBound...]
        }
        let bytes = Array(lines.joined(separator: "\n").utf8)
        return ServiceResponse(
            status: 200, fields: job.fields(of: response.head, .vtt), body: .bytes(bytes),
            length: bytes.count)
    }
}
