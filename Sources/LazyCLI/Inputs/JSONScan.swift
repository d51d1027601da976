/// Looks through a JSON text without making values of it.
enum JSONScan {
    /// The most objects that any list in the root object has.
    ///
    /// Of a text that is not valid the number says nothing.
    static func maxElements(in text: [UInt8]) -> Int {
        var (depth, count, most) = (0, 0, 0)
        var (isInString, isEscaped) = (false, false)
        for byte in text {
            if isInString {
                isInString = isEscaped || byte != UInt8(ascii: "\"")
                isEscaped = !isEscaped && byte == UInt8(ascii: "\\")
                continue
            }
            switch byte {
            case UInt8(ascii: "\""): isInString = true
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                if depth == 1 { count = 0 }
                if depth == 2, byte == UInt8(ascii: "{") { count += 1 }
                most = max(most, count)
                depth += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"): depth -= 1
            default: break
            }
        }
        return most
    }
}
