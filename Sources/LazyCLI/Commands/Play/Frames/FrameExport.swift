internal import LazyBase
internal import LazyEditing
internal import LazyMedia

/// Writes the selected frames of one input: several workers take, encode and write frames.
final class FrameExport: Sendable {
    private let plan: ExportPlan
    private let input: Input
    private let sequence: FrameSequence
    private let frames: SharedFrames
    private let progress: ProgressBar?
    /// The frames written so far; only of those in a folder there is more to say than their number.
    private let records = Locked((count: 0, kept: [FrameRecord]()))
    private let failure = Locked<CommandFailure?>(nil)
    private let claim = Locked<FolderClaim?>(nil)
    private let stream: OrderedOutput<StreamItem>
    // Read once: a path is split for them.
    private let (inputName, inputExtension): (String, String)

    /// Prepares the export of an edited sequence; with the times of its frames, `index`, only selected ones are decoded.
    init(
        _ plan: ExportPlan, _ input: Input, _ sequence: FrameSequence, index: FrameIndex? = nil,
        isQuiet: Bool
    ) throws(CommandFailure) {
        self.plan = plan
        self.input = input
        self.sequence = sequence
        inputName = input.address.name
        inputExtension = input.address.fileExtension
        do throws(MediaError) {
            let options = plan.readerOptions(sequence)
            frames = SharedFrames(
                try SelectedFrames(plan.selection, index: index, limits: sequence.limits) {
                    () throws(MediaError) in try sequence.makeReader(options)
                })
        } catch {
            throw input.failure(error)
        }
        progress = ProgressBar(
            input.address.fileName, total: plan.expectedFrames(sequence.info), isQuiet: isQuiet)
        let title = plan.hasSeveralInputs ? input.label : nil
        stream = OrderedOutput { (item, isFirst) throws(CommandFailure) in
            try item.print(title: title, isFirst: isFirst)
        }
    }

    /// Writes all frames and, in a folder, the manifest.
    func run() async throws(CommandFailure) -> ExportOutcome {
        var earlier: EarlierFrames?
        if case .folder(let folder) = plan.destination {
            try folder.create()
            if plan.overwrite == .always, let name = plan.manifestName(input) {
                earlier = EarlierFrames(in: folder, manifest: name)
            }
        }
        let pool = BlockingPool.exports
        try pool.requireThread(for: "writing frames")
        // The first frame is written alone: if its file exists and must be kept,
        // no other worker has written a frame. Of several processes that begin in an empty
        // folder, one writes its first frame before the others look.
        if await claimFolder() {
            await Task(executorPreference: pool) { await self.work(most: 1) }.value
        }
        await withTaskGroup { group in
            for _ in 0..<plan.workers {
                group.addTask(executorPreference: pool) { await self.work() }
            }
        }
        releaseFolder()
        progress?.finish()
        if let failure = failure.withLock({ $0 }) { throw failure }
        let outcome = ExportOutcome(
            records: records.withLock { $0.kept.sorted { $0.frame.position < $1.frame.position } },
            warnings: frames.warnings)
        guard records.withLock({ $0.count > 0 }) else { throw nothingToWrite }
        let names = outcome.records.compactMap(\.file)
        earlier?.remove(but: names)
        try writeManifest(outcome)
        return outcome
    }

    /// The metadata from the header.
    var info: MediaInfo { sequence.info }

    /// A warning about frames in the folder that no list has, because the export ended early.
    var unlisted: MediaWarning? {
        let count = records.withLock { $0.count }
        guard count > 0, case .folder(let folder) = plan.destination,
            let name = plan.manifestName(input)
        else { return nil }
        let frames = count == 1 ? "1 frame was" : "\(count) frames were"
        return MediaWarning(
            .note, "\(frames) written to \(folder.path) before the end, without \(name).")
    }

    private var nothingToWrite: CommandFailure {
        input.failure(MediaError(.notFound, "The requested range contains no frame."))
    }

    /// Locks an empty folder; returns whether a file of a frame's name may exist.
    ///
    /// Waits for the lock in any case: later frames of another process may be there before its first one.
    private func claimFolder() async -> Bool {
        guard case .folder(let folder) = plan.destination, plan.overwrite == .never else {
            return false
        }
        let claim = await BlockingPool.disk.run { folder.claim() }
        guard folder.isEmpty else { return true }
        self.claim.withLock { $0 = claim }
        return false
    }

    private func releaseFolder() {
        // Closed outside the lock.
        let claim = claim.withLock { claim in
            defer { claim = nil }
            return claim
        }
        withExtendedLifetime(claim) {}
    }

    private func work(most: Int = .max) async {
        do throws(CommandFailure) {
            let encoder = try plan.makeEncoder(for: input)
            var count = 0
            while count < most, let frame = try nextFrame() {
                count += 1
                let record = try await write(frame, encoder)
                if frame.position == 0 { releaseFolder() }
                let isKept = if case .folder = plan.destination { true } else { false }
                records.withLock { records in
                    records.count += 1
                    if isKept { records.kept.append(record) }
                }
                progress?.advance()
            }
        } catch {
            failure.withLock { $0 = $0 ?? error }
        }
    }

    private func nextFrame() throws(CommandFailure) -> SelectedFrame? {
        guard failure.withLock({ $0 == nil }) else { return nil }
        do throws(MediaError) {
            try Interruption.flag.check()
            return try frames.next()
        } catch {
            throw input.failure(error)
        }
    }

    private func write(
        _ frame: SelectedFrame, _ encoder: StillEncoder?
    ) async throws(CommandFailure) -> FrameRecord {
        let bitmap = frame.bitmap
        var record = FrameRecord(frame: frame.place, size: bitmap.size)
        if plan.wantsHashes || plan.format == .framehash {
            record.hash = PixelDigest.hex(bitmap)
        }
        switch plan.destination {
        case .folder(let folder):
            let name = plan.pattern(name(of: frame, bitmap.size))
            let overwrite = plan.overwrite
            let isWritten = try await encode(frame, encoder) { (bytes) throws(CommandFailure) in
                try folder.write(bytes, to: name, overwrite)
            }
            if isWritten { record.file = name }
        case .standardOutput where plan.format == .framehash:
            try stream.deliver(.hash(record), at: frame.position)
        case .standardOutput where plan.format == .raw:
            // Not copied.
            try stream.deliver(.pixels(bitmap), at: frame.position)
        case .standardOutput:
            let (stream, place) = (stream, frame.position)
            _ = try await encode(frame, encoder) { (bytes) throws(CommandFailure) in
                try stream.deliver(.bytes(Array(bytes)), at: place)
            }
        }
        return record
    }

    /// Encodes a frame as a file; returns false for formats without pictures.
    private func encode(
        _ frame: SelectedFrame, _ encoder: StillEncoder?,
        _ use: (UnsafeRawBufferPointer) throws(CommandFailure) -> Void
    ) async throws(CommandFailure) -> Bool {
        guard let encoder else { return false }
        let picture = StillPicture(frame.bitmap, deep: frame.deep, color: frame.color)
        let result: Result<Void, CommandFailure>
        do throws(MediaError) {
            result = try await encoder.encode(picture) { bytes in
                Result { () throws(CommandFailure) in try use(bytes) }
            }
        } catch {
            throw input.failure(error)
        }
        try result.get()
        return true
    }

    private func name(of frame: SelectedFrame, _ size: PixelSize) -> NamedFrame {
        NamedFrame(
            number: plan.startNumber + frame.position, index: frame.sourceIndex,
            presentation: frame.timing.presentation, duration: frame.timing.duration, size: size,
            name: inputName, fileExtension: inputExtension, input: input.number)
    }

    private func writeManifest(_ outcome: ExportOutcome) throws(CommandFailure) {
        guard case .folder(let folder) = plan.destination, let name = plan.manifestName(input)
        else {
            return
        }
        let text =
            plan.format == .framehash
            ? FrameHash.header(title: nil) + outcome.records.map(FrameHash.line).joined()
            : Reports.manifest(outcome, info, source: input.label).text
        try folder.write(text, to: name, plan.overwrite)
    }
}
