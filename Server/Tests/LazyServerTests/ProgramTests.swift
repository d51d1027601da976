import FoundationEssentials
import Glibc
import Testing

/// The program itself, by its flags, over HTTP, until SIGTERM.
///
/// It is the debug build beside the tests, or what `LAZYIMG_SERVER` names.
@Suite(.serialized) struct ProgramTests {
    private static let root = String(
        #filePath.dropLast("Server/Tests/LazyServerTests/ProgramTests.swift".count))
    private static let program =
        ProcessInfo.processInfo.environment["LAZYIMG_SERVER"]
        ?? root + ".build/debug/lazyimg-server"

    @Test func `it serves, tells how it is, and ends when it is told to`() async {
        let done = await shell(
            """
            '\(Self.program)' --root '\(Self.root)media' --port 18431 --admin-port 18432 --unsafe \
                --drain-delay 0 2>/dev/null &
            server=$!
            for try in $(seq 100); do
                curl -fso /dev/null http://127.0.0.1:18432/readyz && break
                sleep 0.1
            done
            curl -so /dev/null -w '%{http_code} %{content_type} ' \
                http://127.0.0.1:18431/unsafe/rs:fit:160:160/plain/local:///clip.mp4@webp
            curl -so /dev/null -w '%{http_code} ' --path-as-is \
                http://127.0.0.1:18431/unsafe/plain/local:///../Package.swift
            curl -so /dev/null -w '%{http_code} ' \
                http://127.0.0.1:18431/unsafe/plain/http://127.0.0.1:18432/livez
            curl -s http://127.0.0.1:18432/metrics | grep -c lazyimg_
            kill -TERM $server
            wait $server
            echo "ended $?"
            """)
        let words = done.text.split { $0 == " " || $0 == "\n" }.map { String($0) }
        #expect(words.prefix(4) == ["200", "image/webp", "404", "404"], "\(done.text)")
        #expect(words.suffix(2) == ["ended", "0"], "\(done.text)")
    }

    @Test func `SIGHUP reads the keys again`() async {
        let done = await shell(
            """
            dir=$(mktemp -d)
            write() { printf '{"key": "%s", "salt": "%s"}' $1 $1 > $dir/config.json; }
            status() {
                path=$('\(Self.program)' sign --key $1 --salt $1 /w:32/plain/local:///still.jpg@png)
                curl -so /dev/null -w '%{http_code}' http://127.0.0.1:18434$path
            }
            write aa11
            '\(Self.program)' --config $dir/config.json --root '\(Self.root)media' --port 18434 \
                --admin-port 18435 --drain-delay 0 2>$dir/log &
            server=$!
            for try in $(seq 100); do
                curl -fso /dev/null http://127.0.0.1:18435/readyz && break
                sleep 0.1
            done
            echo "$(status aa11) $(status bb22)"
            write bb22
            kill -HUP $server
            for try in $(seq 100); do [ $(status bb22) = 200 ] && break; sleep 0.1; done
            echo "$(status aa11) $(status bb22)"
            echo '{"key": "bb22"}' > $dir/config.json
            kill -HUP $server
            for try in $(seq 100); do grep -q 'stay as they were' $dir/log && break; sleep 0.1; done
            echo "$(status bb22)"
            kill -TERM $server
            wait $server
            echo "ended $?"
            rm -r $dir
            """)
        let words = done.text.split { $0 == " " || $0 == "\n" }.map { String($0) }
        #expect(
            words == ["200", "403", "403", "200", "200", "ended", "0"], "\(done.text)")
    }

    @Test func `without keys it does not start`() async {
        let done = await shell("'\(Self.program)' --port 18433 2>&1")
        #expect(done.status == 64 && done.text.contains("--unsafe"))
    }

    @Test func `an unknown flag is named`() async {
        let done = await shell("'\(Self.program)' --unsafe --prot 1 2>&1")
        #expect(done.status == 64 && done.text.contains("--prot"))
    }

    @Test(arguments: [
        "conifg --unsafe", "--unsafe --port 18434 --port 18435", "--unsafe --push-only maybe",
    ])
    func `what would not count is refused`(words: String) async {
        let done = await shell("timeout 20 '\(Self.program)' \(words) 2>&1")
        #expect(done.status == 64, "\(done.text)")
    }

    /// Words for true, and for false where that is not usual.
    @Test(arguments: ["1", "yes", "TRUE"])
    func `a switch may be a number or a word`(word: String) async {
        let done = await shell(
            """
            '\(Self.program)' --unsafe --push-only \(word) --avif 0 --port 18436 --admin-port 18437 2>/dev/null &
            for try in $(seq 100); do curl -sf http://127.0.0.1:18437/livez >/dev/null && break; sleep 0.1; done
            curl -s http://127.0.0.1:18436/unsafe/plain/http://127.0.0.1:1/x.png
            kill $!
            """)
        #expect(done.text.contains("Sources are not loaded by http"), "\(done.text)")
    }

    /// A path that proxies have changed, behind the prefix of a service.
    @Test func `a path that is repaired has a signature that counts`() async {
        let done = await shell(
            """
            keys='--key aa --salt bb --path-prefix /img'
            '\(Self.program)' $keys --root '\(Self.root)media' --port 18438 --admin-port 18439 --drain-delay 0 2>/dev/null &
            server=$!
            for try in $(seq 100); do curl -sf http://127.0.0.1:18439/livez >/dev/null && break; sleep 0.1; done
            for path in /w:8/plain/local:///still.jpg@png /w%3A8/plain/local:/still.jpg@png '/w:9/plain/local:///still.jpg?x=y'; do
                curl -so /dev/null -w '%{http_code} ' --path-as-is \
                    "http://127.0.0.1:18438$('\(Self.program)' sign $keys "$path")"
            done
            kill $server
            """)
        #expect(done.text == "200 200 200 ", "\(done.text)")
    }

    @Test func `paths are signed`() async {
        let done = await shell(
            "'\(Self.program)' sign --key 746573742d6b6579 --salt 746573742d73616c74 /asd")
        #expect(done.text == "/oWaL7QoW5TsgbuiS9-5-DI8S3Ibbo1gdB2SteJh3a20/asd\n")
    }

    @Test func `the settings that count are printed, and secrets are not`() async {
        let done = await shell(
            "LAZYIMG_QUEUE=7 LAZYIMG_KEY=abcd '\(Self.program)' config --port 99")
        #expect(done.text.contains("--port 99\n") && done.text.contains("--queue 7\n"))
        #expect(done.text.contains("--key (set)") && !done.text.contains("abcd"))
    }

    @Test func `addresses are printed without passwords`() async {
        let done = await shell(
            """
            '\(Self.program)' config --watermark 'https://me:word@example.com/a.png?token=abcd' \
                --s3-endpoint http://me:word@127.0.0.1:9000 --base-url 'https://example.com/a?token=abcd' \
                --url-replacements '^a://=https://me:word@h/;^b=c?d'
            '\(Self.program)' --unsafe --watermark 'http://me:word@127.0.0.1:1/a.png?token=abcd' 2>&1
            """)
        #expect(!done.text.contains("word@") && !done.text.contains("abcd"), "\(done.text)")
        #expect(done.text.contains("--watermark https://***@example.com/a.png?***\n"))
        #expect(done.text.contains("--s3-endpoint http://***@127.0.0.1:9000\n"))
        #expect(done.text.contains("--url-replacements ^a://=https://***@h/;^b=c?d\n"))
    }
}
