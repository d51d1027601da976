internal import ArgumentParser
internal import LazyBase
internal import LazyBatch
internal import LazyGallery
internal import LazyKit
internal import LazyMedia
internal import LazyOptions

/// `lazyimg gallery`: a static page of many files.
struct GalleryCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "gallery",
        abstract: "Make a static page of films, animations and pictures.",
        discussion: """
            Folders are searched with their subfolders. The page needs no server: open index.html, or copy \
            the folder to one. Posters are loaded when they come on the screen; hovering and focus show a \
            moving preview, and a slider of frames; a click plays the file, as often as it says. There \
            are search, sorting, information, keys for everything, and a light and a dark appearance.

            Files that browsers cannot play are converted, films to MP4 without sound. Each item has a \
            folder in site/items and a record in a journal, as in 'lazyimg batch': the same command makes only \
            what is missing or has changed, also after a kill, and --shard divides the work. The page \
            shows what is made so far, by whichever machine; files that are gone leave the page, and \
            with --prune the site.

            Edits (--crop, --text, --watermark, --subtitles …) are made in posters, previews and what is \
            played alike, so edited files are converted. A file without the track of subtitles is shown \
            without them, with a warning.

            Exit codes: 0 all items exist; otherwise as 'lazyimg batch'.

            Examples:
              lazyimg gallery films/ -o site/
              lazyimg gallery films/ animations/ -o site/ --title 'Our clips' --media link
              lazyimg gallery films/ -o site/ --watermark logo.png --subtitles track:en
              lazyimg gallery films/ -o site/ --shard 1/4
            """,
        aliases: ["site"])

    @Argument(
        help: .init("A folder of media, or a file.", valueName: "folder"),
        completion: .directory)
    var folders: [String]

    @Option(
        name: [.customShort("o", allowingJoined: true), .long, .customLong("output-dir")],
        help: .init("The folder of the site; it is created.", valueName: "dir"),
        completion: .directory)
    var output: String

    @OptionGroup(title: "The page") var page: GalleryPageOptions
    @OptionGroup var kinds: KindOptions
    @OptionGroup(title: "Edits") var edits: EditOptions
    @OptionGroup(title: "Edits") var gravity: CropGravityOptions
    @OptionGroup(title: "Edits") var matte: MatteOptions
    @OptionGroup(title: "The journal") var memory: JournalOptions
    @OptionGroup(title: "Failures") var failing: BatchFailureOptions
    @OptionGroup(title: "Many machines") var sharding: BatchShardOptions
    @OptionGroup var parallel: ParallelOptions
    @OptionGroup(title: "Common options") var rendering: RenderingOptions
    @OptionGroup(title: "Common options") var limits: ReadingOptions

    @Flag(help: "Print events as JSON lines: start, progress, done, skip, error, end.")
    var jsonl = false

    @OptionGroup(title: "Common options") var report: ReportOptions

    mutating func run() async throws {
        limits.limits.opensMany = true
        DecoderLibraries.choose()
        try check()
        var gallery = page.gallery(output: output, folders: folders)
        gallery.edit = try CommandFailure.converting(
            edits.edit(gravity.place(of: edits), limits.limits.choice.files))
        gallery.edit.matte = matte.matte
        if gallery.hasForeignPage, !memory.force {
            throw CommandFailure(
                .cannotCreate, "exists", "\(output) has files of a page that is no gallery.",
                hint: "Name another folder, or replace it with --force.")
        }
        let journal = try memory.open(isNeeded: false, report.style)
        let sources = try GallerySources(
            folders, output: output, hasPictures: !page.noPictures, kinds.families, journal,
            report.style)
        let search = GallerySearch(sources.folders, site: gallery, journal: journal)
        let entries = try entries(sources, gallery)
        var rules = failing.rules(memory, parallel)
        rules.gone = GoneInputs(folders, output: output)
        let execution = BatchExecution(
            entries: entries, rules: rules,
            failureLimit: failing.failureLimit, writesEvents: jsonl, style: report.style,
            folder: output)
        let status = try await execution.run(journal) {
            () throws(CommandFailure) in
            try writePages(gallery, sources.all, search)
        }
        if status != .success { throw ExitCode(status.number) }
    }

    private func check() throws(CommandFailure) {
        try memory.check()
        try failing.check()
        try CommandFailure.refuse([
            ("--json", report.json, "--jsonl", jsonl),
            ("--prune", page.prune, "--shard", sharding.shard != nil),
        ])
        if output == "-" {
            throw .usage("A site is not written to standard output.", hint: "Name a folder.")
        }
    }

    /// The items of this machine.
    private func entries(
        _ sources: GallerySources, _ gallery: Gallery
    ) throws(CommandFailure) -> [BatchEntry] {
        let network = Network(
            NetworkSettings(policy: .normal, headers: .init(), retries: 0), isQuiet: true)
        let reading = rendering.rendering(Reading(limits.limits.choice, network))
        var plan = BatchPlan(try sharding.chosen(), by: sharding.shardBy)
        var entries: [BatchEntry] = []
        for (place, (source, input)) in zip(sources.all, sources.inputs).enumerated() {
            let item = gallery.item(for: source) { (_) async throws(BatchFailure) in
                do throws(CommandFailure) {
                    let sequence = try await input.open(reading).sequence
                    announce(sequence.info, of: input, gallery)
                    return sequence
                } catch {
                    throw error.asBatchFailure(of: input)
                }
            }
            do throws(BatchPlan.Collision) {
                try plan.register(item.input, outputs: item.outputs)
            } catch {
                throw .usage(
                    "\(error.inputs.joined(separator: " and ")) have the same name in the site.",
                    hint: "Name the folder that holds both.")
            }
            // The name in the site, which does not depend on where this machine has the folder.
            guard plan.contains(shardInput(item.input, source), place: place) else { continue }
            entries.append(
                BatchEntry(input: input, item: item.reporting(JobKey.rendering(reading))))
        }
        return entries
    }

    /// Says that a film takes long before it does.
    private func announce(_ info: MediaInfo, of input: Input, _ gallery: Gallery) {
        guard !report.quiet, !report.json, !jsonl, gallery.reducesFilm(info) else { return }
        let codec = info.codec.isEmpty ? "" : " of \(info.codec)"
        Console.say(
            "\(input.label): A film of \(info.size)\(codec) is converted for the page, which takes long; --media none leaves it out."
        )
    }

    private func shardInput(_ input: BatchInput, _ source: GallerySource) -> BatchInput {
        sharding.shardBy == .name ? BatchInput(address: source.id) : input
    }

    private func writePages(
        _ gallery: Gallery, _ sources: [GallerySource], _ search: GallerySearch
    ) throws(CommandFailure) -> BatchExecution.Finish {
        let written: Gallery.PageReport
        do throws(FileError) {
            written = try gallery.writePages(for: sources, of: search, prunes: page.prune)
        } catch {
            throw CommandFailure(error)
        }
        if !report.quiet, !report.json, !jsonl {
            let missing = written.missingCount
            let rest = missing > 0 ? ", \(missing) not on it" : ""
            Console.say("\(written.page): \(written.itemCount) items\(rest)")
        }
        if !report.json, !jsonl { written.kept.tell(report.style) }
        let members: BatchExecution.Members = [
            ("page", .name(written.page)), ("items", .integer(written.itemCount)),
            ("missing", .integer(written.missingCount)),
            ("removed", .integer(written.removedCount)),
        ]
        return (members + written.kept.members, written.kept.isOfNamed)
    }
}

extension BatchItem<GalleryItem> {
    /// The same item with the reports of commands, and with further options that decide its files.
    fileprivate func reporting(_ more: [String]) -> BatchItem<JobReport> {
        let work = work
        let options = ([options] + more).joined(separator: " ")
        return BatchItem<JobReport>(input: input, outputs: outputs, options: options) {
            (overwrites, progress) async throws(BatchFailure) in
            let item = try await work(overwrites, progress)
            return JobReport(
                outputs: item.outputs, byteCount: item.bytesWritten, frameCount: item.frameCount,
                json: .object([
                    ("id", .string(item.id)), ("kind", .string(item.kind.rawValue)),
                    ("files", .names(item.outputs)),
                ]), text: "", warnings: item.warnings)
        }
    }
}
