// swift-tools-version: 6.1
import PackageDescription

// A package of its own: building the service's framework takes minutes, and nothing else needs it.
let settings: [SwiftSetting] = [
    .swiftLanguageMode(.v6),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "Examples",
    dependencies: [
        .package(name: "lazyimg", path: ".."),
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1"),
    ],
    targets: [
        .executableTarget(
            name: "PosterService",
            dependencies: [
                .product(name: "LazyKit", package: "lazyimg"),
                .product(name: "LazyPipeline", package: "lazyimg"),
                .product(name: "Hummingbird", package: "hummingbird"),
            ], swiftSettings: settings),
        .executableTarget(
            name: "ManyPictures", dependencies: [.product(name: "LazyKit", package: "lazyimg")],
            swiftSettings: settings),
        .systemLibrary(name: "CSDL2", pkgConfig: "sdl2", providers: [.apt(["libsdl2-dev"])]),
        .executableTarget(
            name: "PictureList",
            dependencies: [.product(name: "LazyKit", package: "lazyimg"), "CSDL2"],
            swiftSettings: settings),
    ]
)
