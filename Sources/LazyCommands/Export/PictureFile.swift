internal import LazyMedia

/// Where one picture goes, and as what.
struct PictureFile: Sendable {
    private let place: OutputPlace
    private let format: PictureFormat

    /// Settles the place; without one it is beside the input, under its name.
    ///
    /// That of several inputs, or one that ends in a slash, is a folder; it is made where it is missing.
    init(
        _ output: String?, for input: Input, format: PictureFormat?, isAlone: Bool = true
    ) throws(CommandFailure) {
        if output == "-" {
            self.format = format ?? .png
            place = .standardOutput
            try OutputPlace.refuseTerminal("Pictures")
            return
        }
        let ending = (format ?? .png).rawValue
        let path: String
        if let output {
            path = try OutputPlace.completed(output, for: input, ending: ending, isAlone: isAlone)
        } else {
            path = try OutputPlace.beside(input, ending: ending, "poster")
        }
        place = OutputPlace(path: path)
        if let format {
            self.format = format
        } else {
            self.format = try Self.format(of: path, FileKind(path))
        }
    }

    /// Whether the picture goes to standard output.
    var isStandardOutput: Bool { place == .standardOutput }

    /// The path, or `-`.
    var label: String { place.label }

    /// Throws if the file is there and may not be replaced: before decoding rather than after it.
    func refuseExisting(_ policy: OverwritePolicy) throws(CommandFailure) {
        try place.refuseExisting(policy)
    }

    /// Writes the picture whole or not at all, and returns the number of its bytes.
    func write(_ bitmap: Bitmap, _ policy: OverwritePolicy) throws(CommandFailure) -> Int {
        var count = 0
        // A thumbnail goes over the wire many times; a large still is better done soon.
        let isSmall = bitmap.size.pixelCount <= 400_000
        try format.makeEncoder(isSmall: isSmall).encode(bitmap) { (bytes) throws(CommandFailure) in
            count += bytes.count
            switch place {
            case .standardOutput: try Console.print(bytes)
            case .file(let folder, let name):
                try OutputFolder(folder).write(bytes, to: name, policy)
            case .device(let path): try OpenDevice(path).write(bytes)
            }
        }
        return count
    }

    private static func format(
        of path: String, _ kind: FileKind
    ) throws(CommandFailure) -> PictureFormat {
        if kind == .device { return .png }
        let ending = OutputPlace.ending(of: path)
        if let format = ending.flatMap({ PictureFormat(rawValue: $0.lowercased()) }) {
            return format
        }
        throw .usage(
            ending.map { "A file that ends in .\($0) cannot be written." }
                ?? "The name \(path) does not tell the format.",
            hint: "End it in .png or .ppm, or name the format with --format.")
    }
}
