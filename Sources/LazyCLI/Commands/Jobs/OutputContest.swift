internal import LazyBase
internal import LazyBatch
internal import LazyMedia

/// Which of several inputs gets an output that each of them would write.
///
/// It stays with the one that it was last made of; otherwise what moves comes before pictures, and then the
/// first in order.
struct OutputContest {
    /// An input that gives way to another one.
    struct Loss: Equatable {
        let loser: Int
        let winner: Int
        let output: String
        /// Whether a picture gives way to a film or an animation, whose picture it may be: no fault.
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
                (Self.rank(input(index), source), index)
            }
            guard let winner = ranks.min(by: <)?.1 else { continue }
            for loser in entrants where loser != winner && losses[loser] == nil {
                let isOfPicture = Self.isPicture(input(loser)) && !Self.isPicture(input(winner))
                losses[loser] = Loss(
                    loser: loser, winner: winner, output: output, isOfPicture: isOfPicture)
            }
        }
        return losses.values.sorted { $0.loser < $1.loser }
    }

    private static func rank(_ input: Input, _ source: String?) -> Int {
        if let source, input.batchInput.source.isSamePath(as: source) { return 0 }
        return isPicture(input) ? 2 : 1
    }

    private static func isPicture(_ input: Input) -> Bool {
        if case .path(let path) = input.address { return FolderFilter.family(of: path) == .still }
        return false
    }
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
    /// Whether it is a picture in a folder that has a film or an animation of its name.
    var isPictureOfFilm: Bool {
        guard case .path(let path) = address, FolderFilter.family(of: path) == .still else {
            return false
        }
        let stem = address.name + "."
        return FolderSearch(path.parentFolder, isDeep: false).files.contains { file in
            file.path.lastName.hasPathPrefix(stem)
                && InputAddress.path(file.path).name.isSamePath(as: address.name)
                && [.video, .animation].contains(FolderFilter.family(of: file.path))
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
