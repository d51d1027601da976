import LazyBase
import LazyLoading
import LazyMedia
import Support
import Testing

@testable import LazyPipeline

/// What listeners hear: in order, and nothing behind the end.
@Suite(.timeLimit(.minutes(1))) struct DeliveryTests {
    @Test func `items are delivered one at a time, in order`() {
        var delivery = Delivery<Int>()
        delivery.add(1)
        #expect(delivery.next() == 1)
        delivery.add(2)
        #expect(delivery.next() == nil, "another thread is still handing one over")
        delivery.close(with: 3, dropping: false)
        delivery.add(4)
        delivery.didDeliver()
        #expect(delivery.next() == 2)
        delivery.didDeliver()
        #expect(delivery.next() == 3)
        delivery.didDeliver()
        #expect(delivery.next() == nil)
    }

    @Test func `a cancellation drops pending items`() {
        var delivery = Delivery<Int>()
        delivery.add(1)
        delivery.add(2)
        delivery.close(with: 3, dropping: true)
        #expect(delivery.next() == 3)
        delivery.close(with: 4, dropping: true)
        delivery.didDeliver()
        #expect(delivery.next() == nil)
    }

    @Test func `a task cancelled by its progress handler reports no more progress`() async {
        let (told, end) = (Counter(), Gate())
        let own = Locked<ImageTask?>(nil)
        let known = Gate()
        let loader = Given.loader(pieces: 5) { index in if index == -1 { await known.pass() } }
        let pipeline = Given.pipeline(loader)
        let task = pipeline.loadImage(
            with: ImageRequest(url: Given.url()),
            progress: { _, _, _ in
                told.add()
                own.withLock { $0 }?.cancel()
            },
            completion: { result in
                if case .failure(.cancelled) = result { end.open() }
            })
        own.withLock { $0 = task }
        known.open()
        await end.pass()
        #expect(told.value == 1)
    }

    @Test func `a data task cancelled by its progress handler reports no more progress`() async {
        let known = Gate()
        let loader = Given.loader(pieces: 5) { index in if index == -1 { await known.pass() } }
        let pipeline = Given.pipeline(loader)
        let (told, end) = (Counter(), Gate())
        let own = Locked<DataTask?>(nil)
        let task = pipeline.loadData(
            with: ImageRequest(url: Given.url()),
            progress: { _, _ in
                told.add()
                own.withLock { $0 }?.cancel()
            },
            completion: { _ in end.open() })
        own.withLock { $0 = task }
        known.open()
        await end.pass()
        #expect(told.value == 1)
    }

    @Test func `two readers of one stream both reach its end`() async {
        let buffer = EventBuffer([])
        await withTaskGroup(of: Int.self) { group in
            for _ in 0..<2 {
                group.addTask {
                    var count = 0
                    while await buffer.next() != nil { count += 1 }
                    return count
                }
            }
            group.addTask {
                await Task.yield()
                buffer.push(.finished(.failure(.cancelled)))
                return 0
            }
            #expect(await group.reduce(0, +) == 1)
        }
    }

    @Test func `only the newest unread preview is kept`() async throws {
        let still = ImageContainer(still: try Picture.plain(2, 2, SIMD4(1, 2, 3, 255)))
        let buffer = EventBuffer([])
        for number in 1...50 {
            var request = ImageRequest(url: Given.url())
            request.scale = Double(number)
            buffer.push(.preview(ImageResponse(container: still, request: request)))
            buffer.push(.progress(.init(completed: Int64(number))))
        }
        buffer.push(.finished(.failure(.cancelled)))
        var words: [String] = []
        while let event = await buffer.next() {
            switch event {
            case .preview(let preview): words.append("preview \(preview.request.scale)")
            case .progress(let progress): words.append("progress \(progress.completed)")
            case .finished: words.append("end")
            }
        }
        #expect(words == ["preview 50.0", "progress 50", "end"])
    }
}
