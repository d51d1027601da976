public import Dispatch

/// Where a publisher calls its subscriber: values, completions and the operators between.
///
/// The default of all publishers here is `mainActor`. Closures that are written in a function of
/// an actor belong to that actor, and Swift ends the process when they are called elsewhere: what
/// is subscribed from another actor is delivered there by `actor(_:)`.
///
/// ```swift
/// pipeline.imagePublisher(with: url, on: .immediate).map(\.image.size)
/// ```
public struct PublisherDelivery: Sendable {
    /// Calls a closure once, now or later.
    public typealias Schedule = @Sendable (_ body: @escaping @Sendable () -> Void) -> Void

    let schedule: Schedule

    /// Makes a delivery that a closure schedules, such as on the loop of a toolkit.
    public init(_ schedule: @escaping Schedule) { self.schedule = schedule }

    /// On the main actor; the default.
    ///
    /// Needs a main thread that is not blocked: a program without one that waits for its publishers
    /// in a semaphore takes `immediate` or a queue.
    public static let mainActor = PublisherDelivery { body in
        // Ends with the one call that it makes.
        Task { @MainActor in body() }
    }

    /// At once, on whichever thread has the news; one call at a time.
    ///
    /// For closures that belong to no actor, such as those that are `@Sendable`.
    public static let immediate = PublisherDelivery { body in body() }

    /// On an actor.
    public static func actor(_ actor: any Actor) -> PublisherDelivery {
        PublisherDelivery { body in
            // Ends with the one call that it makes.
            Task { await actor.call(body) }
        }
    }

    /// On an executor of tasks, such as a pool of threads.
    public static func executor(_ executor: any TaskExecutor) -> PublisherDelivery {
        PublisherDelivery { body in
            // Ends with the one call that it makes.
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
