internal import LazyBase
internal import LazyEditing
internal import LazyKit
internal import LazyMedia
internal import LazyRenditions

/// `sheet`: the pages of one clip, and the files that describe them.
struct SheetJob: RenditionJob {
    static let name = "sheet"
    static let formats = OutputFormat.picture
    private static let rules = OutputTarget.Rules(
        thing: "sheet", formats: formats, usual: OutputFormat(rawValue: "jpg"), suffix: "-sheet")

    var output: String?
    let format: OutputFormat?
    let rendition: Rendition
    let edit: ClipEdit
    /// The names of the files, where Jellyfin reads them.
    let trickplay: Trickplay?
    let threads: Int
    /// A prefix for the names of pages in the WebVTT file.
    let prefix: String
    var overwrite: OverwritePolicy
    let reading: Reading
    let isExplained = false

    private var sheet: Rendition.Sheet {
        if case .sheet(let sheet) = rendition.kind { sheet } else { .init() }
    }

    var moreKey: [String] {
        let ending = output.flatMap { FilePath.fileExtension(of: $0) }
        return (format == nil ? ["name=\(ending ?? "jpg")"] : [])
            + (prefix.isEmpty ? [] : ["prefix=\(prefix)"])
            + (trickplay == nil ? [] : ["trickplay"])
    }

    var earlierKeys: [String] {
        let ending = output.flatMap { FilePath.fileExtension(of: $0) }
        return EarlierKeys.forms(of: edit).map {
            EarlierKeys.sheet(
                format: format?.rawValue ?? ending ?? "jpg", rendition, sheet, $0, prefix,
                isTrickplay: trickplay != nil, reading)
        }
    }

    func names(for input: Input, isAlone: Bool) throws(CommandFailure) -> PartNames {
        guard let trickplay else {
            let page = try OutputTarget(
                output, for: input, format: format, Self.rules, isAlone: isAlone)
            try page.refuse(rendition.output.encoding)
            var names = PartNames(page)
            names.prefix = prefix
            return names
        }
        if output == "-" {
            throw .usage("--layout jellyfin does not write to standard output.")
        }
        var rules = Self.rules
        rules.suffix = ""
        // The folder of the pages has the name of the film, so -o is the folder around it.
        var names = PartNames(
            trickplay.firstPage(
                try OutputTarget(output, for: input, format: format, rules, isAlone: false)))
        names.trickplay = trickplay
        return names
    }

    func text(_ made: Rendition.Report, _ input: Input, _ target: OutputTarget) -> String {
        guard case .sheet(let sheet) = made.details else { return "" }
        let plan = sheet.plan
        let tiles = plan.tiles.count == 1 ? "1 tile" : "\(plan.tiles.count) tiles"
        let more = plan.pages.count > 1 ? " and \(plan.pages.count - 1) more" : ""
        let pages = made.parts.prefix(plan.pages.count).reduce(0) { $0 + $1.byteCount }
        let first = PartNames(target, trickplay).target(
            of: plan.pages.count > 1 ? .page(0) : .main, pageCount: plan.pages.count)
        let name = target.isStandardOutput ? "standard output" : first.label
        return
            "\(input.label): \(tiles) of \(plan.tileSize) → \(name)\(more) \(ByteSize.text(pages))"
    }
}
