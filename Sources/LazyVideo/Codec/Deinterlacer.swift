internal import CFFmpeg
internal import CKernels
internal import LazyMedia

/// Turns pictures of two fields, recorded one after the other, into progressive pictures.
///
/// The lines of the first field stay; those of the second are interpolated from the picture and its
/// neighbors, as by FFmpeg's filter bwdif. It works on the coded planes, before any scaling.
final class Deinterlacer {
    private var spare: PictureMemory?

    /// The deinterlaced picture, or the same one where it is progressive or its samples are not in planes.
    ///
    /// Without the picture before it, the lines are interpolated from those of the picture alone, but for those at
    /// the top and the bottom, where the next one tells whether anything moves.
    func picture(
        _ current: Picture, previous: Picture?, next: Picture?
    ) throws(MediaError) -> Picture {
        guard current.isInterlaced, let size = current.size,
            let form = CodedForm(current.pointer.pointee.format, allowsAnyChroma: true)
        else { return current }
        // Pictures of a film between pictures of video have no second field to repeat.
        if [previous, next].contains(where: { $0?.repeatsField == true }) { return current }
        let neighbors = [previous, next].map { $0.flatMap { $0.isLike(current) ? $0 : nil } }
        let before = neighbors[0]
        // After the last picture nothing moves.
        let after = neighbors[1] ?? (before == nil ? nil : current)
        let (places, byteCount) = form.layout(size)
        let memory = try room(byteCount)
        for plane in 0..<form.planeCount {
            let (width, height) = form.extent(plane, size)
            guard let here = current.rows(plane) else {
                throw MediaError(.malformed, "A picture lacks a plane.")
            }
            let (past, future) = (before?.rows(plane), after?.rows(plane))
            var task = cdeinterlace_plane(
                previous: past?.start, current: here.start, next: future?.start,
                previous_stride: past?.stride ?? 0, current_stride: here.stride,
                next_stride: future?.stride ?? 0, width: CInt(width), height: CInt(height),
                bits: CInt(form.bitDepth), keeps_top: lz_frame_has_top_first(current.pointer))
            cdeinterlace(
                &task, memory.start + Int(places[plane * 2]), Int(places[plane * 2 + 1]))
        }
        return try Picture(like: current, memory, places)
    }

    /// Memory that no picture refers to anymore, or new memory.
    private func room(_ byteCount: Int) throws(MediaError) -> PictureMemory {
        if spare?.byteCount == byteCount, isKnownUniquelyReferenced(&spare), let spare {
            return spare
        }
        let memory = try PictureMemory(byteCount)
        spare = memory
        return memory
    }
}

/// The planes of a picture that no decoder owns.
final class PictureMemory {
    /// The first byte.
    let start: UnsafeMutableRawPointer
    /// The number of bytes.
    let byteCount: Int

    /// Allocates memory with the padding that swscale needs.
    init(_ byteCount: Int) throws(MediaError) {
        guard let start = lz_malloc(byteCount + 64) else {
            throw MediaError(.environment, "There is no memory for a picture.")
        }
        self.start = start
        self.byteCount = byteCount
        LiveHandles.didOpen()
    }

    deinit {
        lz_free(start)
        LiveHandles.didClose()
    }
}

extension Picture {
    /// Whether a film's picture shows a field longer than the other, as in telecine by flags.
    fileprivate var repeatsField: Bool { !isInterlaced && pointer.pointee.repeat_pict != 0 }

    /// Whether another picture has the same size and format.
    fileprivate func isLike(_ other: Picture) -> Bool {
        size == other.size && pointer.pointee.format == other.pointer.pointee.format
    }

    /// The first row of a plane, and the bytes from row to row.
    fileprivate func rows(_ plane: Int) -> (start: UnsafeRawPointer, stride: Int)? {
        lz_plane(pointer, CInt(plane)).map {
            (UnsafeRawPointer($0), Int(lz_plane_stride(pointer, CInt(plane))))
        }
    }

    /// Makes a progressive picture with the tags of another and planes in memory of our own.
    fileprivate convenience init(
        like other: Picture, _ memory: PictureMemory, _ places: [Int64]
    ) throws(MediaError) {
        try self.init()
        lz_frame_take(
            pointer, other.pointer, memory.start.assumingMemoryBound(to: UInt8.self), places,
            CInt(places.count / 2))
        self.memory = memory
        (ticks, isKey) = (other.ticks, other.isKey)
    }
}
