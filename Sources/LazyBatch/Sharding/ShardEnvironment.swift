import Glibc

/// The shard of this machine, from the scheduler that started the process.
///
/// Knows Slurm, AWS Batch, Google Cloud Run jobs, Google Batch and Kubernetes indexed jobs. The last
/// do not provide the number of shards; the caller or `LAZYIMG_SHARDS` does.
public enum ShardEnvironment {
    /// Finds the shard; throws if there is no scheduler, or if its values are invalid.
    public static func shard(
        _ environment: [String: String], count: Int?
    ) throws(ShardError) -> Shard {
        if let shard = try slurm(environment) { return shard }
        for (index, total, name) in pairs {
            guard let text = environment[index] else { continue }
            let given = total.flatMap { environment[$0] }
            return try shard(text, index, total: given, name, count ?? counted(environment))
        }
        throw ShardError(
            "No array index is set for --shard auto.",
            hint:
                "It is read from Slurm, AWS Batch, Kubernetes indexed jobs, Cloud Run and Google Batch; elsewhere name it: --shard 1/8."
        )
    }

    private static let pairs: [(index: String, total: String?, name: String)] = [
        ("AWS_BATCH_JOB_ARRAY_INDEX", "AWS_BATCH_JOB_ARRAY_SIZE", "AWS Batch"),
        ("CLOUD_RUN_TASK_INDEX", "CLOUD_RUN_TASK_COUNT", "Cloud Run"),
        ("BATCH_TASK_INDEX", "BATCH_TASK_COUNT", "Google Batch"),
        ("JOB_COMPLETION_INDEX", nil, "Kubernetes"),
    ]

    private static func counted(_ environment: [String: String]) -> Int? {
        environment["LAZYIMG_SHARDS"].flatMap { Int($0) }
    }

    private static func shard(
        _ text: String, _ variable: String, total: String?, _ name: String, _ count: Int?
    ) throws(ShardError) -> Shard {
        guard let index = Int(text), index >= 0 else {
            throw ShardError("\(variable) is '\(text)', which is not an index.")
        }
        guard let count = total.flatMap({ Int($0) }) ?? count else {
            throw ShardError(
                "\(name) does not tell how many shards there are.",
                hint: "Name their number with --shards or LAZYIMG_SHARDS.")
        }
        return try checked(index, count, "\(variable)=\(index)")
    }

    // `--array=10-50:10` has the indexes 10, 20, 30, 40 and 50.
    private static func slurm(
        _ environment: [String: String]
    ) throws(ShardError) -> Shard? {
        guard let text = environment["SLURM_ARRAY_TASK_ID"] else { return nil }
        let number: (String) -> Int? = { name in
            environment["SLURM_ARRAY_TASK_" + name].flatMap { Int($0) }
        }
        guard let id = Int(text) else {
            throw ShardError("SLURM_ARRAY_TASK_ID is '\(text)', which is not an index.")
        }
        let (first, step) = (number("MIN") ?? 0, number("STEP") ?? 1)
        guard let count = number("COUNT") ?? number("MAX").map({ ($0 - first) / max(1, step) + 1 })
        else {
            throw ShardError(
                "Slurm does not tell how many shards there are.", hint: "Name them: --shard 1/8.")
        }
        let index = id - first
        let isEven =
            step >= 1 && index % step == 0
            && number("MAX").map { ($0 - first) / step + 1 == count } ?? true
        guard isEven else {
            throw ShardError(
                "The array of Slurm has gaps, which do not tell the number of a shard.",
                hint: "Use --array=FIRST-LAST, or name the shard: --shard 1/8.")
        }
        return try checked(index / step, count, "SLURM_ARRAY_TASK_ID=\(id)")
    }

    private static func checked(
        _ index: Int, _ count: Int, _ told: String
    ) throws(ShardError) -> Shard {
        guard let shard = Shard(index + 1, of: count) else {
            throw ShardError("There is no shard for \(told) among \(count).")
        }
        return shard
    }
}

/// Why an environment gives no shard.
public struct ShardError: Error, Equatable, Sendable, CustomStringConvertible {
    /// One sentence.
    public let message: String
    /// What can be done about it, or nil.
    public let hint: String?

    init(_ message: String, hint: String? = nil) {
        self.message = message
        self.hint = hint
    }

    /// The message.
    public var description: String { message }
}

extension ShardEnvironment {
    /// The environment of this process.
    public static var current: [String: String] {
        var result: [String: String] = [:]
        var next = environ
        while let entry = next.pointee {
            let parts = String(cString: entry).split(
                separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            if parts.count == 2 { result[String(parts[0])] = String(parts[1]) }
            next += 1
        }
        return result
    }
}
