internal import CLazyGTK

/// Swift's main actor on GLib's default main context.
///
/// GTK owns the main thread, so nobody drains the queue of the main actor. Call `attach()` once, on
/// the main thread, before the first task of the main actor is created.
public enum MainActorLoop {
    /// Runs jobs of the main actor on the loop.
    ///
    /// The loop watches the event descriptor of libdispatch's main queue: nothing polls, and nothing
    /// wakes while there is nothing to do.
    public static func attach() { lazy_main_actor_attach() }
}
