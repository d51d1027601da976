// swift-tools-version: 6.1
import PackageDescription

let package = Package(
    name: "Micro",
    dependencies: [.package(name: "lazyimg", path: "../..")],
    targets: [
        .executableTarget(
            name: "micro",
            dependencies: [
                .product(name: "LazyKit", package: "lazyimg"),
                .product(name: "LazyPipeline", package: "lazyimg"),
                .product(name: "LazyMedia", package: "lazyimg"),
                .product(name: "LazyRenditions", package: "lazyimg"),
            ],
            path: "Sources/Micro", swiftSettings: [.swiftLanguageMode(.v6)])
    ])
