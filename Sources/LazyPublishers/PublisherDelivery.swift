#if OpenCombine
public import Dispatch

/// The context in which a publisher calls its subscriber and the operators between.
///
/// The default of all publishers is `mainActor`. Closures written in a function of
/// an actor are isolated to it, and Swift traps if they are called elsewhere: deliver to
/// subscribers in another actor with `actor(_:)`.
///
/// ```swift
/// pipeline.imagePublisher(with: url, on: .immediate).map(\.image.size)
/// ```
public struct PublisherDelivery: Sendable {
    /// Calls a closure exactly once, now or later.
    public typealias Schedule = @Sendable (_ body: @escaping @Sendable () -> Void) -> Void

    let schedule: Schedule

    /// Creates a delivery from a closure that schedules it, for example on a toolkit's event loop.
    public init(_ schedule: @escaping Schedule) { self.schedule = schedule }

    /// On the main actor; the default.
    ///
    /// Requires that the main thread is not blocked: a program that waits for its publishers
    /// with a semaphore uses `immediate` or a queue.
    public static let mainActor = PublisherDelivery { body in
        // Ends after this one call.
        Task { @MainActor in body() }
    }

    /// At once, on the thread that has the value; one call at a time.
    ///
    /// For closures that are isolated to no actor, such as `@Sendable` ones.
    public static let immediate = PublisherDelivery { body in body() }

    /// On an actor.
    public static func actor(_ actor: any Actor) -> PublisherDelivery {
        PublisherDelivery { body in
            // Ends after this one call.
            Task { await actor.call(body) }
        }
    }

    /// On a task executor, such as a thread pool.
    public static func executor(_ executor: any TaskExecutor) -> PublisherDelivery {
        PublisherDelivery { body in
            // Ends after this one call.
            Task(executorPreference: executor) { body() }
        }
    }

    /// On a dispatch queue.
    public static func queue(_ queue: DispatchQueue) -> PublisherDelivery {
        PublisherDelivery { body in queue.async(execute: body) }
    }
}

extension Actor {
    fileprivate func call(_ body: @Sendable () -> Void) { body() }
}
#endif
