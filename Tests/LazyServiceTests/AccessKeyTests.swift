import FoundationEssentials
import LazyBase
import LazyLoading
import Testing

@testable import LazyService

/// Where keys for S3 come from, and when they are looked for again.
@Suite struct AccessKeyTests {
    @Test func `the environment has a key where both of its parts are set`() {
        let all = [
            "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_SESSION_TOKEN": "c",
        ]
        #expect(AccessKey(environment: all) == AccessKey(id: "a", secret: "b", token: "c"))
        #expect(AccessKey(environment: ["AWS_ACCESS_KEY_ID": "a"]) == nil)
        #expect(
            AccessKey(environment: ["AWS_ACCESS_KEY_ID": "", "AWS_SECRET_ACCESS_KEY": "b"]) == nil)
    }

    @Test(arguments: [
        ("default", AccessKey(id: "A", secret: "b=/c")),
        ("other", AccessKey(id: "O", secret: "p", token: "t")), ("half", nil), ("none", nil),
    ])
    func `a file has a key for each profile`(profile: String, key: AccessKey?) {
        let text = """
            # of somebody
            [default]
            aws_access_key_id=A
            aws_secret_access_key = b=/c
            ; more
            [ other ]\r
            AWS_ACCESS_KEY_ID = O\r
            aws_secret_access_key = p
            aws_session_token = t
            region = here
            [half]
            aws_access_key_id = H
            """
        #expect(AccessKeyFile.key(in: text, profile: profile) == key)
    }

    @Test func `the metadata of a machine has a key with an end`() {
        let text = """
            {"Code": "Success", "Type": "AWS-HMAC", "AccessKeyId": "A", "SecretAccessKey": "s",
             "Token": "t", "Expiration": "2026-11-29T18:46:04Z"}
            """
        let end = WallTime(seconds: 1_795_977_964)
        #expect(
            InstanceMetadata.key(in: text)
                == AccessKey(id: "A", secret: "s", token: "t", expiry: end))
        #expect(InstanceMetadata.key(in: #"{"Code": "Failed"}"#) == nil)
        #expect(InstanceMetadata.key(in: "<html>") == nil)
    }

    /// A place whose keys a test names, and a clock that it moves.
    private final class Scripted: Sendable {
        let time = Locked(WallTime(seconds: 1000))
        let answer = Locked<Result<AccessKey?, LoadingError>>(.success(nil))
        let count = Locked(0)

        var keys: AccessKeys {
            AccessKeys([
                { [self] in
                    count.withLock { $0 += 1 }
                    return answer.withLock { $0 }
                }
            ]) { [self] in time.withLock { $0 } }
        }

        func set(_ id: String, until end: Int64?) {
            let key = AccessKey(
                id: id, secret: "s", expiry: end.map { WallTime(seconds: $0) })
            answer.withLock { $0 = .success(key) }
        }

        func move(to seconds: Int64) { time.withLock { $0 = WallTime(seconds: seconds) } }
    }

    @Test func `a key is replaced before it expires`() async throws {
        let place = Scripted()
        let keys = place.keys
        place.set("one", until: 1550)
        #expect(try await keys.current().id == "one")
        place.set("two", until: 5000)
        place.move(to: 1249)
        #expect(try await keys.current().id == "one")
        place.move(to: 1250)
        #expect(try await keys.current().id == "two")
        #expect(place.count.withLock { $0 } == 2)
    }

    @Test func `a key stays until its end where there is no other one`() async throws {
        let place = Scripted()
        let keys = place.keys
        place.set("one", until: 1400)
        #expect(try await keys.current().id == "one")
        place.answer.withLock { $0 = .failure(LoadingError(.connect, "Down.")) }
        place.move(to: 1399)
        #expect(try await keys.current().id == "one")
        place.move(to: 1420)
        await #expect(throws: LoadingError.self) { try await keys.current() }
    }

    @Test func `what has failed is not asked at once again`() async throws {
        let place = Scripted()
        let keys = place.keys
        for _ in 0..<3 {
            await #expect(throws: LoadingError.self) { try await keys.current() }
        }
        #expect(place.count.withLock { $0 } == 1)
        place.set("one", until: nil)
        place.move(to: 1020)
        #expect(try await keys.current().id == "one")
    }

    @Test func `many who need a key ask for it once`() async throws {
        let place = Scripted()
        let keys = place.keys
        place.set("one", until: nil)
        await withThrowingTaskGroup { group in
            for _ in 0..<20 { group.addTask { _ = try await keys.current() } }
        }
        #expect(place.count.withLock { $0 } == 1)
    }
}
