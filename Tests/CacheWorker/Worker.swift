import Glibc
import LazyBase
import LazyLoading

/// Writes entries, one kind of work after the other, as chance has it.
struct Worker {
    let store: DiskStore
    let cache: DataCache
    /// The version that the next entry has; higher than all before.
    var version: Int
    /// Each worker has keys of its own: every second one.
    let parity: Int
    private var random: UInt64

    init(folder: String, firstVersion: Int, parity: Int) throws(SystemError) {
        store = try DiskStore(folder: folder + "/store")
        cache = try DataCache(folder: folder + "/data")
        version = firstVersion
        self.parity = parity
        random = UInt64(firstVersion) &* 0x2545_F491_4F6C_DD1D | 1
    }

    mutating func chance(_ count: Int) -> Int {
        random ^= random << 13
        random ^= random >> 7
        random ^= random << 17
        return Int((random >> 16) % UInt64(count))
    }

    /// Goes on until the process is killed or something is wrong.
    mutating func run() throws(SystemError) {
        while true {
            let number = chance(CrashContent.keyCount / 2) * 2 + parity
            version += 1
            switch chance(12) {
            case 0..<4: try storeEntry(number)
            case 4: try replaceMetadata(number)
            case 5, 6: try resume(number)
            case 7: store.sweep()
            case 8, 9: try fill(number)
            default: storeData(number)
            }
        }
    }

    private mutating func storeEntry(_ number: Int) throws(SystemError) {
        let writer = try store.makeWriter(
            for: CrashContent.key(number), metadata: CrashContent.label(number, version))
        try append(CrashContent.body(number, version), to: writer)
        try writer.commit()
        tell("store", number)
    }

    private func replaceMetadata(_ number: Int) throws(SystemError) {
        let key = CrashContent.key(number)
        guard let entry = try store.entry(for: key) else { return }
        guard let version = CrashContent.version(entry.metadata, of: number) else {
            fail("metadata of \(number)")
        }
        _ = try store.setMetadata(CrashContent.label(number, version), for: key)
    }

    private mutating func resume(_ number: Int) throws(SystemError) {
        let key = CrashContent.key(number)
        let body: [UInt8]
        let writer: any EntryWriting
        if let found = try store.suspendedWriter(for: key) {
            writer = found
            let begun = try found.written.bytes()
            guard let version = CrashContent.version(found.metadata, of: number),
                begun == Array(CrashContent.body(number, version).prefix(begun.count))
            else { fail("suspended \(number)") }
            // An older body must not take the place of a newer one: that is not what is tested.
            if version < lastVersion(number) { return }
            body = CrashContent.body(number, version)
        } else {
            body = CrashContent.body(number, version)
            writer = try store.makeWriter(
                for: key, metadata: CrashContent.label(number, version))
        }
        let begun = writer.written.count
        let end = begun + chance(body.count - begun + 1)
        try append(Array(body[begun..<end]), to: writer)
        if end < body.count { writer.suspend() } else { try writer.commit() }
    }

    /// Writes here and there into a body with holes, whatever has begun it, and at times makes it whole.
    private mutating func fill(_ number: Int) throws(SystemError) {
        let key = CrashContent.key(number)
        let found = try store.filling(for: key) { metadata in
            CrashContent.version(metadata, of: number).map { CrashContent.body(number, $0).count }
        }
        let made =
            found == nil
            ? try store.makeFilling(
                for: key, metadata: CrashContent.label(number, version),
                count: CrashContent.body(number, version).count) : nil
        guard let entry = found ?? made else { return }
        guard let version = CrashContent.version(entry.metadata, of: number) else {
            fail("metadata of the filled \(number)")
        }
        if version < lastVersion(number) { return entry.discard() }
        let body = CrashContent.body(number, version)
        check(entry, body, number)
        for _ in 0..<chance(4) {
            let start = chance(body.count / 65_536 + 1) * 65_536
            let end = min(body.count, start + 1 + chance(150_000))
            try entry.write(Array(body[start..<end]), at: start)
        }
        guard chance(2) == 0 else { return entry.close() }
        var place = entry.presentEnd(from: 0)
        while place < body.count {
            let end = entry.missingEnd(from: place)
            try entry.write(Array(body[place..<end]), at: place)
            place = entry.presentEnd(from: place)
        }
        // What was found wrong on the way is missing again.
        do throws(SystemError) { try entry.commit() } catch { entry.close() }
    }

    private func check(_ entry: any EntryFilling, _ body: [UInt8], _ number: Int) {
        var place = 0
        while place < body.count {
            let end = entry.presentEnd(from: place)
            if end > place {
                let got = (try? entry.body.bytes(at: place, count: end - place)) ?? []
                if got != Array(body[place..<place + got.count]) { fail("filled \(number)") }
            }
            place = entry.missingEnd(from: end)
        }
    }

    private func lastVersion(_ number: Int) -> Int {
        guard let entry = try? store.entry(for: CrashContent.key(number)) else { return 0 }
        return CrashContent.version(entry.metadata, of: number) ?? 0
    }

    private mutating func storeData(_ number: Int) {
        cache[CrashContent.key(number)] = Blob(CrashContent.body(number, version))
        if chance(2) == 0 { cache.flush() } else { cache.flush(for: CrashContent.key(number)) }
        tell("data", number)
    }

    private mutating func append(
        _ bytes: [UInt8], to writer: any EntryWriting
    ) throws(SystemError) {
        var place = 0
        while place < bytes.count {
            let end = min(bytes.count, place + 1 + chance(90_000))
            try writer.append(Array(bytes[place..<end]))
            place = end
        }
    }

    private func tell(_ what: String, _ number: Int) {
        let line = Array("\(what) \(number) \(version)\n".utf8)
        // One call, so that a line is told whole or not at all.
        if write(1, line, line.count) != line.count { exit(0) }
    }

    private func fail(_ what: String) -> Never {
        let line = Array("wrong \(what)\n".utf8)
        _ = write(1, line, line.count)
        exit(1)
    }
}
