import Support
import Testing

@testable import LazyBase

@Suite struct SystemMemoryTests {
    static let unified = "30 23 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw\n"
    static let hybrid = """
        30 23 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw
        34 25 0:29 / /sys/fs/cgroup/memory rw,nosuid - cgroup cgroup rw,memory
        35 25 0:30 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct

        """

    struct Case: CustomTestStringConvertible {
        var name: String
        var files: [String: String]
        var limit: Int
        var testDescription: String { name }
    }

    @Test(arguments: [
        Case(name: "no control groups", files: [:], limit: 1000),
        Case(
            name: "a limit of the own group",
            files: [
                "/proc/self/cgroup": "0::/user/app\n", "/proc/self/mountinfo": unified,
                "/sys/fs/cgroup/user/app/memory.max": "400\n",
            ], limit: 400),
        Case(
            name: "a lower limit above",
            files: [
                "/proc/self/cgroup": "0::/user/app\n", "/proc/self/mountinfo": unified,
                "/sys/fs/cgroup/user/app/memory.max": "400\n",
                "/sys/fs/cgroup/user/memory.max": "300\n",
            ], limit: 300),
        Case(
            name: "no limit",
            files: [
                "/proc/self/cgroup": "0::/app\n", "/proc/self/mountinfo": unified,
                "/sys/fs/cgroup/app/memory.max": "max\n",
            ], limit: 1000),
        Case(
            name: "more than there is",
            files: [
                "/proc/self/cgroup": "0::/app\n", "/proc/self/mountinfo": unified,
                "/sys/fs/cgroup/app/memory.max": "4000\n",
            ], limit: 1000),
        Case(
            name: "a container that sees its own root",
            files: [
                "/proc/self/cgroup": "0::/\n", "/proc/self/mountinfo": unified,
                "/sys/fs/cgroup/memory.max": "500\n",
            ], limit: 500),
        Case(
            name: "a container that sees a part",
            files: [
                "/proc/self/cgroup": "0::/docker/abc/in\n",
                "/proc/self/mountinfo":
                    "30 23 0:26 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup2 rw\n",
                "/sys/fs/cgroup/memory.max": "500\n", "/sys/fs/cgroup/in/memory.max": "450\n",
            ], limit: 450),
        Case(
            name: "a group outside of what is mounted",
            files: [
                "/proc/self/cgroup": "0::/../other\n", "/proc/self/mountinfo": unified,
                "/sys/fs/cgroup/memory.max": "500\n",
            ], limit: 500),
        Case(
            name: "the first version",
            files: [
                "/proc/self/cgroup": "7:cpu,cpuacct:/c\n4:memory:/a/b\n0::/\n",
                "/proc/self/mountinfo": hybrid,
                "/sys/fs/cgroup/memory/a/b/memory.limit_in_bytes": "9223372036854771712\n",
                "/sys/fs/cgroup/memory/a/memory.limit_in_bytes": "600\n",
            ], limit: 600),
        Case(
            name: "nonsense",
            files: [
                "/proc/self/cgroup": "x\n0:\n\n0::/app\n",
                "/proc/self/mountinfo": "a b\n" + unified,
                "/sys/fs/cgroup/app/memory.max": "-5\n", "/sys/fs/cgroup/memory.max": "12 apples",
            ], limit: 12),
    ])
    func `the lowest limit applies`(_ example: Case) {
        #expect(SystemMemory.limit(physical: 1000) { example.files[$0] } == example.limit)
    }

    @Test func `this machine has memory`() {
        #expect(SystemMemory.limit > 1 << 20)
        #expect(SystemMemory.readFile("/proc/self/cgroup") != nil)
        #expect(SystemMemory.readFile("/proc/none") == nil)
    }

    @Test(
        arguments: [
            ([:], nil),
            (["/proc/vmstat": "nr_free_pages 9\noom_kill 3\n"], 3),
            (
                [
                    "/proc/self/cgroup": "0::/user/app\n", "/proc/self/mountinfo": unified,
                    "/sys/fs/cgroup/user/app/memory.events": "low 0\noom 2\noom_kill 7\n",
                    "/proc/vmstat": "oom_kill 30\n",
                ], 7
            ),
            (
                [
                    "/proc/self/cgroup": "9:memory:/app\n0::/app\n", "/proc/self/mountinfo": hybrid,
                    "/sys/fs/cgroup/memory/app/memory.oom_control":
                        "oom_kill_disable 0\nunder_oom 0\noom_kill 5\n",
                ], 5
            ),
        ] as [([String: String], Int?)])
    func `processes that were killed for lack of memory are counted`(
        _ files: [String: String], _ count: Int?
    ) {
        #expect(SystemMemory.killCount { files[$0] } == count)
    }
}
