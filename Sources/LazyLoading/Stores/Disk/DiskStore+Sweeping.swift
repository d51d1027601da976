internal import Glibc
internal import LazyBase

extension DiskStore {
    /// A file in the folder of the store.
    struct Found {
        let name: String
        let status: FileStatus
        var item: SweepPlan.Item {
            SweepPlan.Item(
                name: name, size: status.size, lastUsed: status.lastUsed,
                storedAt: status.changed)
        }
    }

    /// Applies the limits, and removes files of crashed processes.
    ///
    /// Does nothing while another process is sweeping.
    public func sweep() { sweep(entryPlan) }

    /// Removes least recently used entries down to a total size.
    public func prune(toBytes byteCount: Int) {
        var plan = entryPlan
        (plan.limit, plan.target) = (byteCount, byteCount)
        sweep(plan)
    }

    /// Removes entries that were stored before an age, like `StoreLimits.entryAge`.
    public func prune(olderThan age: Duration) {
        var plan = entryPlan
        plan.storedBefore = max(plan.storedBefore, clocks.wall() + (.zero - age))
        sweep(plan)
    }

    /// Removes entries that were not used for a time.
    public func prune(unusedFor age: Duration) {
        var plan = entryPlan
        plan.oldest = clocks.wall() + (.zero - age)
        sweep(plan)
    }

    /// The plan of the limits.
    private var entryPlan: SweepPlan {
        var plan = SweepPlan(limit: limits.byteCount, target: limits.trimmedByteCount)
        plan.storedBefore = limits.entryAge.map { clocks.wall() + (.zero - $0) }
        return plan
    }

    /// Whether an entry is beyond its age limit.
    func isExpired(_ file: EntryFile) -> Bool {
        guard let age = limits.entryAge else { return false }
        return file.footer.storedAt < clocks.wall() + (.zero - age)
    }

    func isSweepDue(_ state: StoreState) -> Bool {
        if state.byteCount > limits.byteCount { return true }
        guard let sweptAt = state.sweptAt else { return true }
        let age = clocks.wall() - sweptAt
        return age > limits.sweepInterval || age < .zero - limits.sweepInterval
    }

    /// Continues the sweep by some slices for each entry that was written, as long as one is due.
    func sweepOn(_ state: StoreState, written sizes: [Int]) {
        var state = state
        for size in sizes {
            let isUnderWay = (root.status(of: DiskLayout.sweeping)?.size ?? 0) > 0
            guard isUnderWay || isSweepDue(state) else { return }
            // A large entry makes room for itself.
            sweep(entryPlan, slices: 1 + size >> 20, written: size)
            state = StoreState.read(in: root)
        }
    }

    /// Sweeps the whole store.
    private func sweep(_ plan: SweepPlan) {
        sweep(plan, slices: nil)
        // The counter may have been wrong.
        if StoreState.read(in: root).byteCount > plan.limit { sweep(plan, slices: nil) }
    }

    /// Does some slices of the round under way, or a whole round of its own.
    private func sweep(_ plan: SweepPlan, slices: Int?, written: Int = 0) {
        // If the state cannot be written, the store cannot be swept either.
        let root = root
        guard let lock = try? root.open(DiskLayout.sweeping, O_RDWR | O_CREAT),
            (try? lock.lock(waiting: false)) == true,
            let before = try? StoreState.update(in: root, { $0.byteCount })
        else { return }
        var round = SweepRound(before: before, limit: plan.limit, at: clocks.wall())
        let bytes = try? lock.bytes(at: 0, count: SweepRound.encodedCount)
        // A round that only counts does not make room.
        if slices != nil, let known = bytes.flatMap({ SweepRound($0) }),
            known.evicts || !round.evicts
        {
            round = known
        }
        let begin = clocks.steady.now
        var left = slices ?? .max
        repeat {
            sweepSlice(&round, plan, isBounded: slices != nil, written: written)
            left -= 1
        } while left > 0 && !round.isComplete
            && (slices == nil || clocks.steady.now - begin < SweepRound.sliceTime)
        if round.isComplete {
            end(round)
            try? lock.truncate(to: 0)
        } else {
            try? lock.write(round.encoded, at: 0)
        }
        lock.unlock()
    }

    private func end(_ round: SweepRound) {
        let now = clocks.wall()
        try? StoreState.update(in: root) { state in
            state.byteCount = round.total(now: state.byteCount)
            state.sweptAt = now
        }
        trimPartials()
    }

    /// Sweeps the entries of the next prefixes; where there are too many victims, the same once more.
    private func sweepSlice(
        _ round: inout SweepRound, _ plan: SweepPlan, isBounded: Bool, written: Int
    ) {
        let most = isBounded ? SweepRound.sliceEntries : SweepRound.sliceEntries << 5
        let slice = scan(from: round.next, about: most, of: round)
        let part = plan.part(slice.prefixes, evicts: round.evicts)
        let victims = part.victims(slice.entries.map(\.item))
        let first = isBounded ? SweepRound.first(victims, forWritten: written) : victims[...]
        removeAll(first, slice)
        if first.count < victims.count {
            round.count(first.map { ($0.size, $0.storedAt) })
            return
        }
        removeOrphans(slice)
        round.count(slice.entries.map { ($0.status.size, $0.status.changed) })
        round.next = slice.prefixes.upperBound
    }

    /// Removes victims a few at a time, so that writers do not wait long.
    private func removeAll(_ victims: ArraySlice<SweepPlan.Item>, _ slice: Slice) {
        if victims.isEmpty { return }
        let statuses = Dictionary(
            slice.entries.map { ($0.name, $0.status) }, uniquingKeysWith: { first, _ in first })
        let described = Set(slice.sidecars.map { $0.name.prefix(DiskLayout.nameLength) })
        let root = root
        // The folders of shards in turn: each is opened once.
        var rest = victims.sorted { $0.name < $1.name }[...]
        while let next = rest.first {
            let shard = DiskLayout.shard(next.name)
            let batch = rest.prefix(8).prefix { $0.name.hasPrefix(shard) }
            rest = rest.dropFirst(batch.count)
            guard let folder = try? root.folder(shard) else { continue }
            try? StoreState.update(in: root) { state throws(SystemError) in
                for victim in batch {
                    // Replaced or used in the meantime: kept.
                    guard folder.status(of: victim.name) == statuses[victim.name] else { continue }
                    try removeEntry(
                        victim.name, in: folder, hasSidecar: described.contains(victim.name[...]),
                        &state)
                }
            }
        }
    }

    /// Removes sidecar files whose entries are gone or were stored later.
    private func removeOrphans(_ slice: Slice) {
        if slice.sidecars.isEmpty { return }
        let stored = Dictionary(
            slice.entries.map { ($0.name, $0.status.changed) },
            uniquingKeysWith: { first, _ in first })
        let now = clocks.wall()
        for sidecar in slice.sidecars where now - sidecar.status.changed > .seconds(60) {
            let entry = stored[String(sidecar.name.prefix(DiskLayout.nameLength))]
            // Of most entries nothing has to be opened.
            if let entry, entry <= sidecar.status.changed { continue }
            removeOrphan(sidecar.name)
        }
    }

    /// Removes a sidecar file whose entry is gone.
    private func removeOrphan(_ file: String) {
        let name = String(file.prefix(DiskLayout.nameLength))
        let path = DiskLayout.shard(name) + "/" + file
        let entry = try? openEntry(name)
        guard entry.map({ DiskLayout.metadata(name, id: $0.header.id) }) != path else { return }
        root.remove(path)
    }

    /// Removes staging files of dead writers, and the oldest suspended ones beyond the limit.
    func trimPartials() {
        let partials = scanPartials()
        let plan = SweepPlan(
            limit: limits.partialBytes, target: limits.partialBytes,
            oldest: clocks.wall() + (.zero - limits.partialAge))
        // Holes do not count.
        let suspended = partials.filter { $0.name.hasSuffix(".part") }.map { found in
            SweepPlan.Item(
                name: found.name, size: found.status.keptSize, lastUsed: found.status.lastUsed)
        }
        let victims = plan.victims(suspended, sparingNewest: true).map(\.name)
        let orphans = partials.map(\.name).filter { $0.hasSuffix(".tmp") }
        for name in victims + orphans { _ = removePartial(DiskLayout.partials + "/" + name) }
    }

    func scanPartials() -> [Found] {
        root.files(in: DiskLayout.partials).map { Found(name: $0, status: $1) }
    }

    /// The files of entries whose names begin with some prefixes, and their sidecar files.
    struct Slice {
        var entries: [Found] = []
        var sidecars: [Found] = []
        var prefixes: Range<Int>
    }

    /// Calls a closure with all entries, some at a time: a million would take two hundred megabytes.
    func forEachFound(_ body: (Found) -> Void) {
        var prefix = 0
        while prefix < SweepRound.prefixCount {
            let slice = scan(from: prefix, about: SweepRound.sliceEntries << 5)
            slice.entries.forEach(body)
            prefix = slice.prefixes.upperBound
        }
    }

    /// The files of a prefix and the following ones, until they are about so many entries.
    func scan(from prefix: Int, about count: Int, of round: SweepRound? = nil) -> Slice {
        let root = root
        var slice = Slice(prefixes: prefix..<prefix)
        while slice.entries.count < count, slice.prefixes.upperBound < SweepRound.prefixCount {
            let start = slice.prefixes.upperBound
            let shard = start >> 4
            var digits = start & 15..<16
            if let folder = try? root.folder([UInt8(shard)].hexadecimal()) {
                let names = sweptNames.names(in: folder, shard, from: start & 15, of: round)
                // A part of a large folder: only its files are looked at.
                if names.count > count {
                    digits = names.digits(from: start & 15, until: count - slice.entries.count)
                }
                slice.add(folder.files(of: names[digits]))
            }
            slice.prefixes = prefix..<(shard << 4) + digits.upperBound
        }
        return slice
    }
}

extension DiskStore.Slice {
    fileprivate mutating func add(_ files: [(name: String, status: FileStatus)]) {
        for (name, status) in files {
            let found = DiskStore.Found(name: name, status: status)
            if name.utf8.count == DiskLayout.nameLength {
                entries.append(found)
            } else {
                sidecars.append(found)
            }
        }
    }
}

private func max(_ one: WallTime?, _ other: WallTime) -> WallTime {
    one.map { Swift.max($0, other) } ?? other
}
