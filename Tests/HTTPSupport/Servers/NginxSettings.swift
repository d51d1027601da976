import Glibc

/// The configuration of a test's nginx.
struct NginxSettings {
    let folder: String
    let port: Int
    let securePort: Int

    /// Makes the certificates, then runs nginx until it ends or the pipe on standard input does.
    static let script = """
        set -e
        cd "$1"
        exec 2>>"$1/start.log"
        key="-newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes -days 3"
        openssl req -x509 $key -subj "/CN=lazyimg tests" -keyout authority.key -out authority.pem
        openssl req -x509 $key -subj "/CN=localhost" -addext "basicConstraints=CA:FALSE" \\
            -addext "subjectAltName=IP:127.0.0.1,DNS:localhost" \\
            -CA authority.pem -CAkey authority.key -keyout server.key -out server.pem
        exec 3<&0
        NGINX="8;9;" "$2" -p "$1" -c "$1/nginx.conf" -e "$1/error.log" 3<&- &
        server=$!
        exec 8<&- 9<&-
        (cat <&3 >/dev/null; kill "$server") &
        wait "$server" && rm -rf "$1"

        """

    var text: String {
        """
        daemon off;
        worker_processes 1;
        \(geteuid() == 0 ? "user root;" : "")
        pid \(folder)/nginx.pid;
        error_log \(folder)/error.log;
        events { worker_connections 1024; }
        http {
            types {}
            default_type application/octet-stream;
            log_format fields '$request_method|$request_uri|$status|$body_bytes_sent|$http_range|'
                '$http_if_range|$http_if_none_match|$http_if_modified_since|$server_protocol|'
                '$connection|$http_authorization|$http_cookie|$http_user_agent';
            access_log \(folder)/access.log fields;
            client_body_temp_path \(folder)/body;
            proxy_temp_path \(folder)/proxy;
            fastcgi_temp_path \(folder)/fastcgi;
            uwsgi_temp_path \(folder)/uwsgi;
            scgi_temp_path \(folder)/scgi;
            sendfile on;
            keepalive_timeout 600;
            send_timeout 600;
            keepalive_requests 100000;
            server {
                listen 127.0.0.1:\(port);
                listen 127.0.0.1:\(securePort) ssl http2;
                ssl_certificate \(folder)/server.pem;
                ssl_certificate_key \(folder)/server.key;
                root \(folder)/root;
                absolute_redirect off;
                \(locations.joined(separator: "\n        "))
            }
        }

        """
    }

    private var locations: [String] {
        let files = [
            ("gzip", "gzip on; gzip_types *; gzip_min_length 1;"), ("slow", "limit_rate 20000;"),
            ("cached", "add_header Cache-Control max-age=3600;"),
            ("stale", "add_header Cache-Control no-cache;"),
            ("nocache", "add_header Cache-Control no-store;"),
            ("norange", "max_ranges 0;"), ("notag", "etag off;"),
            ("auth", "if ($http_authorization = '') { return 401; }"),
        ]
        let redirects = [("once", "/"), ("two", "/redirect/once/"), ("three", "/redirect/two/")]
        return files.map { "location /\($0)/ { alias \(folder)/root/; \($1) }" }
            + redirects.map { "location ~ ^/redirect/\($0)/(.*)$ { return 302 \($1)$1; }" }
            + [403, 404, 410, 429, 500, 503].map {
                "location = /status/\($0) { add_header Retry-After 7 always; return \($0) 'no'; }"
            } + [
                "location = /redirect/loop { return 302 /redirect/loop; }",
                "location = /redirect/to { return 302 $args; }",
                "location = /sync { return 200 'ok'; }",
            ]
    }
}
