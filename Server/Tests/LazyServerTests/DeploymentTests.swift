import FoundationEssentials
import Testing

/// The files of `Server/deploy/` and the page on signing, each run or read by what they are written for.
@Suite(.serialized) struct DeploymentTests {
    /// What lines print; nil where a program that they need is missing.
    private func run(needing programs: String, _ lines: String) -> [String]? {
        let done = Shell.run(
            """
            PATH=$PATH:/usr/sbin
            for name in \(programs); do
                command -v $name >/dev/null || { echo missing: $name; exit; }
            done

            """ + lines)
        if done.text.hasPrefix("missing: ") {
            let name = done.text.dropLast()
            print("Not tested, \(name); run scripts/install-packages.sh --server-test.")
            return nil
        }
        return done.text.split(separator: "\n").map { String($0) }
    }

    // MARK: - Signing

    private static let page =
        (try? Data(contentsOf: URL(filePath: Shell.root + "Server/docs/signing.md")))
        .map { String(decoding: $0, as: UTF8.self) } ?? ""

    @Test(arguments: [
        ("python", "python3"), ("js", "node"), ("php", "php"), ("bash", "bash"),
    ])
    func `each language signs as the program does`(language: String, interpreter: String) throws {
        let start = try #require(Self.page.firstRange(of: "```\(language)\n")?.upperBound)
        let end = try #require(Self.page[start...].firstRange(of: "\n```")?.lowerBound)
        let lines = run(
            needing: interpreter,
            """
            cat >$dir/code <<'END'
            \(Self.page[start..<end])
            END
            \(interpreter) $dir/code
            $program sign --key 943b421c9eb0 --salt 520f986b9985 /w:320/plain/local:///clip.mp4@webp
            """)
        guard let lines else { return }
        #expect(lines.count == 2 && lines.first == lines.last, "\(lines)")
        #expect(Self.page.contains("`\(lines.first ?? "")`"))
    }

    @Test func `names with other characters are sources`() throws {
        let parts = Self.page.components(separatedBy: "```python\n").dropFirst(2)
        let codes = parts.compactMap { $0.components(separatedBy: "\n```").first }
        try #require(codes.count == 2)
        let lines = run(
            needing: "python3 curl",
            """
            mkdir -p "$dir/media/a & b"; cp $root/media/still.jpg "$dir/media/a & b/100%.jpg"
            "$program" --port 18600 --admin-port 18601 --key aa --salt bb --root $dir/media --drain-delay 0 2>/dev/null &
            wait_for curl -fs http://127.0.0.1:18601/readyz
            python3 - >$dir/paths <<'END'
            \(codes.joined(separator: "\n"))
            END
            while read -r path; do
                curl -so /dev/null -w '%{http_code} %{content_type}\\n' \
                    http://127.0.0.1:18600$($program sign --key aa --salt bb "$path")
            done <$dir/paths
            """)
        guard let lines else { return }
        #expect(lines == ["200 image/webp", "200 image/webp"], "\(lines)")
    }

    // MARK: - nginx

    /// nginx at 18610 with two servers behind it, and a source at 18609.
    private static func nginx(mergesSlashes: Bool, ages: String = "10s") -> String {
        """
        serve() {
            "$program" --port $1 --admin-port $(($1 + 1)) --key aa --salt bb --allow-private true --root $root/media \
                --drain-delay 1 2>$dir/log$1 &
            eval server$1=$!
            wait_for curl -fs http://127.0.0.1:$(($1 + 1))/readyz
        }
        serve 18612; serve 18614
        sed -e 's|listen 8000|listen 127.0.0.1:18610|' -e "s|/var/cache/nginx|$dir|" \
            -e 's|^ *server 127.0.0.1:8080\\(.*\\)|server 127.0.0.1:18612\\1 server 127.0.0.1:18614\\1|' \
            -e 's|200 10s|200 \(ages)|' \
            \(mergesSlashes ? "-e '/merge_slashes/d'" : "") $root/Server/deploy/nginx.conf >$dir/site.conf
        cat >$dir/nginx.conf <<END
        daemon off; pid $dir/nginx.pid; error_log $dir/nginx.log; worker_processes 1;
        $([ $(id -u) != 0 ] || echo 'user root;')
        events { worker_connections 256; }
        http { access_log off; client_body_temp_path $dir/b; proxy_temp_path $dir/p; fastcgi_temp_path $dir/f;
            uwsgi_temp_path $dir/u; scgi_temp_path $dir/s; include $dir/site.conf;
            server { listen 127.0.0.1:18609; root $root/media; location /brief/ {
                add_header Cache-Control max-age=9; alias $root/media/; } } }
        END
        nginx -e $dir/nginx.log -c $dir/nginx.conf &
        wait_for curl -fs http://127.0.0.1:18609/still.jpg -o $dir/x
        signed() { $program sign --key aa --salt bb "$1"; }
        get() { curl -so $dir/out --path-as-is -w '%{http_code} %header{x-cache}\\n' "$@"; }

        """
    }

    @Test(arguments: [false, true])
    func `nginx keeps results, and passes paths on as they were signed`(mergesSlashes: Bool) {
        let lines = run(
            needing: "nginx curl",
            Self.nginx(mergesSlashes: mergesSlashes) + #"""
                for source in local:///still.jpg http://127.0.0.1:18609/still.jpg http%3A%2F%2F127.0.0.1:18609/still.jpg; do
                    path=$(signed /w:16/plain/$source@png)
                    get http://127.0.0.1:18610$path; get http://127.0.0.1:18610$path
                done
                path=$(signed /w:16/aHR0cDovLzEyNy4wLjAuMToxODYwOS9zdGlsbC5qcGc.png)
                get http://127.0.0.1:18610$path
                get http://127.0.0.1:18610/wrong/w:16/plain/local:///still.jpg
                # Classes of clients, and what is good for nine seconds.
                path=$(signed /w:17/plain/local:///still.jpg)
                get -H 'Accept: image/webp,*/*' http://127.0.0.1:18610$path
                get -H 'Accept: image/webp;q=0.9,text/html' http://127.0.0.1:18610$path
                get -H 'Accept: image/png' http://127.0.0.1:18610$path
                path=$(signed /w:16/plain/http://127.0.0.1:18609/brief/still.jpg@png)
                get http://127.0.0.1:18610$path; get http://127.0.0.1:18610$path
                """#)
        guard let lines else { return }
        #expect(
            lines == [
                "200 MISS", "200 HIT", "200 MISS", "200 HIT", "200 MISS", "200 HIT", "200 MISS",
                "403 ", "200 MISS", "200 HIT", "200 MISS", "200 MISS", "200 MISS",
            ], "\(lines)")
    }

    @Test func `a source has one server, and what nginx has is asked for by its tag`() {
        let lines = run(
            needing: "nginx curl",
            Self.nginx(mergesSlashes: true, ages: "1s") + #"""
                made() { metric 18612 'lazyimg_requests_total{status="200"}'; metric 18614 'lazyimg_requests_total{status="200"}'; }
                for width in 21 22 23 24 25; do get http://127.0.0.1:18610$(signed /w:$width/plain/local:///still.jpg@png); done
                # All at one of them.
                made | grep -c '^5$'
                path=$(signed /w:21/plain/local:///still.jpg@png)
                for try in $(seq 50); do
                    get http://127.0.0.1:18610$path >$dir/state
                    grep -q 'STALE\|REVALIDATED' $dir/state && break; sleep 0.2
                done
                for try in $(seq 50); do
                    [ "$(metric 18612 'lazyimg_requests_total{status="304"}')$(metric 18614 'lazyimg_requests_total{status="304"}')" ] && break
                    sleep 0.1
                done
                [ "$(metric 18612 'lazyimg_requests_total{status="304"}')$(metric 18614 'lazyimg_requests_total{status="304"}')" ] && echo asked
                made | grep -c '^5$'
                """#)
        guard let lines else { return }
        #expect(
            lines == [
                "200 MISS", "200 MISS", "200 MISS", "200 MISS", "200 MISS", "1", "asked", "1",
            ], "\(lines)")
    }

    @Test func `a restart under load fails no request`() {
        let lines = run(
            needing: "nginx curl",
            Self.nginx(mergesSlashes: false) + #"""
                ask() {
                    for width in $(seq $1 2 $((200 + $1))); do
                        curl -so /dev/null -w '%{http_code}\n' http://127.0.0.1:18610$(cat $dir/signed$width)
                    done
                }
                for width in $(seq 1 202); do echo "/w:$((width % 7 + 1))/cb:$width/plain/local:///still.jpg@png"; done \
                    | xargs $program sign --key aa --salt bb | split -l 1 -d -a 3 - $dir/all
                width=0
                for file in $dir/all*; do width=$((width + 1)); mv $file $dir/signed$width; done
                ask 1 >$dir/one & first=$!
                ask 2 >$dir/two & second=$!
                for port in 18612 18614; do stop $port; serve $port; done
                wait $first $second
                sort $dir/one $dir/two | uniq -c | awk '{ print $1, $2 }'
                """#)
        guard let lines else { return }
        #expect(lines == ["202 200"], "\(lines)")
    }

    // MARK: - Private networks

    @Test func `no way leads into private networks`() {
        let lines = run(
            needing: "python3 ip",
            """
            python3 $scripts/addresses.py $program 2>&1; echo $?
            """)
        guard let lines, lines.last != "77" else {
            return print("Not tested: there are no namespaces here.")
        }
        #expect(lines.count == 2 && lines.last == "0", "\(lines)")
    }

    // MARK: - systemd

    @Test func `the unit exposes little`() {
        let lines = run(
            needing: "systemd-analyze",
            """
            sed "s|/usr/bin/lazyimg-server|$program|" $root/Server/deploy/lazyimg-server.service >$dir/lazyimg-server.service
            systemd-analyze verify $dir/lazyimg-server.service && echo right
            systemd-analyze security --offline=true --threshold=20 --no-pager $dir/lazyimg-server.service >$dir/report && echo safe
            """)
        guard let lines else { return }
        #expect(lines == ["right", "safe"], "\(lines)")
    }

    @Test func `decoders start under the unit's system calls`() {
        let lines = run(
            needing: "systemd-analyze cpp python3 curl",
            #"""
            filter="$scripts/filtered.py $root/Server/deploy/lazyimg-server.service"
            python3 $filter /usr/sbin/chroot / true 2>/dev/null || echo filtered
            python3 $filter $program --port 18620 --admin-port 18621 --unsafe --root $root/media --cache $dir/cache \
                --drain-delay 0 >$dir/log 2>&1 &
            server=$!
            wait_for curl -fs http://127.0.0.1:18621/readyz
            for source in clip.mp4 animation.avif still.jpg counter.gif; do
                curl -so $dir/out -w '%{http_code} %{content_type}\n' \
                    http://127.0.0.1:18620/unsafe/w:32/plain/local:///$source@webp
            done
            curl -so $dir/out -w '%{http_code} %{content_type}\n' \
                http://127.0.0.1:18620/unsafe/w:64/lz_animate:1/plain/local:///clip.mp4@mp4
            # Decoders are in namespaces of their own where this machine has them.
            for process in $(pgrep -g 0 lazyimg-decoder 2>/dev/null || pgrep lazyimg-decoder); do
                grep -qs '^Seccomp:.2' /proc/$process/status && echo locked && break
            done
            kill $server; wait $server; echo ended $?
            """#)
        guard let lines else { return }
        #expect(
            lines.filter { $0 != "locked" } == [
                "filtered", "200 image/webp", "200 image/webp", "200 image/webp", "200 image/webp",
                "200 video/mp4", "ended 0",
            ], "\(lines)")
    }

    // MARK: - Containers

    @Test func `Kubernetes takes the Deployment`() {
        let lines = run(
            needing: "python3",
            """
            export PYTHONPATH=$root/.build/python
            python3 -c 'import kubernetes_validate' 2>/dev/null || { echo missing; exit; }
            python3 -m kubernetes_validate --strict $root/Server/deploy/kubernetes.yaml 2>&1 | grep -c passed
            # Its arguments are flags of the program, its variables settings.
            $program config --cache /cache --use-s3 true | grep -E '^--(cache|use-s3) '
            sed -n 's/.*name: LAZYIMG_\\([A-Z_]*\\),.*/\\1/p' $root/Server/deploy/kubernetes.yaml | tr A-Z_ a-z- >$dir/names
            $program --help | grep -cxFf <(sed 's/^/  --/' $dir/names); wc -l <$dir/names
            """)
        guard let lines, lines != ["missing"] else { return }
        #expect(
            lines == ["3", "--cache /cache", "--use-s3 true", "3", "3"], "\(lines)")
    }
}
