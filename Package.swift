// swift-tools-version: 6.1
import PackageDescription

let strict: [SwiftSetting] = [
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("MemberImportVisibility"),
]

let package = Package(
    name: "blog",
    platforms: [.macOS(.v15)],
    products: [
        .library(name: "BlogKit", targets: ["BlogKit"]),
        .executable(name: "blog", targets: ["blog"]),
    ],
    dependencies: [],
    targets: [
        .systemLibrary(name: "CSQLite"),
        .systemLibrary(name: "CCurl"),
        // It knows nothing of posts, and as a module of its own can't.
        .target(
            name: "SQLite", dependencies: ["CSQLite"], path: "Sources/BlogKit/SQLite", swiftSettings: strict,
            linkerSettings: [
                // The toolchain itself needs this file, so it is there even where no -dev package is installed.
                .linkedLibrary(":libsqlite3.so.0", .when(platforms: [.linux])),
                .linkedLibrary("sqlite3", .when(platforms: [.macOS])),
            ]
        ),
        // The library without URLSession: on Linux the command carries its requests with libcurl, and starts in half the
        // time where FoundationNetworking need not be loaded.
        .target(
            name: "BlogCore",
            dependencies: ["SQLite", .target(name: "CCurl", condition: .when(platforms: [.linux]))],
            path: "Sources/BlogKit",
            exclude: ["SQLite", "URLSession"],
            swiftSettings: strict,
            linkerSettings: [.linkedLibrary("iconv", .when(platforms: [.macOS]))]
        ),
        .target(
            name: "BlogKit", dependencies: ["BlogCore"], path: "Sources/BlogKit/URLSession", swiftSettings: strict),
        .executableTarget(
            name: "blog",
            dependencies: ["BlogCore", .target(name: "BlogKit", condition: .when(platforms: [.macOS]))],
            swiftSettings: strict
        ),
        .target(name: "MockServer", path: "mocks/MockServer", swiftSettings: strict),
        .executableTarget(
            name: "mock-server", dependencies: ["MockServer"], path: "mocks/mock-server", swiftSettings: strict),
        // The programs that the library's articles quote.
        .executableTarget(
            name: "ReadTheAPI", dependencies: ["BlogKit", "BlogCore"], path: "docs/examples",
            exclude: ["KeepPosts.swift"], sources: ["ReadTheAPI.swift"],
            swiftSettings: strict),
        .executableTarget(
            name: "KeepPosts", dependencies: ["BlogKit", "BlogCore"], path: "docs/examples",
            exclude: ["ReadTheAPI.swift"], sources: ["KeepPosts.swift"],
            swiftSettings: strict),
        .testTarget(
            name: "BlogKitTests", dependencies: ["BlogKit", "BlogCore", "SQLite", "MockServer"],
            exclude: ["Fixtures"],
            swiftSettings: strict),
        .testTarget(
            name: "BlogTests", dependencies: ["blog", "BlogCore", "SQLite", "MockServer"], exclude: ["Certificates"],
            swiftSettings: strict),
    ],
    swiftLanguageModes: [.v6]
)
