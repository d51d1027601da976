import LazyMedia
import Support
import Testing

@testable import LazyEditing

/// Frames with planes are cropped at even pixels, all others at any.
@Suite struct CropAlignmentTests {
    @Test(
        arguments: [
            (.pixel, 7.5, 20, 7), (.pixel, -3, 20, 0), (.pixel, 99, 20, 20),
            (.chroma, 7.5, 20, 8), (.chroma, 6.9, 20, 6), (.chroma, -3, 20, 0),
            (.chroma, 99, 21, 20),
        ] as [(CropAlignment, Double, Int, Int)])
    func `a crop begins as near as it can`(
        alignment: CropAlignment, offset: Double, last: Int, start: Int
    ) {
        #expect(alignment.start(offset, max: last) == start)
    }

    /// The crop begins at 43 pixels.
    private func fitted(_ gravity: Gravity = .center) async throws -> FrameSequence {
        try await Clips.open("small.mp4").edited(
            ClipEdit(size: TargetSize(width: 74, height: 96, fit: .cover), gravity: gravity))
    }

    @Test func `an encoder with chroma gets planes, from the nearest even pixel`() async throws {
        let source = try Clips.open("small.mp4")
        #expect(source.info.size == PixelSize(width: 160, height: 96))
        let sequence = try await fitted()
        func frame(planes: Bool) throws -> Frame {
            let reader = try sequence.makeReader(ReaderOptions(planes: planes))
            return try #require(try reader.nextFrame())
        }
        let whole = try await source.frame(0).bitmap
        let exact = try frame(planes: false)
        #expect(exact.planes == nil)
        #expect(
            try exact.bitmap
                == whole.cropped(to: PixelRect(x: 43, y: 0, width: 74, height: 96)))
        let even = try frame(planes: true)
        #expect(even.planes?.size == exact.bitmap.size)
        #expect(
            try even.bitmap == whole.cropped(to: PixelRect(x: 42, y: 0, width: 74, height: 96)))
    }

    @Test func `smart gravities look at the frames that are kept`() async throws {
        // What draws the eye is on the left at first, and on the right in the second second.
        let media = PaintedMedia(seconds: 2, size: PixelSize(width: 160, height: 60)) {
            frame, x, y in
            Paint.block(x, y, at: frame < 20 ? 5 : 125, 15)
        }
        for overlays in [[], [Overlay.picture(PictureOverlay(try Bitmap.dot()))]] {
            var edit = ClipEdit(
                segments: [.seconds(1) ..< .seconds(2)],
                size: TargetSize(width: 60, height: 60, fit: .cover), gravity: .attention)
            edit.overlays = overlays
            let frames = try await Clips.frames(FrameSequence(media).edited(edit))
            #expect(
                frames.allSatisfy { frame in (0..<60).contains { frame.bitmap[$0, 26].x == 250 } })
        }
    }
}

extension Bitmap {
    fileprivate static func dot() throws -> Bitmap {
        try Bitmap(size: PixelSize(width: 1, height: 1), isOpaque: true) { rows in
            for channel in rows.indices { rows[channel] = 255 }
        }
    }
}
