internal import LazyEditing
internal import LazyMedia

extension Rendition {
    /// What was asked for and changed nothing in files of a type that were made of frames, as warnings.
    ///
    /// The command line refuses before any work what a type does not have; who writes a rendition, as a client of a
    /// service does, may ask for it of any type.
    func unused(
        in type: MediaType, of frames: FrameSequence, _ encoders: EncoderRegistry
    ) -> [MediaWarning] {
        switch kind {
        case .facts, .loop: return []
        case .poster, .animation, .conversion, .sheet, .frames: break
        }
        var found = Unused()
        addEncoding(of: type, encoders.traits(for: type), to: &found)
        addTimes(of: frames, to: &found)
        if case .conversion(let conversion) = kind, conversion.kept == .all,
            conversion.isStill || type.family != .video
        {
            found.add(["keep"], "\(type.title) is written without words and chapters")
        }
        if case .frames(let frames) = kind, frames.hashesPixels, !frames.isListing,
            frames.indexes.isEmpty
        {
            found.add(["hashes"], "no list of the frames is written")
        }
        return found.warnings
    }

    private struct Unused {
        var warnings: [MediaWarning] = []

        /// Adds fields, if there are any, with the end of a sentence.
        mutating func add(_ names: [String], _ reason: String) {
            guard !names.isEmpty else { return }
            let verb = names.count == 1 ? "has" : "have"
            warnings.append(
                MediaWarning(
                    .withoutEffect, "\(names.joined(separator: ", ")) \(verb) no effect: \(reason)."
                ))
        }
    }

    private func addEncoding(
        of type: MediaType, _ traits: FormatTraits?, to found: inout Unused
    ) {
        let names = EncodingOptions.fields.members(of: output.encoding).map(\.0)
        guard let traits else {
            // PNM and Y4M are opaque.
            found.add(
                names.filter { type == .rawPixels || $0 != "background" },
                "\(type.title) has pixels as they are")
            return
        }
        for unused in output.encoding.unused(in: traits, of: type) {
            switch unused.option {
            case .quality, .effort, .background, .codec:
                found.add([unused.option.rawValue], unused.reason)
            case .fidelity: found.add(["lossless"], unused.reason)
            case .palette:
                let palette: Set = ["colors", "dither", "palettes"]
                found.add(names.filter(palette.contains), unused.reason)
            }
        }
        if edit.matte != nil, traits.alpha == .full {
            found.add(["matte"], "\(type.title) keeps soft edges")
        }
        if case .sheet = kind, output.encoding.background != nil, traits.alpha == .none {
            found.add(["output.background"], "a sheet has a background of its own")
        }
    }

    /// What chooses among several frames or changes their times, where there is one.
    private func addTimes(of frames: FrameSequence, to found: inout Unused) {
        if frames.isStill {
            let palettes = output.encoding.palettes == .auto ? [] : ["palettes"]
            found.add(changesOfTimes + palettes, "the source is one picture")
        } else if case .conversion(let conversion) = kind, conversion.isStill {
            // The first frame depends on the segments and the direction.
            found.add(
                changesOfTimes.filter { !["segments", "reverse"].contains($0) },
                "only the first frame is written")
        }
    }

    private var changesOfTimes: [String] {
        let fields = ClipEdit.fields.filter { Self.times.contains($0.name) }
        return fields.members(of: edit).map(\.0) + timesOfKind.filter(Self.times.contains)
    }

    private var timesOfKind: [String] {
        switch kind {
        case .animation(let animation): Animation.fields.members(of: animation).map(\.0)
        case .conversion(let conversion): Conversion.fields.members(of: conversion).map(\.0)
        case .frames(let frames): Frames.fields.members(of: frames).map(\.0)
        case .sheet(let sheet): Sheet.fields.members(of: sheet).map(\.0)
        case .facts, .poster, .loop: []
        }
    }

    private static let times: Set<String> = [
        "segments", "speed", "fps", "maxFrames", "reverse", "bounce", "crossfade", "length",
        "pieces", "loopSeam", "loop", "interval", "count", "columns", "rows", "gap", "precision",
        "fillPages", "every", "scenes", "keyframes",
    ]
}
