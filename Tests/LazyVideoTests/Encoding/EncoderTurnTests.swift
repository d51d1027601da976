import LazyMedia
import Support
import Testing

@testable import LazyVideo

@Suite struct EncoderTurnTests {
    @Test func `of SVT-AV1 alone one encoder is open at a time`() {
        let wish = EncoderChoice.Wish(
            size: PixelSize(width: 320, height: 180), quality: 75, effort: 4, threads: 2)
        for codec in [VideoCodecChoice.h264, .vp9, .av1] {
            for choice in EncoderChoice.candidates(codec, wish) {
                #expect((choice.turns === TakingTurns.svtAV1) == (choice.name == "libsvtav1"))
                #expect(choice.name == "libsvtav1" || choice.turns == nil)
            }
        }
        #expect(EncoderChoice.candidates(.av1, wish).contains { $0.turns != nil })
    }
}
