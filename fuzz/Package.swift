// swift-tools-version: 6.1
import PackageDescription

// Built by run.sh, which adds the sanitizers to every module.
let package = Package(
    name: "fuzz",
    dependencies: [.package(name: "lazyimg", path: "..")],
    targets: [
        .target(name: "CFuzzer"),
        .executableTarget(
            name: "lazyfuzz",
            dependencies: [
                "CFuzzer", .product(name: "LazyKit", package: "lazyimg"),
                .product(name: "LazyIsolation", package: "lazyimg"),
                .product(name: "LazyLoading", package: "lazyimg"),
                .product(name: "LazyMedia", package: "lazyimg"),
                .product(name: "LazyPipeline", package: "lazyimg"),
            ],
            swiftSettings: [.swiftLanguageMode(.v6)]),
    ]
)
