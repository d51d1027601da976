import Glibc
internal import LazyBase
internal import LazyLoading
internal import LazyMedia
internal import LazyPipeline
internal import LazyRenditions

/// Why a command fails: an exit code, one sentence, and a hint.
struct CommandFailure: Error, CustomStringConvertible {
    let status: ExitStatus
    /// The stable word that `--json` prints.
    let code: String
    /// One sentence that ends in a full stop.
    let message: String
    /// What the user can do, or nil.
    let hint: String?
    /// The input, as given by the user, if it is an error of one input.
    var input: String?
    /// The status of the server's response, if that is the reason.
    var httpStatus: Int?
    /// What was asked for beside it, as `--explain` is: printed on standard output.
    var answer = ""

    init(_ status: ExitStatus, _ code: String, _ message: String, hint: String? = nil) {
        self.status =
            status == .interrupted(by: nil) ? .interrupted(by: Interruption.signal) : status
        self.code = code
        self.message = message
        self.hint = hint
    }

    /// A mistake in the arguments.
    static func usage(_ message: String, hint: String? = nil) -> CommandFailure {
        CommandFailure(.usage, "usage", message, hint: hint)
    }

    /// The same failure for an input.
    func about(_ input: String) -> CommandFailure {
        var failure = self
        failure.input = input
        return failure
    }

    /// A signal ended the work.
    static var cancelled: CommandFailure {
        CommandFailure(.interrupted(by: nil), "cancelled", "The work was cancelled.")
    }

    /// The process may open too few files to begin.
    static var fewDescriptors: CommandFailure {
        CommandFailure(
            .inputOutput, "io",
            "This process may have \(DescriptorBudget.limit) files open, which is too few.",
            hint: "Raise the limit with 'ulimit -n 256', or close files that it inherits.")
    }

    /// The reader of standard output has closed the pipe, which is not an error.
    static let closedPipe = CommandFailure(
        .success, "closedPipe", "The reader of standard output closed it.")

    var description: String { message }
}

extension CommandFailure {
    /// The failure of a command for an error of media.
    init(_ error: MediaError, about input: String) {
        if let error = error.underlying as? LoadingError {
            self.init(error, about: input)
            return
        }
        let status = ErrorStatus(error).exit
        var hint = Self.hint(of: error)
        if status == .noInput, input.hasForeignScheme {
            hint = "URLs begin with http://, https://, file: or data:."
        }
        let code = status == .noInput ? "missing" : error.code.rawValue
        self.init(status, code, error.message, hint: hint)
        self.input = input
    }

    private static func hint(of error: MediaError) -> String? {
        switch error.code {
        case .limitExceeded where error.excess?.limit == "maxBytes": "Allow more with --max-bytes."
        case .limitExceeded: hint(for: error.excess)
        case .unsupported where error.message.contains("HTML"):
            "A page is no media, and may show some: 'yt-dlp -o - URL | lazyimg …' gets many films."
        case .unsupported: "See 'lazyimg formats' for readable formats."
        case .coverOnly: "Write the cover with 'lazyimg poster'."
        case .encrypted: "Only media without encryption can be read."
        case .trackNotFound: "See 'lazyimg info' for what a file holds."
        case .notFound where error.message.contains("chapters"):
            "See 'lazyimg info' for what a file holds."
        case .notFound: "See 'lazyimg info --frames' for all frames."
        case .environment: hint(of: error.underlying as? SystemError)
        default: nil
        }
    }

    /// The option that raises a limit to the needed value, in two digits.
    private static func hint(for excess: MediaError.Excess?) -> String? {
        guard let excess, let kind = DecodingLimits.Kind(rawValue: excess.limit) else { return nil }
        let more = "Allow more with '--limit \(kind.key)="
        let end = "' if you trust the file; see 'lazyimg help limits'."
        guard !kind.isTime, excess.actual < 1 << 50 else { return more + "none" + end }
        var (value, zeros) = (excess.actual, 0)
        while value > 99 { (value, zeros) = ((value + 9) / 10, zeros + 1) }
        let number = Int(value) * (0..<zeros).reduce(1) { product, _ in product * 10 }
        return more + DecodingLimits.text(number) + end
    }

    private static func hint(of error: SystemError?) -> String? {
        switch error?.code {
        case nil: "See 'lazyimg doctor' for missing libraries."
        case ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG: "Check the path."
        case EISDIR: "Read the media in it with --recursive (-r)."
        case EMFILE, ENFILE:
            "Allow more open files with 'ulimit -n', or use fewer --jobs."
        default: nil
        }
    }

    /// The failure for a system error while `object` is written.
    init(writing object: String, _ error: SystemError) {
        switch error.code {
        case EEXIST:
            self.init(
                .cannotCreate, "exists", "\(object) exists already.",
                hint: "Replace it with '--overwrite always'.")
        case EACCES, EPERM, EROFS:
            self.init(.noPermission, "permission", "Cannot write \(object): \(error).")
        case ENOENT, ENOTDIR, EISDIR, ENAMETOOLONG, ELOOP, EINVAL:
            self.init(.cannotCreate, "cannotCreate", "Cannot create \(object): \(error).")
        case EPIPE:
            self = .closedPipe
        default:
            self.init(.inputOutput, "io", "Cannot write \(object): \(error).")
        }
    }
}

extension String {
    /// Whether it looks like a URL with an unsupported scheme.
    fileprivate var hasForeignScheme: Bool {
        let scheme = prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+-.".contains($0)) }
        return scheme.count > 1 && dropFirst(scheme.count).hasPrefix(":/")
    }
}

extension SystemError {
    /// The name exists.
    static let exists = SystemError(code: EEXIST)
}
