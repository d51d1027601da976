internal import CSandbox
internal import Glibc
internal import LazyBase
public import LazyMedia

/// The process that decodes for others: it loads the decoders' libraries, and forks a locked process for each media.
///
/// A program becomes one when it is started under the name `lazyimg-decoder` by `DecoderHost`. It has one
/// thread, and each fork has the loaded libraries without loading them again.
public enum DecoderProgram {
    /// The name under which the program is started.
    public static let name = "lazyimg-decoder"

    /// The version of lazyimg, and that of the messages.
    static let version = "0.1.0-3"
    /// What both sides must be.
    static let build = "lazyimg \(version)"

    /// Whether this process decodes films and what FFmpeg decodes besides, and nothing else.
    ///
    /// Where `isRequested`, it decides which libraries the program needs: each kind of media has a process
    /// of its own.
    public static var decodesFilms: Bool { family == .films }

    private static var family: DecoderFamily {
        let words = SystemCalls.words
        guard words.count > 1 else { return .pictures }
        return DecoderFamily(rawValue: String(cString: words[1])) ?? .pictures
    }

    /// Starts a program that serves `control`, or who connects to it where it is to end after a time without use.
    ///
    /// Returns the process, or a negative number and `errno`.
    static func spawn(
        _ path: String, _ family: DecoderFamily, _ control: CInt, idle milliseconds: CInt? = nil
    ) -> pid_t {
        let words = [name, family.rawValue] + (milliseconds.map { ["\($0)"] } ?? [])
        let copies = words.map { strdup($0) }
        defer { for copy in copies { free(copy) } }
        return sandbox_spawn(path, copies.map { $0.map { UnsafePointer($0) } } + [nil], control)
    }

    private struct Setting {
        var formats = FormatRegistry()
        var loading: @Sendable () -> Void = {}
        var unloaded: [MediaType] = []
        var samples: [[UInt8]] = []
        var hasLoadedCommon = false
    }
    private static let setting = Locked(Setting())

    /// Whether this process was started to decode for others.
    ///
    /// To be asked first in `main`, before any thread is started.
    public static var isRequested: Bool {
        SystemCalls.words.first.map { strcmp($0, name) == 0 } ?? false
    }

    /// Serves the host that started the process, and ends with it.
    ///
    /// Started by `SharedDecoder`, it serves all programs of this user, until nobody asked for some time.
    ///
    /// - Parameters:
    ///   - formats: What can be decoded.
    ///   - samples: Small trusted media, decoded once, because forks have what that leaves in memory.
    ///   - loading: Loads libraries that belong to no single format, such as that for color profiles.
    public static func run(
        formats: FormatRegistry, samples: [[UInt8]] = [],
        loading: @escaping @Sendable () -> Void = {}
    ) -> Never {
        var report = sandbox_report()
        sandbox_enter(&report)
        // The time for which a program without a host waits for another one.
        let words = SystemCalls.words
        let idle = words.count > 2 ? CInt(String(cString: words[2])) : nil
        let (control, listener): (CInt, CInt) = idle == nil ? (3, -1) : (-1, 3)
        tzset()
        setting.withLock {
            $0.formats = formats
            $0.loading = loading
            $0.samples = samples.filter { formats.family(of: $0) == family }
            $0.unloaded = formats.types.filter { type in
                DecoderFamily(type) == family
                    && formats.decoders.decoder(for: type)?.loadsLibrary ?? false
            }
        }
        // One library decodes all films: it is loaded while the host looks at the first media.
        let film = setting.withLock { $0.unloaded.first { $0.family == .video }?.name }
        if let film { prepare(film) }
        build.withCString { build in
            var service = sandbox_service(
                prepare: { type in DecoderProgram.prepare(type.map { String(cString: $0) } ?? "") },
                prepare_more: { DecoderProgram.prepareMore() ? 1 : 0 },
                warm: { while DecoderProgram.decodeSample() {} },
                decode: { channel in DecoderProgram.decode(channel) }, build: build)
            sandbox_serve(control, listener, idle ?? -1, &report, &service)
        }
        _exit(0)
    }

    // One thread, so nobody waits for the lock; the forked process finds it free.
    private static func prepare(_ name: String) {
        let (formats, loading, types) = setting.withLock {
            setting -> (FormatRegistry, (@Sendable () -> Void)?, [MediaType]) in
            let types = setting.unloaded.filter { name.isEmpty || $0.name == name }
            setting.unloaded.removeAll(where: types.contains)
            // Video and GIF have no color profiles.
            let isLater =
                setting.hasLoadedCommon || name == MediaType.gif.name
                || types.contains { [.video, .audio].contains($0.family) }
            if !isLater || name.isEmpty { setting.hasLoadedCommon = true }
            return (setting.formats, isLater && !name.isEmpty ? nil : setting.loading, types)
        }
        loading?()
        for type in types { _ = try? formats.decoders.installedDecoder(for: type) }
    }

    /// Decodes one sample, or loads what one more type needs; false when nothing is left.
    private static func prepareMore() -> Bool {
        if decodeSample() { return true }
        let next = setting.withLock { $0.unloaded.first?.name }
        guard let next else {
            prepare("")
            return false
        }
        prepare(next)
        return true
    }

    private static func decodeSample() -> Bool {
        let (sample, formats) = setting.withLock { setting in
            (setting.samples.isEmpty ? nil : setting.samples.removeFirst(), setting.formats)
        }
        guard let sample else { return false }
        try? decode(sample, formats)
        return true
    }

    /// Decodes on this thread alone, as a poster is: a small picture, and the last frame at another size.
    private static func decode(_ sample: [UInt8], _ formats: FormatRegistry) throws(MediaError) {
        let media = try formats.decoders.open(MemoryBytes(sample), limits: .web)
        let size = PixelSize(width: 24, height: 24)
        for size in [nil, size] {
            let options = ReaderOptions(size: size, limits: .web, isSingleFrame: true)
            let reader = try media.makeReader(options)
            _ = try reader.nextFrame()?.bitmap.withBytes { $0.count }
            _ = try reader.lastFrame(at: PixelSize(width: 12, height: 12))
        }
        _ = try media.cheapFrameIndex(CancellationFlag())
        // A decoder writes these, and a host reads them.
        var writer = MessageWriter()
        writer.put(DecoderMessage.opened(media.info))
        var reader = MessageReader(writer.bytes)
        _ = try? reader.field(DecoderMessage.self)
    }

    private static func decode(_ channel: CInt) -> Never {
        MediaService(Channel(channel), setting.withLock { $0.formats }).run()
    }
}

extension FormatRegistry {
    fileprivate func family(of sample: [UInt8]) -> DecoderFamily? {
        (try? decoders.type(of: MemoryBytes(sample))).map { DecoderFamily($0) }
    }
}
