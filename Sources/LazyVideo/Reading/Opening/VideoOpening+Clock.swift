internal import CFFmpeg
internal import LazyMedia

extension VideoOpening {
    /// Finds the zero of the film, and its length where the header may be wrong about it.
    func applyClock(
        _ demuxer: Demuxer, _ stream: UnsafeMutablePointer<AVStream>,
        _ description: inout VideoStream, _ info: inout MediaInfo
    ) throws(MediaError) -> PacketIndexer? {
        guard type.family == .video else { return nil }
        let start = try known { () throws(MediaError) in try FilmStart(demuxer, stream) }
        description.zero = start?.zero
        description.lead = start?.lead ?? 0
        if let start, let first = start.first {
            let delay = MediaTime(
                ticks: first.since(start.zero), base: description.timeBase)
            info.start = delay.duration
            // The container's own length has the delay in it.
            if stream.pointee.duration > 0 {
                info.duration = info.duration?.adding(delay.duration)
            }
        }
        if stream.pointee.duration <= 0, let zero = start?.zero {
            takeClock(of: MediaTime(ticks: zero, base: description.timeBase).duration, from: &info)
        }
        // The last packet of a transport stream may be a part of one.
        let isWhole = !info.isTruncated || demuxer.formatName == "mpegts"
        if description.ends == nil, info.frameCount == nil, isWhole, track == nil {
            description.ends = try known { [description] () throws(MediaError) in
                try RecordingEnds(demuxer, description)
            }
        }
        if let ends = description.ends {
            info.estimatedFrameCount = ends.estimatedCount
            let origin = PacketIndex.origin(description.zero, first: ends.first)
            let base = description.timeBase
            info.start = MediaTime(ticks: ends.first.since(origin), base: base).duration
            info.duration = MediaTime(ticks: ends.end.since(origin), base: base).duration
            return nil
        }
        let survey = try known { [description] () throws(MediaError) in
            try ClockSurvey(demuxer, description)
        }
        guard let survey else { return nil }
        if survey.hasJumped {
            info.warnings.append(.clockJump)
            // FFmpeg's was made of the wrong length.
            demuxer.format?.pointee.bit_rate = 0
        }
        if let span = survey.indexer.span {
            let origin = PacketIndex.origin(description.zero, first: span.start)
            info.duration =
                MediaTime(ticks: span.end.since(origin), base: description.timeBase).duration
        }
        return survey.indexer
    }

    /// Takes the start from a length that is the time of the end, as FFmpeg writes it in Matroska and FLV.
    ///
    /// Other programs write the length itself, which is less than a clock that was not set to zero.
    private func takeClock(of start: Duration, from info: inout MediaInfo) {
        guard start >= .seconds(1), let end = info.duration, end > start else { return }
        info.duration = end - start
    }

    /// The length by the tables of a movie whose header says less; nil where that is not so.
    ///
    /// FFmpeg's length of a track is the sum of the times of decoding. Where the last pictures are shown for long they
    /// were decoded long before: a screen recording without its repeated pictures loses seconds, and its last frames
    /// begin behind its end. Where an edit leaves pictures out, it has a part of their time.
    func length(
        _ track: UnsafeMutablePointer<AVStream>, _ stream: VideoStream, by open: () -> OpenedVideo
    ) throws(MediaError) -> Duration? {
        guard stream.hasReliableTables, stream.isListed, !bytes.isRemote,
            let movie = bytes as? MovieBytes
        else { return nil }
        let isCut = open().header.frameCount.map { $0 < Int(lz_index_count(track)) } ?? false
        guard stream.isReordering || isCut else { return nil }
        return try known { () throws(MediaError) -> Duration? in
            let flag = CancellationFlag()
            let table = try movie.samples(ofTrack: Int(track.pointee.id), flag)
            // Tables without the order of a stream whose pictures are reordered have no times of pictures.
            guard let table, !stream.isReordering || table.isReordering else { return nil }
            if isCut { return try open().containerIndex(flag).duration }
            guard table.isReordering, table.isUneven else { return nil }
            let facts = table.facts()
            guard facts.lastPTS.since(facts.firstPTS) >= track.pointee.duration else { return nil }
            return try open().containerIndex(flag).duration
        }
    }

    /// What the packets tell; nil where they cannot be read now, because they are damaged, too many, or have not arrived.
    private func known<Value>(
        _ read: () throws(MediaError) -> Value?
    ) throws(MediaError) -> Value? {
        do throws(MediaError) {
            return try read()
        } catch {
            if error.code == .cancelled { throw error }
            return nil
        }
    }
}
