extension String {
    /// The text padded with zeros to a length, after a minus sign.
    package func padded(to width: Int) -> String {
        guard count < width else { return self }
        let zeros = String(repeating: "0", count: width - count)
        return hasPrefix("-") ? "-" + zeros + dropFirst() : zeros + self
    }
}
