import LazyMedia
import Support
import Testing

@testable import LazyVideo

@Suite struct EncoderMutexTests {
    @Test func `only SVT-AV1 is limited to one open encoder at a time`() {
        let request = EncoderChoice.Request(
            size: PixelSize(width: 320, height: 180), quality: 75, effort: 4, threads: 2)
        for codec in [VideoCodecChoice.h264, .vp9, .av1] {
            for choice in EncoderChoice.candidates(codec, request) {
                #expect(
                    (choice.mutex === AsyncMutex.shared(named: "SVT-AV1"))
                        == (choice.name == "libsvtav1"))
                #expect(choice.name == "libsvtav1" || choice.mutex == nil)
            }
        }
        #expect(EncoderChoice.candidates(.av1, request).contains { $0.mutex != nil })
    }
}
