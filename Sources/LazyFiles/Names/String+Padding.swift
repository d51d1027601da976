extension String {
    /// Zeros before the text until it is so long; a minus sign stays in front.
    package func padded(to width: Int) -> String {
        guard count < width else { return self }
        let zeros = String(repeating: "0", count: width - count)
        return hasPrefix("-") ? "-" + zeros + dropFirst() : zeros + self
    }
}
