import Glibc

/// A page of its own or of files, and what a visitor does on it.
extension Browser {
    /// What the page is told about its visitor.
    public enum Setting: String, Sendable {
        /// Whether the page is dark: `light` or `dark`.
        case colorScheme = "prefers-color-scheme"
        /// Whether motion is unwelcome: `reduce` or `no-preference`.
        case reducedMotion = "prefers-reduced-motion"
    }

    /// Opens an address, such as that of a file; `script` runs before those of the page.
    public func open(
        _ url: String, settings: [Setting: String] = [:], before script: String? = nil
    ) throws {
        for domain in ["Log", "Runtime", "Network"] { try call(domain + ".enable", [:]) }
        try call(
            "Emulation.setEmulatedMedia",
            ["features": settings.map { ["name": $0.key.rawValue, "value": $0.value] }])
        if let script {
            try call("Page.addScriptToEvaluateOnNewDocument", ["source": script])
        }
        // From another document: an address with another fragment alone would load nothing.
        try navigate("about:blank")
        reports = []
        try navigate(url)
    }

    /// Cuts the network, or restores it.
    public func setOffline(_ isOffline: Bool) throws {
        try call(
            "Network.emulateNetworkConditions",
            [
                "offline": isOffline, "latency": 0, "downloadThroughput": -1,
                "uploadThroughput": -1,
            ])
    }

    /// The size of the page, as of a telephone.
    public func resize(width: Int, height: Int, isMobile: Bool = false) throws {
        try call(
            "Emulation.setDeviceMetricsOverride",
            ["width": width, "height": height, "deviceScaleFactor": 1, "mobile": isMobile])
    }

    /// Waits until an expression of the page is true, at most 50 seconds.
    ///
    /// The page does not look itself: its timers may be held, and a browser draws no frame where nothing changes.
    public func wait(until condition: String) throws {
        let end = ContinuousClock.now + .seconds(50)
        while try evaluate("!!(\(condition))") as? Bool != true {
            guard ContinuousClock.now < end else {
                throw Failure(description: "The page has not come to \(condition).")
            }
            usleep(10_000)
        }
    }

    /// Moves the pointer without buttons.
    public func movePointer(_ x: Double, _ y: Double) throws {
        try call("Input.dispatchMouseEvent", ["type": "mouseMoved", "x": x, "y": y])
    }

    /// Clicks with the first button.
    public func click(_ x: Double, _ y: Double) throws {
        try movePointer(x, y)
        for type in ["mousePressed", "mouseReleased"] {
            try call(
                "Input.dispatchMouseEvent",
                ["type": type, "x": x, "y": y, "button": "left", "clickCount": 1])
        }
    }

    /// Presses keys by their names, such as `Tab` or `a`, one after the other.
    public func press(_ keys: String...) throws {
        let codes = [
            "Tab": 9, "Enter": 13, "Escape": 27, " ": 32, "PageUp": 33, "PageDown": 34, "End": 35,
            "Home": 36, "ArrowLeft": 37, "ArrowUp": 38, "ArrowRight": 39, "ArrowDown": 40,
        ]
        for key in keys {
            let code = codes[key] ?? Int(key.uppercased().utf8.first ?? 0)
            var event: [String: Any] = [
                "key": key, "code": key, "windowsVirtualKeyCode": code, "type": "rawKeyDown",
            ]
            let text = key == "Enter" ? "\r" : key.count == 1 ? key : nil
            if let text { (event["type"], event["text"]) = ("keyDown", text) }
            try call("Input.dispatchKeyEvent", event)
            event["text"] = nil
            event["type"] = "keyUp"
            try call("Input.dispatchKeyEvent", event)
        }
    }

    /// The addresses that were asked for since `open`, in order.
    public var requests: [String] {
        reports.compactMap { report in
            guard report["method"] as? String == "Network.requestWillBeSent" else { return nil }
            let parameters = report["params"] as? [String: Any]
            return (parameters?["request"] as? [String: Any])?["url"] as? String
        }
    }

    /// The bytes that arrived since `open`, with the heads of responses.
    public var receivedBytes: Int {
        reports.reduce(0) { sum, report in
            guard report["method"] as? String == "Network.loadingFinished" else { return sum }
            let parameters = report["params"] as? [String: Any]
            return sum + (parameters?["encodedDataLength"] as? Int ?? 0)
        }
    }

    /// Errors of scripts, violations of policies, and all that was written to the console.
    public var problems: [String] {
        let methods = ["Log.entryAdded", "Runtime.exceptionThrown", "Runtime.consoleAPICalled"]
        return reports.compactMap { report in
            guard let method = report["method"] as? String, methods.contains(method) else {
                return nil
            }
            return "\(report["params"] ?? "")"
        }
    }
}
