internal import Glibc
internal import LazyBytes

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

    private func sweep(_ plan: SweepPlan) {
        // If the state cannot be written, the store cannot be swept either.
        let root = root
        guard let lock = try? root.open(DiskLayout.sweeping, O_RDWR | O_CREAT),
            (try? lock.lock(waiting: false)) == true,
            let before = try? StoreState.update(in: root, { $0.byteCount })
        else { return }
        let found = scan()
        let total = found.entries.reduce(0) { $0 + $1.status.size }
        let now = clocks.wall()
        try? StoreState.update(in: root) { state in
            // The difference contains concurrent changes of others.
            state.byteCount = max(0, total + state.byteCount - before)
            state.sweptAt = now
        }
        removeAll(plan.victims(found.entries.map(\.item)), found.entries)
        for sidecar in found.sidecars where now - sidecar.status.changed > .seconds(60) {
            removeOrphan(sidecar.name)
        }
        trimPartials()
        lock.unlock()
    }

    /// Removes victims in batches, so that writers do not wait long.
    private func removeAll(_ victims: [SweepPlan.Item], _ found: [Found]) {
        let statuses = Dictionary(
            found.map { ($0.name, $0.status) }, uniquingKeysWith: { first, _ in first })
        var rest = victims[...]
        while !rest.isEmpty {
            let root = root
            try? StoreState.update(in: root) { state throws(SystemError) in
                for victim in rest.prefix(32) {
                    let status = root.status(of: DiskLayout.entry(victim.name))
                    // Replaced or used in the meantime: kept.
                    guard status == statuses[victim.name] else { continue }
                    try removeEntry(victim.name, &state)
                }
            }
            rest = rest.dropFirst(32)
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

    /// All files of entries, and all sidecar files.
    func scan() -> (entries: [Found], sidecars: [Found]) {
        var entries: [Found] = []
        var sidecars: [Found] = []
        let root = root
        for shard in root.names() where shard.count == 2 && DiskLayout.isHex(shard) {
            for (name, status) in root.files(in: shard) {
                guard name.hasPrefix(shard), DiskLayout.isHex(name.prefix(DiskLayout.nameLength))
                else { continue }
                let found = Found(name: name, status: status)
                if name.utf8.count == DiskLayout.nameLength {
                    entries.append(found)
                } else if name.utf8.count == DiskLayout.nameLength + 17 {
                    sidecars.append(found)
                }
            }
        }
        return (entries, sidecars)
    }
}

private func max(_ one: WallTime?, _ other: WallTime) -> WallTime {
    one.map { Swift.max($0, other) } ?? other
}
