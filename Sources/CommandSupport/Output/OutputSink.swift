package import LazyMedia

/// Takes the bytes of one output as they come, and lets them appear together or not at all.
///
/// What is not kept leaves no trace. Standard output and devices get bytes as they come, unless they
/// are held back until it is sure that they are wanted.
///
/// Unchecked: an encoder writes its pieces one after the other, and what makes the sink keeps it
/// only after the encoder has ended; nobody else has it.
package final class OutputSink: @unchecked Sendable {
    private enum Target {
        case standardOutput
        case device(OpenDevice)
        case file(OutputFile, name: String)
    }

    private let target: Target
    private var heldBack: Spool?
    /// The bytes so far.
    package private(set) var count = 0
    /// What went wrong with the output, where that is why the work ended.
    package private(set) var failure: CommandFailure?

    /// Opens a place; throws where it cannot be written to.
    ///
    /// `isHeldBack` is for those who may decide against the output in the end.
    package init(_ place: OutputPlace, isHeldBack: Bool = false) throws(CommandFailure) {
        switch place {
        case .standardOutput: target = .standardOutput
        case .device(let path): target = .device(try OpenDevice(path))
        case .file(let folder, let name):
            target = .file(try OutputFile(in: OutputFolder(folder), for: name), name: name)
        }
        if isHeldBack, case .file = target {} else if isHeldBack { heldBack = Spool() }
    }

    /// Appends bytes; what an encoder is given.
    package func write(_ bytes: [UInt8]) throws(MediaError) {
        count += bytes.count
        if heldBack != nil {
            var failure: MediaError?
            bytes.withUnsafeBytes { bytes in
                do throws(MediaError) { try heldBack?.append(bytes) } catch { failure = error }
            }
            if let failure { throw failure }
            return
        }
        do throws(CommandFailure) {
            try put(bytes)
        } catch {
            failure = error
            throw MediaError(.environment, error.message)
        }
    }

    /// Lets the output appear; throws with the status for an existing file under `.never`.
    package func keep(_ policy: OverwritePolicy) throws(CommandFailure) {
        if heldBack != nil {
            var fault: CommandFailure?
            do throws(MediaError) {
                try heldBack?.readAll { (piece) throws(MediaError) in
                    do throws(CommandFailure) {
                        try put(piece)
                    } catch {
                        fault = error
                        throw MediaError(.environment, error.message)
                    }
                }
            } catch {
                throw fault ?? CommandFailure(.inputOutput, error.code.rawValue, error.message)
            }
            heldBack = nil
        }
        if case .file(let file, let name) = target { try file.keep(as: name, policy) }
    }

    /// Gives the file that is being made the permissions of one that is there.
    package func takeMode(of path: String) throws(CommandFailure) {
        if case .file(let file, let name) = target { try file.takeMode(of: path, for: name) }
    }

    private func put(_ bytes: [UInt8]) throws(CommandFailure) {
        let result = bytes.withUnsafeBytes { bytes in
            Result { () throws(CommandFailure) in
                switch target {
                case .standardOutput: try Console.print(bytes)
                case .device(let device): try device.write(bytes)
                case .file(let file, let name): try file.append(bytes, of: name)
                }
            }
        }
        try result.get()
    }
}
