import LazyMedia
import Testing

@testable import LazyEditing

@Suite struct `Clip edits` {
    @Test func `an edit of nothing but the size keeps all frames`() {
        #expect(ClipEdit(size: TargetSize(width: 32)).keepsAllFrames)
        #expect(!ClipEdit(speed: 2).keepsAllFrames)
        #expect(!ClipEdit(maxFrames: 9).keepsAllFrames)
    }
}
