internal import LazyBase
package import LazyMedia

extension Rendition.Source {
    /// Its facts, exact where it can be counted; only a list of an animation's frames decodes them.
    ///
    /// Throws `.limitExceeded` where more frames than the limits allow are to be listed.
    package func facts(
        _ wanted: Rendition.Facts
    ) async throws(MediaError) -> (info: MediaInfo, frames: FrameIndex?) {
        let isHeaderEnough = wanted.isQuick && frames.info.type.family == .video
        if !isCountable || isHeaderEnough, !wanted.listsFrames { return (frames.info, nil) }
        // What is said of the file is the same with its frames and without.
        var info = try await frames.detailedInfo()
        if info.frameCount == 0, info.streams.contains(where: { $0.kind == .video && $0.isChosen })
        {
            throw MediaError(.truncated, "The file holds no frame of its video.")
        }
        guard wanted.listsFrames else { return (info, nil) }
        // A list of frames is made of all of them, where the limit allows so many.
        try frames.limits.check(frames: info.frameCount ?? 0)
        var index = try await frames.frameIndex()
        try frames.limits.check(frames: index.count)
        let decodable = try await frames.decodable(of: index)
        index = decodable.index
        // Where only decoding tells the frames, those of damaged media may be fewer.
        if info.frameCount != index.count { info.count(index) }
        info.warnings = frames.info.warnings
        info.warnings += decodable.warnings.filter { !info.warnings.contains($0) }
        return (info, index)
    }
}

extension Rendition {
    /// Writes the facts.
    func makeFacts(
        _ wanted: Facts, of source: Source, to sinks: any Sinks
    ) async throws(MediaError) -> Report {
        let (info, index) = try await source.facts(wanted)
        let members = info.members(
            input: source.label, byteCount: source.byteCount, frames: index)
        let text = Array((JSONValue.object(members).text + "\n").utf8)
        let sink = try sinks.open(.main, as: .json)
        try sink.write(text)
        try sink.finish()
        var report = Report(
            self, .init(type: .json, byteCount: text.count), size: info.size,
            frameCount: info.frameCount, details: .facts(info), warnings: info.warnings)
        (report.duration, report.loop) = (info.duration, info.loop)
        return report
    }
}
