internal import ArgumentParser
internal import CGTK
import Glibc
internal import LazyBase
internal import LazyGTK
internal import LazyKit
internal import LazyOptions

/// The program `lazyimg-view`.
public enum ViewerProgram {
    /// Shows what the command line names, and exits; decodes for another process of it when that asks.
    public static func main() -> Never {
        if DecoderProgram.isRequested { DecoderProgram.run() }
        DecoderHost.decodesItself()
        do {
            view(try ViewerArguments.parse(words))
        } catch {
            ViewerArguments.exit(withError: error)
        }
    }

    private static func view(_ arguments: ViewerArguments) -> Never {
        let options = arguments.view
        let inputs = options.input.isEmpty ? ["."] : options.input
        let decoders = Self.opening.decoders(for: options.trust, isFile: true).registry
        let edit = edit(options)
        let search = ItemSearch(inputs, families: options.kinds.families, edit: edit)
        let missing = search.missing.joined(separator: ", ")
        guard !search.items.isEmpty else {
            end(66, missing.isEmpty ? "No media found." : "There is no \(missing).")
        }
        if !missing.isEmpty { Output.print(message("There is no \(missing)."), STDERR_FILENO) }
        ImagePipeline.shared = ImagePipeline { $0.decoders = decoders }
        let opening = openEarly(search)
        g_set_prgname("io.github.lazyimg.View")
        Renderer.chooseByDevices()
        guard gtk_init_check() != 0 else {
            end(69, "There is no display; 'lazyimg play' shows media in a terminal.")
        }
        MainActor.assumeIsolated { run(arguments, search, edit) }
        opening?.cancel()
        exit(0)
    }

    /// The standard opening, but a grid plays many animations at once; each has a process while it is on the screen.
    private static let opening: MediaOpening = {
        var configuration = MediaOpening.standard.configuration
        let host = DecoderHost(IsolationPolicy(.pooled(2), maximumProcesses: 64))
        let decoders = configuration.decoders
        configuration.decoders = { $0 == .pooled ? .init(host) : decoders($0) }
        return MediaOpening(configuration)
    }()

    /// What is done to every picture; exits where it cannot be.
    private static func edit(_ options: ViewOptions) -> ViewerEdit? {
        do throws(OptionError) { return try options.edit(opening).map(ViewerEdit.init) } catch {
            end(error.exitCode, error.description)
        }
    }

    /// Opens the file that is shown first while GTK starts: that loads the libraries of its decoder.
    private static func openEarly(_ search: ItemSearch) -> Task<Void, Never>? {
        guard search.isOfOneFile, search.items.indices.contains(search.first),
            let path = search.items[search.first].path
        else { return nil }
        let pipeline = ImagePipeline.shared.configuration
        return Task(executorPreference: BlockingPool.shared) {
            _ = try? FrameSequence(
                opening: FileBytes(path: path), limits: pipeline.limits,
                registry: pipeline.decoders)
        }
    }

    @MainActor private static func run(
        _ arguments: ViewerArguments, _ search: ItemSearch, _ edit: ViewerEdit?
    ) {
        Renderer.chooseByDriver()
        MainActorLoop.attach()
        let loop = g_main_loop_new(nil, 0)
        let window = ViewerWindow(arguments, search, edit)
        window.onClose = { g_main_loop_quit(loop) }
        window.present()
        g_main_loop_run(loop)
        withExtendedLifetime(window) {}
    }

    private static func end(_ status: CInt, _ text: String) -> Never {
        Output.print(message(text), STDERR_FILENO)
        exit(status)
    }

    private static func message(_ text: String) -> String { "lazyimg-view: \(text)\n" }

    /// The arguments; a name that is no UTF-8 becomes a file: URL, which keeps its bytes.
    private static var words: [String] {
        (1..<max(1, Int(CommandLine.argc))).compactMap { place in
            guard let word = CommandLine.unsafeArgv[place] else { return nil }
            if let text = String(validatingCString: word) { return text }
            guard let resolved = realpath(word, nil) else { return String(cString: word) }
            defer { free(resolved) }
            let path = Array(UnsafeRawBufferPointer(start: resolved, count: strlen(resolved)))
            return ViewerItem(path: path)?.url.absoluteString
        }
    }
}
