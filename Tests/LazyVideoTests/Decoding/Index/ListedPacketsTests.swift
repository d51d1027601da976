import LazyMedia
import Support
import Testing

@testable import LazyVideo

@Suite struct ListedPacketsTests {
    private func demuxer(_ name: String) throws -> (Demuxer, MovieBytes) {
        let video = try #require(try opened(name) as? OpenedVideo)
        let movie = try #require(video.bytes as? MovieBytes)
        let demuxer = try Demuxer(
            movie, format: "mov", limits: .web, cancellation: CancellationFlag())
        demuxer.choose(video.stream.index)
        return (demuxer, movie)
    }

    @Test(arguments: [
        "clip.mp4", "moov-last.mp4", "sound.mp4", "small.mp4", "hevc.mp4", "av1.mp4", "vfr.mp4",
        "h264.mov", "rotated-90.mp4", "edit-list.mp4", "mirrored.mp4", "prores.mov",
    ])
    func `the tables of a movie list the packets that are read`(name: String) throws {
        let (demuxer, movie) = try demuxer(name)
        var listed: [PacketFacts] = []
        guard try demuxer.listPackets(of: movie, { listed.append($1) }) else {
            // Edits may leave samples out: then packets are read.
            #expect(name == "edit-list.mp4")
            return
        }
        let packet = try Packet()
        var number = 0
        while try demuxer.read(into: packet) {
            var facts = PacketFacts(packet)
            if number > 0 { facts.duration = 0 }
            #expect(facts == listed[number])
            number += 1
        }
        #expect(number == listed.count)
    }

    @Test func `fragments are not listed by the header`() throws {
        let (demuxer, movie) = try demuxer("fragmented.mp4")
        #expect(try !demuxer.listPackets(of: movie) { _, _ in Issue.record("listed") })
    }

    @Test func `composition offsets are runs of equal ones`() throws {
        let box: [UInt8] = [0, 0, 0, 0, 0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 5, 0, 0, 0, 1]
        let offsets = try #require(CompositionOffsets(box + [255, 255, 255, 254]))
        #expect(offsets.expanded(to: 3) == [5, 5, -2])
        #expect(offsets.expanded(to: 2) == nil && offsets.expanded(to: 4) == nil)
        #expect(CompositionOffsets(box) == nil && CompositionOffsets([]) == nil)
        #expect(CompositionOffsets().expanded(to: 2) == [0, 0])
    }
}
