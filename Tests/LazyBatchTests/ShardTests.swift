import Support
import Testing

@testable import LazyBase
@testable import LazyBatch

@Suite struct ShardTests {
    private static let names = (0..<3000).map { "clips/\($0 % 7)/clip-\($0).mp4" }

    @Test(arguments: Array(1...24) + [50, 97, 1000])
    func `every input is in exactly one shard, and the shards are about equal`(count: Int) throws {
        var sizes: [Int] = []
        var all: [String] = []
        for number in 1...count {
            let shard = try #require(Shard(number, of: count))
            let own = Self.names.filter { shard.contains($0) }
            sizes.append(own.count)
            all += own
        }
        #expect(all.count == Self.names.count)
        #expect(Set(all) == Set(Self.names))
        // Five times the deviation that chance gives.
        let mean = Double(Self.names.count) / Double(count)
        #expect(sizes.allSatisfy { abs(Double($0) - mean) <= 5 * mean.squareRoot() + 1 })
    }

    @Test func `the shard is computed from SHA-256`() {
        // printf clips/a.mp4 | sha256sum
        let expected = Peer.output(of: "printf clips/a.mp4 | sha256sum").prefix(64)
        let digest = Digest.sha256(Array("clips/a.mp4".utf8))
        #expect(digest.hex == String(decoding: expected, as: UTF8.self))
        let first = UInt64(digest.hex.prefix(16), radix: 16) ?? 0
        #expect(Shard.part(of: first, 8) == Int(first >> 61))
    }

    @Test(arguments: [
        ("./a//b/../c", "a/c"), ("/a/./b/", "/a/b"), ("../a", "../a"), ("/../a", "/a"),
        ("a/..", ""),
        ("../../a/../b", "../../b"),
    ]) func `a path has one spelling`(path: String, canonical: String) {
        #expect(FilePath.normalized(path) == canonical)
    }

    @Test(
        arguments: [
            (
                ["AWS_BATCH_JOB_ARRAY_INDEX": "2", "AWS_BATCH_JOB_ARRAY_SIZE": "10"], nil,
                Shard(3, of: 10)
            ),
            (["JOB_COMPLETION_INDEX": "0"], 4, Shard(1, of: 4)),
            (["JOB_COMPLETION_INDEX": "3", "LAZYIMG_SHARDS": "4"], nil, Shard(4, of: 4)),
            (["JOB_COMPLETION_INDEX": "4", "LAZYIMG_SHARDS": "4"], nil, nil),
            (["JOB_COMPLETION_INDEX": "1"], nil, nil),
            (["CLOUD_RUN_TASK_INDEX": "1", "CLOUD_RUN_TASK_COUNT": "2"], nil, Shard(2, of: 2)),
            (["BATCH_TASK_INDEX": "1", "BATCH_TASK_COUNT": "2"], nil, Shard(2, of: 2)),
            (slurm(0, 0, 9, 1, 10), nil, Shard(1, of: 10)),
            (slurm(50, 10, 50, 10, 5), nil, Shard(5, of: 5)),
            (slurm(5, 1, 7, 1, 3), nil, nil), (slurm(7, 1, 9, 4, 3), nil, nil),
            (["SLURM_ARRAY_TASK_ID": "x"], nil, nil), ([:], 4, nil),
            (["AWS_BATCH_JOB_ARRAY_INDEX": "-1", "AWS_BATCH_JOB_ARRAY_SIZE": "10"], nil, nil),
        ] as [([String: String], Int?, Shard?)])
    func `the array index of a scheduler is a shard`(
        environment: [String: String], count: Int?, shard: Shard?
    ) {
        #expect((try? ShardEnvironment.shard(environment, count: count)) == shard)
    }

    private static func slurm(
        _ id: Int, _ least: Int, _ most: Int, _ step: Int, _ count: Int
    ) -> [String: String] {
        [
            "SLURM_ARRAY_TASK_ID": "\(id)", "SLURM_ARRAY_TASK_MIN": "\(least)",
            "SLURM_ARRAY_TASK_MAX": "\(most)", "SLURM_ARRAY_TASK_STEP": "\(step)",
            "SLURM_ARRAY_TASK_COUNT": "\(count)",
        ]
    }
}
