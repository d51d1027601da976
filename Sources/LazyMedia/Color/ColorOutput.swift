/// The colors in which pixels come out.
public enum ColorOutput: Hashable, Sendable {
    /// As sRGB, as browsers show the picture; HDR is tone-mapped.
    case sRGB(ToneMapping = .browser)
    /// As the file has them; `Frame.color` tells what they mean.
    case source
}

/// How the light of HDR becomes that of an SDR display.
public enum ToneMapping: String, Hashable, Sendable, CaseIterable {
    /// The reference white operator (RWTMO) of SMPTE ST 2094-50, with the content's peak: what Chromium shows.
    case browser
    /// The EETF of ITU-R BT.2390 to 203 cd/m²: brighter middle tones, flatter highlights.
    case bt2390
    /// None: light above 203 cd/m² is white.
    case clip
}

/// The bits of a sample in which pixels come out.
public enum SampleDepth: Hashable, Sendable {
    /// 8 bits a sample: `Frame.bitmap`.
    case eight
    /// 16 bits a sample where the source has more than 8 bits and keeps its colors: `Frame.deep`.
    ///
    /// It counts together with `ColorOutput.source`; sRGB comes out in 8 bits. A source of 8 bits
    /// stays one: nothing is widened.
    case sixteen
}
