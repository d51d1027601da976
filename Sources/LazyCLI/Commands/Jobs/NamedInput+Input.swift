internal import FoundationEssentials
internal import LazyBatch

extension NamedInput {
    /// The parts of an input of the command line.
    init(_ input: Input) {
        let path: String? =
            switch input.address {
            case .path(let path): path
            case .remote(let url): (url.host ?? "") + "/" + url.path
            case .standardInput, .data: nil
            }
        self.init(
            name: input.address.name, fileExtension: input.address.fileExtension,
            number: input.number, label: input.label, path: path, subfolder: input.subfolder)
    }
}
