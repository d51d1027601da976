extension FrameSequence {
    /// The poster of media of one picture as a file, encoded while it is decoded, so that memory is that of some rows.
    ///
    /// The bytes are those of the encoded poster. Nil where rows are not to be had: of other media and choices, of pictures
    /// that are turned, interlaced or damaged. The poster's bitmap is decoded on first access.
    package func encodedPoster(
        _ choice: PosterChoice, as type: MediaType, _ encoding: EncodingOptions,
        texts: [(key: String, value: String)], by encoders: EncoderRegistry
    ) async throws(MediaError) -> (poster: Poster, file: SpooledBytes)? {
        guard let media = media as? any RowReading, info.frameCount == 1, choice.isAnyFrame else {
            return nil
        }
        return try await cancellable { (flag) throws(MediaError) in
            guard let reader = try media.makeRowReader(options(size: nil, cancellation: flag))
            else { return nil }
            let rows = StillRows(
                size: info.size, isOpaque: !info.hasAlpha, color: reader.color, texts: texts)
            // What cannot be written is said once the input is known to be sound.
            guard
                let writer = try? StillEncoder(for: type, encoding, by: encoders).rowEncoding?
                    .makeRowWriter(of: rows, flag)
            else { return nil }
            var statistics = choice == .auto ? LumaStatistics(width: rows.size.width) : nil
            let taker = RowTaker { (rows) throws(MediaError) in
                statistics?.add(rows)
                try writer.add(rows)
            }
            do throws(MediaError) {
                guard try reader.readRows(taker) else { return nil }
                let file = try writer.finish()
                let score = statistics.map { PosterCandidate(timing: .still, score: .init($0)) }
                let poster = try self.poster(of: rows, warnings: reader.warnings)
                return (Poster(poster, among: score.map { [$0] } ?? []), file)
            } catch {
                // What is damaged, or has no room in a temporary folder, may do as a whole.
                if [.cancelled, .limitExceeded].contains(error.code) { throw error }
                return nil
            }
        }
    }

    /// A poster whose picture was not kept.
    private func poster(
        of rows: StillRows, warnings: [MediaWarning]
    ) throws(MediaError) -> Poster {
        let bitmap = try Bitmap.deferred(size: rows.size, isOpaque: rows.isOpaque) { memory in
            memory.initializeMemory(as: UInt8.self, repeating: 0)
            let again = try? singleFrame(nil, at: nil, CancellationFlag())
            again?.bitmap.withBytes { memory.copyMemory(from: $0) }
        }
        let frame = Frame(bitmap: bitmap, timing: .still, color: rows.color)
        return Poster(frame, warnings: warnings)
    }
}

extension PosterChoice {
    /// Whether it is the frame where there is only one.
    fileprivate var isAnyFrame: Bool {
        switch self {
        case .first, .at, .auto: true
        case .percent, .index, .chapter, .embedded, .within: false
        }
    }
}
