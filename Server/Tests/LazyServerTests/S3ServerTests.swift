import Testing

/// Servers with sources and results in buckets, which moto keeps; it checks the signature of each request.
///
/// Without moto (scripts/install-python.sh) nothing is tested.
@Suite(.serialized) struct S3ServerTests {
    /// Runs lines with a server of S3 at 18500, whose metadata are at 18501; `keys` has the variables of a key.
    private func run(_ lines: String) -> [String]? {
        let done = Shell.run(
            """
            ffmpeg -v error -f lavfi -i testsrc2=size=640x360:rate=25:duration=20 -c:v mpeg4 -q:v 2 $dir/long.mp4
            mkfifo $dir/life
            python3 $scripts/moto.py 18500 18501 $dir/s3.log $root/media/clip.mp4 $dir/long.mp4 \
                "$root/media/still.jpg=a b/ä%.jpg" <$dir/life >$dir/key &
            exec 9>$dir/life
            for try in $(seq 600); do
                [ -s $dir/key ] && break
                kill -0 $! 2>/dev/null || { echo moto is missing; exit; }
                sleep 0.1
            done
            read id secret <$dir/key
            keys="AWS_ACCESS_KEY_ID=$id AWS_SECRET_ACCESS_KEY=$secret"
            export AWS_EC2_METADATA_DISABLED=true LAZYIMG_S3_ENDPOINT=http://127.0.0.1:18500 LAZYIMG_USE_S3=true
            get() { curl -so $dir/out -w "%{http_code} ${2-}" http://127.0.0.1:$1; echo; }

            """ + lines)
        if done.text.contains("moto is missing") {
            print("moto is not installed: run scripts/install-python.sh.")
            return nil
        }
        return done.text.split(separator: "\n").map { String($0) }
    }

    @Test func `sources are objects, of which a film is read by ranges`() {
        let lines = run(
            #"""
            export $keys
            serve 18510 --root $root/media
            get 18510/unsafe/w:96/plain/s3://media/clip.mp4@png; cp $dir/out $dir/s3.png
            get 18510/unsafe/w:96/plain/local:///clip.mp4@png; cmp $dir/out $dir/s3.png && echo equal
            get 18510/unsafe/w:8/plain/s3://media/a%20b/%C3%A4%25.jpg@png
            : >$dir/s3.log
            get 18510/unsafe/w:96/plain/s3://media/long.mp4@webp
            grep -c 'long.mp4 200' $dir/s3.log
            read=$(awk '/long.mp4 206/ { split($4, r, /[=-]/); sum += r[3] - r[2] + 1 } END { print sum }' $dir/s3.log)
            size=$(stat -c %s $dir/long.mp4)
            echo $((read < size / 4 || read < 1000000)) of
            echo "$read of $size" >&2
            get 18510/unsafe/plain/s3://media/missing.png; grep -c 18500 $dir/out
            get 18510/unsafe/plain/s3://nowhere/missing.png
            get 18510/unsafe/plain/s3://media/../results/x.png
            get 18510/unsafe/plain/http://169.254.169.254/latest/meta-data/
            get 18510/unsafe/plain/http://127.0.0.1:18500/media/clip.mp4
            """#)
        guard let lines else { return }
        let rest = lines.filter { !$0.contains(" of ") }
        #expect(
            rest == [
                "200 ", "200 ", "equal", "200 ", "200 ", "0", "1 of", "404 ", "0", "404 ", "404 ",
                "404 ", "404 ",
            ], "\(lines)")
    }

    @Test func `two servers share results, which are made once and removed together`() {
        let lines = run(
            #"""
            export $keys LAZYIMG_CACHE_BUCKET=results LAZYIMG_CACHE_PATH_PREFIX=v1
            serve 18520; serve 18522
            path=/unsafe/w:96/plain/s3://media/clip.mp4@webp
            get 18520$path '%header{etag}' >$dir/one; cp $dir/out $dir/one.webp
            get 18522$path '%header{etag}' >$dir/two
            cmp $dir/one $dir/two && cmp $dir/out $dir/one.webp && grep -c '^200 "' $dir/one
            metric 18520 'lazyimg_results_total{origin="made"}'
            metric 18522 'lazyimg_results_total{origin="made"}'
            curl -sI http://127.0.0.1:18522$path | grep -ci '^content-length'
            grep -c '^PUT /results/v1/[0-9a-f]*/[0-9a-f]* 200' $dir/s3.log
            # Both make the same at once: one's bytes stay.
            for i in 1 2 3 4 5 6; do
                get 1852$((i % 2 * 2))/unsafe/w:7$i/plain/s3://media/long.mp4@webp '%header{etag}' >$dir/e$i &
                waits[$i]=$!
                get 1852$(((i + 1) % 2 * 2))/unsafe/w:7$i/plain/s3://media/long.mp4@webp '%header{etag}' >$dir/f$i &
                wait $! ${waits[$i]}
                cmp $dir/e$i $dir/f$i
            done
            grep -c '^200 "' $dir/e1
            curl -s -X DELETE http://127.0.0.1:18521/s3://media/clip.mp4 >/dev/null
            wait_for grep -q '^DELETE /results/v1' $dir/s3.log
            for try in $(seq 50); do
                [ $(grep -c '^DELETE /results/v1/.* 204' $dir/s3.log) = 2 ] && break; sleep 0.1
            done
            grep -c '^DELETE /results/v1/.* 204' $dir/s3.log
            metric 18520 lazyimg_result_store_failures_total
            """#)
        guard let lines else { return }
        #expect(lines == ["1", "2", "0", "1", "2", "1", "2", "0"], "\(lines)")
    }

    @Test func `a store that is down costs a warning and a metric`() {
        let lines = run(
            #"""
            export $keys
            serve 18530 --root $root/media --cache-bucket results --s3-endpoint http://127.0.0.1:9
            for width in 11 12 13; do get 18530/unsafe/w:$width/plain/local:///still.jpg@png; done
            [ $(metric 18530 lazyimg_result_store_failures_total) -ge 1 ] && echo counted
            grep -c 'warning.*The store of results fails' $dir/log18530 | sed 's/[1-9][0-9]*/warned/'
            stop 18530
            export AWS_SECRET_ACCESS_KEY=wrong
            serve 18532 --root $root/media --cache-bucket results
            get 18532/unsafe/w:9/plain/local:///still.jpg@png
            get 18532/unsafe/w:9/plain/s3://media/clip.mp4@png
            grep -c 'warning.*403' $dir/log18532 | sed 's/[1-9][0-9]*/warned/'
            grep -lF -e "$secret" -e AWS4-HMAC $dir/log*
            """#)
        guard let lines else { return }
        #expect(
            lines == ["200 ", "200 ", "200 ", "counted", "warned", "200 ", "502 ", "warned"],
            "\(lines)")
    }

    @Test func `keys come from a file or the machine's metadata, too`() {
        let lines = run(
            #"""
            path=/unsafe/w:9/plain/s3://media/clip.mp4@png
            printf '[other]\naws_access_key_id = %s\naws_secret_access_key = %s\n' $id $secret >$dir/credentials
            export AWS_SHARED_CREDENTIALS_FILE=$dir/credentials
            AWS_PROFILE=other serve 18540; get 18540$path
            export AWS_EC2_METADATA_DISABLED=false AWS_EC2_METADATA_SERVICE_ENDPOINT=http://127.0.0.1:18501
            # Metadata are asked for directly, whatever goes through a proxy.
            http_proxy=http://127.0.0.1:9 no_proxy=localhost serve 18542 --s3-endpoint http://localhost:18500
            # Of the other one the first server's cache knows nothing.
            get 18542/unsafe/w:9/plain/s3://media/long.mp4@png
            grep -c '^metadata GET .* 200' $dir/s3.log
            """#)
        guard let lines else { return }
        #expect(lines == ["200 ", "200 ", "2"], "\(lines)")
    }

    @Test func `buckets are no sources unless that is set`() {
        let lines = run(
            #"""
            export $keys LAZYIMG_USE_S3=false
            serve 18550; get 18550/unsafe/w:9/plain/s3://media/clip.mp4@png
            LAZYIMG_USE_S3=true serve 18552 --push-only true
            get 18552/unsafe/w:9/plain/s3://media/clip.mp4@png
            grep -c '^GET' $dir/s3.log
            """#)
        guard let lines else { return }
        #expect(lines == ["404 ", "404 ", "0"], "\(lines)")
    }
}
