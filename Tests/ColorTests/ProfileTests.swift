import CLCMS
import LazyMedia
import Testing

@Suite struct ProfileTests {
    static let sRGBCurve = parametric(3, [2.4, 1 / 1.055, 0.055 / 1.055, 1 / 12.92, 0.04045])

    struct Case: Sendable, CustomTestStringConvertible {
        let testDescription: String
        let bytes: [UInt8]
    }

    static let cases = [
        Case(
            testDescription: "Adobe RGB",
            bytes: profile("RGB", adobePrimaries + curves(gamma(563.0 / 256)))),
        Case(
            testDescription: "Display P3",
            bytes: profile("RGB", displayP3Primaries + curves(sRGBCurve))),
        Case(
            testDescription: "gamma 1.8", bytes: profile("RGB", sRGBPrimaries + curves(gamma(1.8)))),
        Case(
            testDescription: "curve of five numbers",
            bytes: profile(
                "RGB", sRGBPrimaries + curves(parametric(4, [2.2, 0.95, 0.05, 0.1, 0.04, 0, 0])))),
    ]

    /// Little CMS's own conversion of the same profile.
    @Test(arguments: cases)
    func `Profiles of curves and a matrix convert as in Little CMS`(_ item: Case) throws {
        try #require(clcms_load() == 0)
        let profile = try #require(ICCProfile(item.bytes))
        let choice = ColorConversions.choose(ColorDescription(profile: profile), .still, .sRGB())
        let converter = try #require(choice.converter)
        let oracle = try #require(
            profile.bytes.withUnsafeBytes { clcms_open($0.baseAddress, $0.count, CLCMS_RGBA8) })
        defer { clcms_table().pointee.cmsDeleteTransform(oracle) }
        let colors = (0..<4096).map { index -> UInt32 in
            let (r, g, b) = (index >> 8, index >> 4 & 15, index & 15)
            return 0xFF00_0000 | UInt32(r * 17) | UInt32(g * 17) << 8 | UInt32(b * 17) << 16
        }
        var (ours, theirs) = ([UInt32](repeating: 0, count: 4096), colors)
        colors.withUnsafeBufferPointer { colors in
            guard let start = colors.baseAddress else { return }
            converter.convert(start, into: &ours, count: colors.count)
            clcms_convert(oracle, start, &theirs, colors.count, 1)
        }
        var (worst, sum) = (0, 0)
        for (a, b) in zip(ours, theirs) {
            for shift in [0, 8, 16] {
                let difference = abs(Int(a >> shift & 255) - Int(b >> shift & 255))
                worst = max(worst, difference)
                sum += difference
            }
        }
        #expect(worst <= 2, "worst \(worst)")
        #expect(Double(sum) / (4096 * 3) < 0.35, "mean \(Double(sum) / (4096 * 3))")
    }

    @Test func `A profile that is sRGB within rounding converts nothing`() throws {
        for curve in [Self.sRGBCurve, parametric(3, [2.4, 0.94786, 0.05214, 0.0774, 0.0405])] {
            let profile = try #require(ICCProfile(profile("RGB", sRGBPrimaries + curves(curve))))
            let choice = ColorConversions.choose(
                ColorDescription(profile: profile), .still, .sRGB())
            #expect(choice.converter == nil)
            #expect(choice.warning == nil)
        }
    }

    @Test func `A gray profile changes the curve and stays gray`() throws {
        let profile = try #require(ICCProfile(profile("GRAY", [("kTRC", gamma(1))])))
        let color = ColorDescription(profile: profile)
        let got = try converted([64, 64, 64], most: 255, color, .still, samples: .gray)
        #expect(got == SIMD3(repeating: 137))
        // Browsers ignore it on a picture of three channels.
        #expect(ColorConversions.choose(color, .still, .sRGB(), .rgb).converter == nil)
    }

    /// Broken bytes, of which none may be read outside.
    static let broken: [[UInt8]] = [
        [], Array(repeating: 0, count: 200), Array(cases[0].bytes.prefix(150)),
        profile("RGB", adobePrimaries), profile("CMYK", curves(gamma(2))),
        profile("RGB", adobePrimaries + curves(Array("curv".utf8) + big(0) + big(0x7FFF_FFFF))),
        profile("RGB", adobePrimaries + curves(parametric(9, [1]))),
    ]

    @Test(arguments: broken.indices)
    func `A broken profile counts as none`(_ index: Int) {
        let color = ColorDescription(profile: ICCProfile(Self.broken[index]))
        let choice = ColorConversions.choose(color, .still, .sRGB())
        #expect(choice.converter == nil)
    }

    @Test func `What the file says beside a broken profile is used`() throws {
        let profile = try #require(ICCProfile(profile("RGB", adobePrimaries)))
        let color = ColorDescription(
            primaries: .displayP3, transfer: .sRGB, profile: profile)
        let got = try converted([200, 100, 50], most: 255, color, .still)
        #expect(got == [215, 93, 31])
    }

    @Test func `A directory of tags that lies outside is no tag`() throws {
        var bytes = profile("RGB", adobePrimaries + curves(gamma(2.2)))
        bytes.replaceSubrange(128..<132, with: big(1000))
        let profile = try #require(ICCProfile(bytes))
        #expect(profile.tag("none") == nil)
        #expect(profile.name == nil)
    }

    @Test func `The name is read in both forms`() throws {
        let old = Array("desc".utf8) + big(0) + big(11) + Array("Wide gamut\0".utf8)
        let new =
            Array("mluc".utf8) + big(0) + big(1) + big(12) + Array("enUS".utf8) + big(8) + big(28)
            + [0, 0x57, 0, 0x69, 0, 0x64, 0, 0x65]
        for (data, name) in [(old, "Wide gamut"), (new, "Wide")] {
            let profile = try #require(ICCProfile(profile("RGB", [("desc", data)])))
            #expect(profile.name == name)
            #expect(profile.colorSpace == "RGB")
            #expect(profile.version == "2.1")
        }
    }
}
