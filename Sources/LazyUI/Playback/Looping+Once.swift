public import LazyMedia

extension Looping {
    /// One play.
    public static var once: Looping { .times(1) }
}
