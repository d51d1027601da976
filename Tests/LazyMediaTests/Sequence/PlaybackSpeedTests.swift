import LazyMedia
import Testing

@Suite struct PlaybackSpeedTests {
    @Test(arguments: [
        (1.0, 1, 1.25), (1.0, -1, 0.75), (8.0, 1, 8.0), (0.1, -1, 0.1), (4.0, 0, 1.0),
        (-1.0, 1, -1.25), (-2.0, 0, 1.0), (0.9, 1, 1.0), (1.1, -1, 1.0),
    ])
    func `keys choose the next speed`(speed: Double, direction: Int, next: Double) {
        #expect(PlaybackSpeed.next(after: speed, direction) == next)
    }
}
