import Glibc
internal import LazyMedia

/// The commands of kitty's graphics protocol.
///
/// https://sw.kovidgoyal.net/kitty/graphics-protocol/
struct KittyImage {
    /// The most base64 of one command.
    private static let chunk = 4096
    /// The most plays, and the longest time of a frame in milliseconds (27 hours).
    static let most = 99_999_998

    /// What the pixels of a command are for.
    enum Purpose {
        /// A picture that is shown in so many cells.
        case picture(columns: Int, lines: Int, isInline: Bool)
        /// A part of the picture that is on screen.
        case part(x: Int, y: Int, replaces: Bool)
        /// The next frame of an animation: laid over the one before, shown for a time.
        case frame(x: Int, y: Int, replaces: Bool, over: Int, milliseconds: Int)

        var isPicture: Bool { if case .picture = self { true } else { false } }
        var isInline: Bool { if case .picture(_, _, true) = self { true } else { false } }
    }
    /// The form of the pixels.
    enum Content {
        /// A PNG file.
        case png(UnsafeRawBufferPointer)
        /// RGBA pixels that the terminal reads from a file or from shared memory by this name.
        case handed(String, PixelSize, TerminalGraphics.Transfer)
    }

    /// The number of the image: a process has four, which others are not likely to use.
    let number: Int

    init(slot: Int) { number = 1_000_000 + Int(getpid()) % 1_000_000 * 4 + slot }

    /// Appends a command with pixels.
    func append(_ content: Content, for purpose: Purpose, to output: EscapeBuffer) {
        switch content {
        case .handed(let name, let size, let medium):
            begin(purpose, output)
            output.append(medium == .memory ? ",f=32,t=s,s=" : ",f=32,t=t,s=")
            output.append(number: size.width)
            output.append(",v=")
            output.append(number: size.height)
            output.append(";")
            output.append(name)
            output.end()
        case .png(let bytes): append(png: bytes, purpose, output)
        }
    }

    private func append(
        png bytes: UnsafeRawBufferPointer, _ purpose: Purpose, _ output: EscapeBuffer
    ) {
        let step = Self.chunk / 4 * 3
        var start = 0
        // Several sequences through tmux do not begin at one cursor, so the last one places the picture.
        let isPlacedLast = purpose.isPicture && output.isWrapped
        repeat {
            let end = min(start + step, bytes.count)
            if start == 0 {
                if isPlacedLast { beginHidden(purpose, output) } else { begin(purpose, output) }
                output.append(",f=100,t=d")
            } else if purpose.isPicture {
                output.begin("_Gq=2")
            } else {
                // Without it kitty takes the rest for a picture of its own.
                output.begin("_Ga=f,q=2")
            }
            output.append(end < bytes.count ? ",m=1;" : ",m=0;")
            output.append(base64: UnsafeRawBufferPointer(rebasing: bytes[start..<end]))
            output.end()
            output.flushIfFull()
            start = end
        } while start < bytes.count
        if isPlacedLast {
            begin(purpose, output, action: "_Ga=p,q=2,C=1")
            output.end()
        }
    }

    // A picture that is not yet shown.
    private func beginHidden(_ purpose: Purpose, _ output: EscapeBuffer) {
        output.begin("_Ga=t,q=2")
        append(purpose.isInline ? ",I=" : ",i=", number, output)
    }

    private func begin(
        _ purpose: Purpose, _ output: EscapeBuffer, action: StaticString = "_Ga=T,q=2,C=1"
    ) {
        // No answers (q=2): they would be read as keys. The cursor stays (C=1).
        switch purpose {
        case .picture(let columns, let lines, let isInline):
            output.beginAtCursor(action)
            append(",c=", columns, output)
            append(",r=", lines, output)
            // A picture in the text is never replaced: the terminal numbers it (I), if it needs a number.
            if isInline {
                if output.isWrapped { append(",I=", number, output) }
                return
            }
            output.append(",p=1")
        case .part(let x, let y, let replaces):
            output.begin("_Ga=f,q=2,r=1")
            append(",x=", x, output)
            append(",y=", y, output)
            if replaces { output.append(",X=1") }
        case .frame(let x, let y, let replaces, let base, let milliseconds):
            output.begin("_Ga=f,q=2")
            append(",x=", x, output)
            append(",y=", y, output)
            append(",c=", base, output)
            append(",z=", milliseconds, output)
            if replaces { output.append(",X=1") }
        }
        append(",i=", number, output)
    }

    private func append(_ key: StaticString, _ value: Int, _ output: EscapeBuffer) {
        output.append(key)
        output.append(number: value)
    }

    /// Appends the removal of the image and its pixels.
    func appendRemoval(to output: EscapeBuffer) {
        output.begin("_Ga=d,d=I,q=2")
        append(",i=", number, output)
        output.end()
    }

    /// Appends how long the first frame of an animation is shown.
    func appendFirstTime(_ milliseconds: Int, to output: EscapeBuffer) {
        output.begin("_Ga=a,q=2,r=1")
        append(",z=", milliseconds, output)
        append(",i=", number, output)
        output.end()
    }

    /// Appends the start of an animation; without a number of plays it loops forever.
    func appendStart(plays: Int?, to output: EscapeBuffer) {
        output.begin("_Ga=a,q=2,s=3")
        // 1 is forever, and n + 1 is n plays.
        append(",v=", plays.map { min(max(1, $0), Self.most) + 1 } ?? 1, output)
        append(",i=", number, output)
        output.end()
    }
}
