public import LazyMedia

extension Looping {
    /// A single time.
    public static var once: Looping { .times(1) }
}
