internal import LazyBase
internal import LazyMedia

extension Duration {
    /// A length for people: seconds with three decimals, such as `12.500 s`.
    package var inSeconds: String {
        let milli = ticks(perSecond: 1000, .nearest)
        return "\(milli / 1000).\(String(milli % 1000).padded(to: 3)) s"
    }
}
