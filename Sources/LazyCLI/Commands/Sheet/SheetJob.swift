internal import LazyBase
internal import LazyEditing
internal import LazyKit
internal import LazyMedia
internal import LazyRenditions

/// `sheet`: the pages of one clip, and the files that describe them.
struct SheetJob: MediaJob {
    static let name = "sheet"
    static let formats = OutputFormat.picture
    private static let rules = OutputTarget.Rules(
        thing: "sheet", formats: formats, usual: OutputFormat(rawValue: "jpg"), suffix: "-sheet")

    var output: String?
    let format: OutputFormat?
    let layout: SheetLayout
    /// The names of the files, where Jellyfin reads them.
    var trickplay: Trickplay?
    /// What is done to the tiles' pictures; the layout has their size.
    var edit = ClipEdit()
    /// Whether the first page begins with what the file is.
    var hasHeader = false
    let options: EncodingOptions
    let threads: Int
    let writesVTT: Bool
    let writesJSON: Bool
    /// A prefix for the names of pages in the WebVTT file.
    let prefix: String
    var overwrite: OverwritePolicy
    let reading: Reading

    var key: String {
        // What a sheet makes of its edit (`SpriteSheet.edit`).
        var edit = edit
        (edit.size, edit.gravity) = (layout.tile, layout.gravity)
        edit.segments = layout.range.map { [$0] } ?? []
        let ending = output.flatMap { FilePath.fileExtension(of: $0) }
        let words =
            [
                Self.name, format?.rawValue ?? ending ?? "jpg", edit.identifier,
                JobKey.sheet(layout), JobKey.encoding(options), "vtt=\(writesVTT)",
                "json=\(writesJSON)",
                "prefix=\(prefix)",
            ] + (hasHeader ? ["header"] : []) + (trickplay == nil ? [] : ["trickplay"])
        return (words + JobKey.rendering(reading)).joined(separator: " ")
    }

    func outputs(for input: Input, isAlone: Bool) throws(CommandFailure) -> [String] {
        let file = try file(for: input, isAlone: isAlone)
        return [file.label] + indexFiles(file).map(\.target.label)
    }

    /// The target of the first page.
    private func file(
        for input: Input, isAlone: Bool
    ) throws(CommandFailure) -> OutputTarget {
        guard let trickplay else {
            let page = try OutputTarget(
                output, for: input, format: format, Self.rules, isAlone: isAlone)
            try page.refuse(options)
            return page
        }
        if output == "-" {
            throw .usage("--layout jellyfin does not write to standard output.")
        }
        var rules = Self.rules
        rules.suffix = ""
        // The folder of the pages has the name of the film, so -o is the folder around it.
        return trickplay.firstPage(
            try OutputTarget(output, for: input, format: format, rules, isAlone: false))
    }

    func run(
        _ input: Input, isAlone: Bool, progress: @escaping @Sendable (Double) -> Void
    ) async throws(CommandFailure) -> JobReport {
        let file = try file(for: input, isAlone: isAlone)
        try file.refuseExisting(overwrite)
        for index in indexFiles(file) { try index.target.refuseExisting(overwrite) }
        let opened = try await input.open(reading.wanting(layout.tile, isSampling: true))
        var sheet = try sheet(file)
        let pages: SheetPages
        let report: SpriteSheet.Report
        do throws(MediaError) {
            sheet.edit = edit.named(input.address.name)
            if hasHeader {
                sheet.layout.header = Reports.header(
                    try await opened.sequence.detailedInfo(), input.address.fileName,
                    opened.byteCount)
            }
            let made = sheet
            let prepared = try await made.prepared(opened.sequence, encoders: .standard)
            pages = try SheetPages(
                file, count: prepared.plan.pages.count, isTrickplay: trickplay != nil, overwrite)
            report = try await made.run(
                prepared, encoders: .standard, threads: threads(isAlone: isAlone),
                progress: progress
            ) { (page, bytes) throws(MediaError) in try pages.write(page, bytes) }
        } catch {
            throw (error.underlying as? CommandFailure) ?? input.failure(error)
        }
        return try keep(pages, report, file, input)
    }

    private func sheet(_ file: OutputTarget) throws(CommandFailure) -> SpriteSheet {
        guard let type = file.format.type(isAnimation: false) else {
            throw .usage("Sheets cannot be written as \(file.format.rawValue).")
        }
        return SpriteSheet(layout, as: type, options: options)
    }

    private enum Index { case vtt, json }

    /// The files next to the page; none for a stream.
    private func indexFiles(_ file: OutputTarget) -> [(kind: Index, target: OutputTarget)] {
        guard file.isFile else { return [] }
        var files: [(Index, OutputTarget)] = []
        if writesVTT { files.append((.vtt, file.beside(extension: "vtt"))) }
        if writesJSON { files.append((.json, file.beside(extension: "json"))) }
        return files
    }

    /// Makes all files appear: the pages first, then the files that describe them.
    private func keep(
        _ pages: SheetPages, _ report: SpriteSheet.Report, _ file: OutputTarget, _ input: Input
    ) throws(CommandFailure) -> JobReport {
        let json = Reports.sheet(report, input: input.label, pages: pages.names)
        var sinks: [OutputFile] = []
        var labels = pages.labels
        var byteCount = report.byteCounts.reduce(0, +)
        for (kind, target) in indexFiles(file) {
            let text =
                kind == .json
                ? json.text
                : report.plan.webVTT(names: pages.names.map { FileName.bytes(prefix + $0) })
            let sink = try OutputFile(target)
            do throws(MediaError) { try sink.write(Array(text.utf8)) } catch {
                throw sink.failure ?? input.failure(error)
            }
            sinks.append(sink)
            labels.append(target.label)
            byteCount += text.utf8.count
        }
        try pages.keep()
        for sink in sinks { try sink.keep(overwrite) }
        return JobReport(
            outputs: labels, byteCount: byteCount, frameCount: report.plan.tiles.count,
            json: Reports.sheetSummary(report, input: input.label, outputs: labels, byteCount),
            text: Reports.line(report, input: input.label, output: labels[0]),
            warnings: report.warnings)
    }
}

/// The pages of one sheet while they are written.
///
/// Unchecked: one writer writes the pages in sequence.
private final class SheetPages: @unchecked Sendable {
    private let files: [OutputTarget]
    private let overwrite: OverwritePolicy
    private var sinks: [OutputFile] = []

    /// Names the pages; several are numbered, and cannot go to a stream.
    init(
        _ file: OutputTarget, count: Int, isTrickplay: Bool, _ overwrite: OverwritePolicy
    ) throws(MediaError) {
        self.overwrite = overwrite
        if isTrickplay {
            let folder = file.label.parentFolder
            files = (0..<count).map {
                OutputTarget(path: "\(folder)/\($0).jpg", format: file.format)
            }
        } else if count == 1 {
            files = [file]
        } else {
            let ending = FilePath.fileExtension(of: file.label) ?? file.format.rawValue
            let width = max(2, String(count).count)
            files = (1...count).map { number in
                let digits = String(number)
                let padding = String(repeating: "0", count: width - digits.count)
                return file.beside(suffix: "-" + padding + digits, extension: ending)
            }
        }
        do throws(CommandFailure) {
            if count > 1, file.isStandardOutput {
                throw .usage(
                    "\(count) pages cannot go to standard output.", hint: "Name a file with -o.")
            }
            for file in files { try file.refuseExisting(overwrite) }
            if isTrickplay { try OutputFolder(file.label.parentFolder).create() }
        } catch {
            throw MediaError(.environment, error.message, underlying: error)
        }
    }

    /// The paths.
    var labels: [String] { files.map(\.label) }

    /// The names without their folder.
    var names: [String] {
        files.map { $0.label.pathParts.last.map(String.init) ?? $0.label }
    }

    func write(_ page: Int, _ bytes: [UInt8]) throws(MediaError) {
        do throws(CommandFailure) {
            while sinks.count <= page { sinks.append(try OutputFile(files[sinks.count])) }
        } catch {
            throw MediaError(.environment, error.message, underlying: error)
        }
        do throws(MediaError) { try sinks[page].write(bytes) } catch {
            throw sinks[page].failure.map {
                MediaError(.environment, $0.message, underlying: $0)
            } ?? error
        }
    }

    func keep() throws(CommandFailure) {
        for sink in sinks { try sink.keep(overwrite) }
    }
}
