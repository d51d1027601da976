import LazyMedia
import Support
import Testing

@Suite struct DeferredBitmapTests {
    private let size = PixelSize(width: 40, height: 30)

    private func picture() throws -> Bitmap {
        try Bitmap(size: size, isOpaque: true) { rows in
            for place in rows.indices { rows[place] = UInt8(truncatingIfNeeded: place &* 7) }
        }
    }

    @Test func `pixels without access are never written`() throws {
        let watch = LookWatch()
        do {
            let late = try watch.late(picture())
            #expect(late.size == size && late.isOpaque && late.stride == 160)
            #expect(late.byteCount == 4800)
            let timing = FrameTiming(
                index: 0, presentation: .zero, duration: .zero, isKeyframe: true)
            let frame = Frame(bitmap: late, timing: timing)
            _ = late.whenFreed {}
            _ = Frame(bitmap: frame.bitmap, timing: frame.timing, play: 3)
        }
        #expect(watch.count == 0)
    }

    @Test func `all copies share the pixels of the first access`() throws {
        let watch = LookWatch()
        let late = try watch.late(picture())
        let (copy, kept) = (late, late.whenFreed {})
        #expect(try copy == picture())
        #expect(try late == picture())
        #expect(try kept == picture())
        #expect(copy[3, 4] == late[3, 4])
        #expect(watch.count == 1)
    }

    @Test func `a bitmap is filled from the first access on`() throws {
        let watch = LookWatch()
        let late = try watch.late(picture())
        let copy = late
        #expect(!late.isFilled && !copy.isFilled)
        _ = late[0, 0]
        #expect(late.isFilled && copy.isFilled)
        #expect(try picture().isFilled)
    }

    @Test func `concurrent accesses write once`() async throws {
        for _ in 0..<20 {
            let watch = LookWatch()
            let (late, original) = (try watch.late(picture()), try picture())
            let pool = BlockingPool(width: 8)
            let isEqual = await withTaskGroup(of: Bool.self) { group in
                for _ in 0..<8 {
                    group.addTask(executorPreference: pool) { late == original }
                }
                return await group.allSatisfy { $0 }
            }
            #expect(isEqual)
            #expect(watch.count == 1)
        }
    }

    @Test func `the source is released after the first access`() throws {
        let freed = Locked(0)
        let late = try Bitmap.deferred(
            size: size, isOpaque: true,
            writingRows: { [source = try picture().whenFreed { freed.withLock { $0 += 1 } }] in
                source.withBytes($0.copyMemory)
            })
        #expect(freed.withLock { $0 } == 0)
        #expect(try late == picture())
        #expect(freed.withLock { $0 } == 1)
    }

    @Test func `the source is released without an access, too`() throws {
        let freed = Locked(0)
        do {
            let source = try picture().whenFreed { freed.withLock { $0 += 1 } }
            _ = try Bitmap.deferred(
                size: size, isOpaque: true,
                writingRows: { rows in source.withBytes { rows.copyMemory(from: $0) } })
        }
        #expect(freed.withLock { $0 } == 1)
    }

    @Test func `a deferred bitmap can depend on another one`() throws {
        let watch = LookWatch()
        let second = try watch.late(watch.late(picture()))
        #expect(watch.count == 0)
        #expect(try second == picture())
        #expect(watch.count == 2)
    }

    @Test func `untouched memory returns to its pool`() throws {
        let pool = BitmapPool(byteLimit: 1 << 20)
        let size = PixelSize(width: 300, height: 300)
        func address(looking: Bool) throws -> UInt? {
            let late = try Bitmap.deferred(
                size: size, isOpaque: true, pool: pool,
                writingRows: { rows in
                    _ = rows.initializeMemory(as: UInt8.self, repeating: 9)
                })
            return looking ? late.withBytes { UInt(bitPattern: $0.baseAddress) } : nil
        }
        let first = try address(looking: true)
        _ = try address(looking: false)
        #expect(try address(looking: true) == first)
    }

    @Test func `deferred and direct conversion of planes are equal`() throws {
        let planes = try PlanarPicture(size: PixelSize(width: 33, height: 17), matrix: .bt709) {
            for place in $0.indices { $0[place] = UInt8(truncatingIfNeeded: place &* 37 &+ 11) }
        }
        let late = try planes.bitmap()
        let direct = try Bitmap(size: planes.size, isOpaque: true) { planes.write(into: $0) }
        #expect(late == direct)
        #expect(late.isOpaque)
    }
}
