internal import CGTK
import Glibc
internal import LazyBase
internal import LazyGTK
internal import LazyKit

/// The program `lazyimg-view`.
public enum ViewerProgram {
    static let version = "0.1.0"

    /// Shows what the command line names, and exits; decodes for another process of it when that asks.
    public static func main() -> Never {
        if DecoderProgram.isRequested { DecoderProgram.run() }
        DecoderHost.decodesItself()
        switch ViewerArguments.parse(words) {
        case .help: end(0, ViewerArguments.help, to: STDOUT_FILENO)
        case .version: end(0, "lazyimg-view \(version)\n", to: STDOUT_FILENO)
        case .mistake(let message): end(64, "\(message) See 'lazyimg-view --help'.")
        case .view(let arguments): view(arguments)
        }
    }

    private static func view(_ arguments: ViewerArguments) -> Never {
        let inputs = arguments.inputs.isEmpty ? ["."] : arguments.inputs
        let decoders = arguments.isolation.decoders
        let edit = edit(arguments, decoders)
        let search = ItemSearch(inputs, kind: arguments.kind, edit: edit)
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

    /// What is done to every picture; exits where it cannot be.
    private static func edit(
        _ arguments: ViewerArguments, _ decoders: DecoderRegistry
    ) -> ViewerEdit? {
        do throws(EditFailure) { return try arguments.edits.edit(decoders) } catch {
            end(error.status, error.message)
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
        end(status, message(text), to: STDERR_FILENO)
    }

    private static func end(_ status: CInt, _ text: String, to descriptor: CInt) -> Never {
        Output.print(text, descriptor)
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
