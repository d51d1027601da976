internal import LazyBase
internal import LazyMedia

/// Reads the frames of tiles: in one reader, or groups of pictures in parallel.
final class SheetReaders: Sendable {
    /// Tiles whose frames are decoded from one keyframe.
    struct Run: Sendable {
        var key: Int
        var frames: [Int]
    }

    /// Unchecked: it is removed from `idle` for exclusive use, and returned afterwards.
    fileprivate final class Place: @unchecked Sendable {
        let reader: any FrameReader
        let flag: CancellationFlag
        /// The frame that was read last.
        var last = -1
        var bitmap: Bitmap?

        init(_ reader: any FrameReader, _ flag: CancellationFlag) {
            self.reader = reader
            self.flag = flag
        }
    }

    private let sequence: FrameSequence
    private let options: ReaderOptions
    private let isParallel: Bool
    private let idle = Locked<[Place]>([])
    private let lost = Locked(0)
    private let damage = Locked<[MediaWarning]>([])

    /// Makes readers of a sequence; `runs` are all that will be read.
    init(_ sequence: FrameSequence, runs: [Run], isQuick: Bool, threads: Int) {
        self.sequence = sequence
        let threads = threads == 0 ? BlockingPool.coreCount : threads
        // One decoder per core is faster than frame threads, which wait for each other.
        isParallel = sequence.info.type.family == .video && threads > 1 && runs.count >= threads
        width = isParallel ? threads : 1
        var options = ReaderOptions(limits: sequence.limits, delayRule: sequence.delayRule)
        options.threads = isParallel ? 1 : threads
        options.isSingleFrame = sequence.info.type.family == .video
        options.isQuick = isQuick
        self.options = options
    }

    /// The number of runs that are read in parallel.
    let width: Int

    /// Frames that are in the index but could not be decoded.
    var lostCount: Int { lost.withLock { $0 } }

    /// What the readers found, once of each kind: they count damage each for itself.
    var warnings: [MediaWarning] { damage.withLock { $0 } }

    /// The pictures of some runs in order; nil for those that could not be decoded.
    func read(
        _ runs: [Run], didRead: @escaping @Sendable () -> Void
    ) async throws(MediaError) -> [[Bitmap?]] {
        let outcome = await withTaskGroup(
            of: (Int, Result<[Bitmap?], MediaError>).self
        ) { group -> Result<[[Bitmap?]], MediaError> in
            var results = [[Bitmap?]](repeating: [], count: runs.count)
            var next = 0
            func begin() {
                guard next < runs.count else { return }
                let (number, run) = (next, runs[next])
                next += 1
                group.addTask { (number, await self.outcome(of: run, didRead)) }
            }
            for _ in 0..<width { begin() }
            for await (number, result) in group {
                switch result {
                case .success(let bitmaps): results[number] = bitmaps
                case .failure(let error):
                    group.cancelAll()
                    return .failure(error)
                }
                begin()
            }
            return .success(results)
        }
        return try outcome.get()
    }

    private func outcome(
        of run: Run, _ didRead: @escaping @Sendable () -> Void
    ) async -> Result<[Bitmap?], MediaError> {
        do throws(MediaError) {
            let place = try take(for: run)
            let bitmaps = try await sequence.cancellable(place.flag) { (_) throws(MediaError) in
                try self.read(run, with: place, didRead)
            }
            idle.withLock { $0.append(place) }
            return .success(bitmaps)
        } catch {
            return .failure(error)
        }
    }

    /// The reader whose position is closest before a run, or a new one.
    private func take(for run: Run) throws(MediaError) -> Place {
        let first = run.frames.first ?? 0
        let found = idle.withLock { places -> Place? in
            let best = places.indices.max { one, other in
                places[one].distanceRank(to: run.key, first)
                    < places[other].distanceRank(to: run.key, first)
            }
            return best.map { places.remove(at: $0) }
        }
        if let found { return found }
        var options = self.options
        let flag = CancellationFlag()
        options.cancellation = flag
        return Place(try sequence.makeReader(options), flag)
    }

    private func read(
        _ run: Run, with place: Place, _ didRead: () -> Void
    ) throws(MediaError) -> [Bitmap?] {
        var bitmaps: [Bitmap?] = []
        // The reader continues from the run before; frames are ascending, and some are several tiles.
        var announced: [Int] = []
        for frame in run.frames where frame > announced.last ?? place.last {
            announced.append(frame)
        }
        if announced.count > 1 { place.reader.willRead(announced) }
        for frame in run.frames {
            if frame != place.last || place.bitmap == nil {
                try place.reader.seek(toIndex: frame)
                if let picture = try place.reader.nextFrame() {
                    place.bitmap = picture.bitmap
                } else {
                    lost.withLock { $0 += 1 }
                }
                place.last = frame
            }
            bitmaps.append(place.bitmap)
            didRead()
        }
        damage.withLock { known in
            for warning in place.reader.warnings
            where !known.contains(where: { $0.code == warning.code }) {
                known.append(warning)
            }
        }
        return bitmaps
    }
}

extension SheetReaders.Place {
    /// Higher for a reader that can continue without a seek.
    fileprivate func distanceRank(to key: Int, _ first: Int) -> Int {
        last >= key && last <= first ? last + 1 : 0
    }
}

extension SheetReaders.Run {
    /// The runs of tiles: consecutive tiles that share a keyframe.
    static func runs(
        of tiles: some Sequence<SheetPlan.Tile>, _ timings: FrameIndex
    ) -> [SheetReaders.Run] {
        var runs: [SheetReaders.Run] = []
        var key = 0
        var looked = -1
        for tile in tiles {
            if tile.frame < looked { (key, looked) = (0, -1) }
            while looked < min(tile.frame, timings.count - 1) {
                looked += 1
                if timings.timings[looked].isKeyframe { key = looked }
            }
            if runs.last?.key == key, !runs.isEmpty {
                runs[runs.count - 1].frames.append(tile.frame)
            } else {
                runs.append(.init(key: key, frames: [tile.frame]))
            }
        }
        return runs
    }
}
