public import LazyMedia

extension Words {
    /// `0.5` or `100ms,100ms,2`: how long pictures are shown, at most a day each.
    public static let delays = Grammar<MediaTime>(
        time.expected, shape: time.shape, samples: time.samples,
        read: { text in
            guard let time = readTime(text), time > .zero, time <= .seconds(86_400) else {
                return nil
            }
            return MediaTime(time)
        }, print: { time.text($0.duration) }
    ).list(
        "times are above 0 and separated by commas; \(time.expected)",
        samples: ["0.5", "100ms,100ms,2"])
}
