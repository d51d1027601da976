internal import LazyBase
internal import LazyBatch
internal import LazyMedia
internal import LazyPipeline

/// Which of several inputs gets an output that each of them would write.
///
/// What moves comes before songs, those before pictures, and files that nobody can read come last. Of one kind it
/// stays with the one that it was last made of; otherwise it is that of the first in order.
struct OutputContest {
    /// An input that gives way to another one.
    struct Loss: Equatable {
        let loser: Int
        let winner: Int
        let output: String
        /// Whether a picture gives way to a film, an animation or a song, whose picture it may be: no fault.
        let isOfPicture: Bool
    }

    private var first: [NameDigest: Int] = [:]
    private var contested: [NameDigest: (output: String, entrants: [Int])] = [:]
    // The first output that two inputs share is what is said of them: the picture, not its index.
    private var order: [NameDigest] = []

    /// Enters the outputs of an input; each input has a number, in ascending order.
    mutating func enter(_ index: Int, outputs: [String]) {
        for output in outputs {
            let name = NameDigest(output)
            guard let other = first[name] else {
                first[name] = index
                continue
            }
            // Anything may be written to a device more than once.
            if other == index || FileKind.isDevice(output) { continue }
            if contested[name] == nil { order.append(name) }
            contested[name, default: (output, [other])].entrants.append(index)
        }
    }

    /// Those that give way, in their order.
    func losses(_ journal: Journal?, _ input: (Int) -> Input) -> [Loss] {
        var losses: [Int: Loss] = [:]
        for (output, entrants) in order.compactMap({ contested[$0] }) {
            let source = journal?.input(of: output)
            let ranks = entrants.map { index in
                let input = input(index)
                let isSource = source.map { input.batchInput.source.isSamePath(as: $0) } ?? false
                return Rank(kind: input.claim, order: isSource ? 0 : 1, index: index)
            }
            guard let winner = ranks.min() else { continue }
            for loser in ranks where loser.index != winner.index && losses[loser.index] == nil {
                let isOfPicture = loser.kind == .picture && winner.kind < .picture
                losses[loser.index] = Loss(
                    loser: loser.index, winner: winner.index, output: output,
                    isOfPicture: isOfPicture
                        || loser.kind == .unreadable && winner.kind < .unreadable)
            }
        }
        return losses.values.sorted { $0.loser < $1.loser }
    }

    private struct Rank: Comparable {
        let kind: OutputClaim
        let order: Int
        let index: Int

        static func < (one: Rank, other: Rank) -> Bool {
            (one.kind.rawValue, one.order, one.index)
                < (other.kind.rawValue, other.order, other.index)
        }
    }
}

/// How good the claim of an input on an output is, the best first, by the first bytes of the file.
enum OutputClaim: Int, Comparable {
    case moving, song, picture, unreadable

    init(ofFile path: String) {
        switch FolderFilter.family(of: path) {
        case .video, .animation: self = .moving
        case .audio: self = .song
        case .still: self = .picture
        default: self = .unreadable
        }
    }

    static func < (one: OutputClaim, other: OutputClaim) -> Bool { one.rawValue < other.rawValue }
}

extension OutputContest.Loss {
    /// What is reported about a file that was found in a folder; `folder` is that of all outputs.
    func failure(_ input: (Int) -> Input, folder: String?) -> CommandFailure {
        let (loser, winner) = (input(loser), input(winner))
        return CommandFailure(
            .cannotCreate, "collision",
            "\(output) is the output of \(winner.label), so \(loser.label) has none.",
            hint: Self.hint(loser, winner, output, folder: folder)
        ).about(loser.label)
    }

    // Extensions tell them apart, and folders only where they have different ones.
    private static func hint(
        _ loser: Input, _ winner: Input, _ output: String, folder: String?
    ) -> String? {
        guard case .path(let path) = loser.address, let subfolder = loser.subfolder else {
            return nil
        }
        let ending = FilePath.fileExtension(of: output).map { "." + $0 } ?? ""
        let (isApart, tree) = (winner.subfolder != subfolder, "{dir}/{name}")
        guard loser.address.fileExtension != winner.address.fileExtension else {
            return isApart ? "Name both: --name '\(tree)\(ending)'." : nil
        }
        let name = "--name '\(tree)-{ext}\(ending)'."
        if folder != nil { return "Name both: \(name)" }
        // Names without a folder would be in the current one.
        var root = path.parentFolder
        for _ in subfolder.pathParts { root = root.parentFolder }
        return "Name both: -o \(root.contains(" ") ? "'\(root)'" : root) \(name)"
    }
}

extension Input {
    /// The claim on an output that several inputs would write; what is not a file moves.
    var claim: OutputClaim {
        if case .path(let path) = address { OutputClaim(ofFile: path) } else { .moving }
    }

    /// Whether it may have an output that was made of another input, which has a lesser claim.
    var succeeds: @Sendable (_ other: String) -> Bool {
        { other in
            // One on a drive that is missing may come back.
            guard (try? FileBytes(name: other.systemPath, label: other)) != nil else {
                return false
            }
            let own = claim
            return own < .picture && own < OutputClaim(ofFile: other)
        }
    }

    /// Whether it is a picture, or nothing that can be read, in a folder that has a film or an animation of its name.
    var isPictureOfFilm: Bool {
        guard case .path(let path) = address, claim >= .picture else { return false }
        let stem = address.name + "."
        return FolderSearch(path.parentFolder, isDeep: false).files.contains { file in
            file.path.lastName.hasPathPrefix(stem)
                && InputAddress.path(file.path).name.isSamePath(as: address.name)
                && OutputClaim(ofFile: file.path) == .moving
        }
    }

    /// The input as that of a batch.
    var batchInput: BatchInput {
        if case .path(let path) = address {
            BatchInput(path: path)
        } else {
            BatchInput(address: label)
        }
    }
}
