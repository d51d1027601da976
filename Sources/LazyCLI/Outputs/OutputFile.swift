import Glibc
internal import LazyBase
internal import LazyMedia
internal import LazyPipeline

/// Receives the bytes of one output.
///
/// A file appears complete, when it is kept, or not at all. Standard output and devices get bytes at
/// once, unless they are held back until the output is kept.
///
/// Unchecked: an encoder writes its pieces in sequence, and the creator keeps the file only
/// after the encoder has ended.
final class OutputFile: @unchecked Sendable {
    private enum Destination {
        case stream(OutputStream)
        case file(NewFile, name: String)
    }

    /// Where it goes.
    let target: OutputTarget
    private let destination: Destination
    private var heldBack: SpooledBytes?
    /// The bytes so far.
    private(set) var count = 0
    /// The failure of writing that ended the work, or nil.
    private(set) var failure: CommandFailure?

    /// Opens a target; throws where it cannot be written to.
    ///
    /// `isHeldBack` is for outputs that may be discarded at the end.
    init(_ target: OutputTarget, isHeldBack: Bool = false) throws(CommandFailure) {
        self.target = target
        do throws(SystemError) {
            switch target.place {
            case .standardOutput: destination = .stream(.standardOutput)
            case .device(let path):
                let number = open(path.systemPath, O_WRONLY | O_CLOEXEC)
                guard number >= 0 else { throw .last }
                destination = .stream(OutputStream(number: number))
            case .file(let folder, let name):
                destination = .file(try NewFile(in: folder), name: name)
            }
        } catch {
            throw CommandFailure(writing: target.label, error)
        }
        if isHeldBack, case .stream = destination { heldBack = SpooledBytes() }
    }

    deinit {
        if case .stream(let stream) = destination, case .device = target.place {
            close(stream.number)
        }
    }

    /// Appends bytes, as an encoder delivers them.
    func write(_ bytes: [UInt8]) throws(MediaError) {
        count += bytes.count
        if let heldBack { return try heldBack.append(bytes) }
        do throws(CommandFailure) {
            try put(bytes)
        } catch {
            failure = error
            throw MediaError(.environment, error.message, underlying: error)
        }
    }

    /// Makes the output appear; throws for an existing file that the policy keeps.
    func keep(_ policy: OverwritePolicy) throws(CommandFailure) {
        do throws(MediaError) {
            try heldBack?.readAll { (piece) throws(MediaError) in
                do throws(CommandFailure) { try put(piece) } catch {
                    throw MediaError(.environment, error.message, underlying: error)
                }
            }
            heldBack = nil
        } catch {
            throw error.underlying as? CommandFailure
                ?? CommandFailure(.inputOutput, error.code.rawValue, error.message)
        }
        guard case .file(let file, let name) = destination else { return }
        do throws(SystemError) {
            try file.publish(as: name, replacing: policy == .always)
        } catch {
            throw CommandFailure(writing: target.label, error)
        }
    }

    /// Copies the permissions of an existing file.
    func copyMode(of path: String) throws(CommandFailure) {
        guard case .file(let file, _) = destination else { return }
        do throws(SystemError) { try file.copyMode(of: path) } catch {
            throw CommandFailure(writing: target.label, error)
        }
    }

    /// Writes bytes to the destination.
    func put(_ bytes: [UInt8]) throws(CommandFailure) {
        do throws(SystemError) {
            try bytes.withBytes { (bytes) throws(SystemError) in
                switch destination {
                case .stream(let stream): try stream.write(bytes)
                case .file(let file, _): try file.write(bytes)
                }
            }
        } catch {
            let label = target.isStandardOutput ? "standard output" : target.label
            throw CommandFailure(writing: label, error)
        }
    }
}
