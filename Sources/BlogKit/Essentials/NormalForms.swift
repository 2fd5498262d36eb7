#if os(Linux)
    @_spi(_Unicode) import Swift
#endif

extension String {
    /// Whether two texts are equal byte for byte; `==` also holds for canonically equivalent ones.
    package func isIdentical(to other: String) -> Bool {
        var (one, other) = (self, other)
        return one.withUTF8 { one in
            other.withUTF8 { other in
                guard one.count == other.count, let start = one.baseAddress, let otherStart = other.baseAddress else {
                    return one.count == other.count
                }
                return memcmp(start, otherStart, one.count) == 0
            }
        }
    }

    /// The text in Normalization Form C.
    package var composed: String {
        #if os(Linux)
            // The standard library's own implementation; FoundationEssentials doesn't export one.
            utf8.allSatisfy { $0 < 0x80 } ? self : String(String.UnicodeScalarView(_nfc))
        #else
            precomposedStringWithCanonicalMapping
        #endif
    }

    /// The scalars of the text in Normalization Form D.
    var decomposed: some Sequence<Unicode.Scalar> {
        #if os(Linux)
            _nfd
        #else
            decomposedStringWithCanonicalMapping.unicodeScalars
        #endif
    }

    /// The text with compatibility forms of ASCII letters, digits, full stops and hyphens replaced by lowercase ASCII:
    /// "2" for "₂" and "②", "a" for "Ａ", "fi" for "ﬁ".
    package var withPlainASCII: String {
        if utf8.allSatisfy({ $0 < 0x80 }) { return self }
        var plain = ""
        for scalar in unicodeScalars {
            if let form = ASCIIForms.plain(scalar) { plain += form } else { plain.unicodeScalars.append(scalar) }
        }
        return plain
    }
}

extension StringProtocol {
    /// The text without leading and trailing white space, line breaks and zero-width spaces.
    package var trimmed: String { trimmed { $0.properties.isWhitespace || $0 == "\u{200B}" } }

    /// The text without leading and trailing scalars that satisfy a predicate.
    ///
    /// By scalars, because a space followed by a combining mark is a different Character.
    package func trimmed(_ isTrimmed: (Unicode.Scalar) -> Bool) -> String {
        var rest = Substring(self).unicodeScalars
        while let first = rest.first, isTrimmed(first) { rest.removeFirst() }
        while let last = rest.last, isTrimmed(last) { rest.removeLast() }
        return String(Substring(rest))
    }
}

/// Compatibility forms of ASCII letters, digits, full stops and hyphens.
private enum ASCIIForms {
    /// The lowercase ASCII characters for a compatibility form; nil for other scalars.
    static func plain(_ scalar: Unicode.Scalar) -> String? {
        switch scalar.value {
        case 0xFF0D...0xFF0E, 0xFF10...0xFF19, 0xFF21...0xFF3A, 0xFF41...0xFF5A:
            String(WidthFolding.fold(scalar)).lowercased()
        // Mathematical letters and digits.
        case 0x1D400...0x1D6A3: String(UnicodeScalar(UInt8(ascii: "a") + UInt8((scalar.value - 0x1D400) % 26)))
        case 0x1D7CE...0x1D7FF: String(UnicodeScalar(UInt8(ascii: "0") + UInt8((scalar.value - 0x1D7CE) % 10)))
        default: forms[scalar]
        }
    }

    private static let forms: [Unicode.Scalar: String] = {
        var forms: [Unicode.Scalar: String] = [:]
        for group in table.split(whereSeparator: { " \n".unicodeScalars.contains($0) }) {
            let plain = String(group.prefix { $0.isASCII })
            for form in group.drop(while: \.isASCII) { forms[form] = plain }
        }
        return forms
    }()

    /// ASCII characters, each followed by its compatibility forms.
    private static let table = """
        -﹣ .․﹒ 0⁰₀⓪🯰 1¹₁①🯱 2²₂②🯲 3³₃③🯳 4⁴₄④🯴 5⁵₅⑤🯵 6⁶₆⑥🯶 7⁷₇⑦🯷 8⁸₈⑧🯸 9⁹₉⑨🯹 aªᴬᵃₐⒶⓐ🄰 bᴮᵇℬⒷⓑ🄱
        cᶜℂℭⅭⅽⒸⓒꟲ🄫🄲 dᴰᵈⅅⅆⅮⅾⒹⓓ🄳 eᴱᵉₑℯℰⅇⒺⓔ🄴 fᶠℱⒻⓕꟳ🄵 gᴳᵍℊⒼⓖ🄶 hʰᴴₕℋℌℍℎⒽⓗ🄷 iᴵᵢⁱℐℑℹⅈⅠⅰⒾⓘ🄸 jʲᴶⅉⒿⓙⱼ🄹
        kᴷᵏₖKⓀⓚ🄺 lˡᴸₗℒℓⅬⅼⓁⓛ🄻 mᴹᵐₘℳⅯⅿⓂⓜ🄼 nᴺⁿₙℕⓃⓝ🄽 oºᴼᵒₒℴⓄⓞ🄾 pᴾᵖₚℙⓅⓟ🄿 qℚⓆⓠꟴ𐞥🅀 rʳᴿᵣℛℜℝⓇⓡ🄬🅁 sſˢₛⓈⓢ🅂
        tᵀᵗₜⓉⓣ🅃 uᵁᵘᵤⓊⓤ🅄 vᵛᵥⅤⅴⓋⓥⱽ🅅 wʷᵂⓌⓦ🅆 xˣₓⅩⅹⓍⓧ🅇 yʸⓎⓨ🅈 zᶻℤℨⓏⓩ🅉 ..‥︰ 0.🄀 1.⒈ 10⑩ 11⑪ 12⑫ 13⑬ 14⑭ 15⑮
        16⑯ 17⑰ 18⑱ 19⑲ 2.⒉ 20⑳ 21㉑ 22㉒ 23㉓ 24㉔ 25㉕ 26㉖ 27㉗ 28㉘ 29㉙ 3.⒊ 30㉚ 31㉛ 32㉜ 33㉝ 34㉞ 35㉟ 36㊱
        37㊲ 38㊳ 39㊴ 4.⒋ 40㊵ 41㊶ 42㊷ 43㊸ 44㊹ 45㊺ 46㊻ 47㊼ 48㊽ 49㊾ 5.⒌ 50㊿ 6.⒍ 7.⒎ 8.⒏ 9.⒐ au㍳ bq㏃ cc㏄
        cd㏅🄭 cm㎝ da㍲ db㏈ dj🆐 dl㎗ dm㍷ dzǱǲǳ ev㋎ ffﬀ fiﬁ flﬂ fm㎙ gb㎇ gy㏉ ha㏊ hg㋌ hp㏋ hv🅊 hz㎐ iiⅡⅱ ijĲĳ
        in㏌ iu㍺ ivⅣⅳ ixⅨⅸ ka㎄ kb㎅ kg㎏ kk㏍ kl㎘ km㎞㏎ kt㏏ kv㎸ kw㎾ ljǇǈǉ lm㏐ ln㏑ lx㏓ m2㎡ m3㎥ ma㎃ mb㎆㏔
        mc🅪 md🅫 mg㎎ ml㎖ mm㎜ mr🅬 ms㎳ mv㎷㎹🅋 mw㎽㎿ na㎁ nf㎋ njǊǋǌ nm㎚ no№ ns㎱ nv㎵ nw㎻ ov㍵ pa㎀㎩ pc㍶ pf㎊
        ph㏗ pr㏚ ps㎰ pv㎴ pw㎺ rs₨ sd🅌 sm℠ sr㏛ ss🅍 stﬅﬆ sv㏜ tm™ viⅥⅵ wb㏝ wc🅏 wz🄮 xiⅪⅺ ...…︙ 10.⒑ 11.⒒
        12.⒓ 13.⒔ 14.⒕ 15.⒖ 16.⒗ 17.⒘ 18.⒙ 19.⒚ 20.⒛ bar㍴ cal㎈ cm2㎠ cm3㎤ co.㏇ dm2㍸ dm3㍹ erg㋍ fax℻
        ffiﬃ fflﬄ gal㏿ ghz㎓ gpa㎬ hpa㍱ iiiⅢⅲ khz㎑ km2㎢ km3㎦ kpa㎪ log㏒ ltd㋏ mhz㎒ mil㏕ mm2㎟ mm3㎣ mol㏖
        mpa㎫ ppm㏙ ppv🅎 pte㉐ rad㎭ tel℡ thz㎔ viiⅦⅶ xiiⅫⅻ a.m.㏂ kcal㎉ p.m.㏘ viiiⅧⅷ
        """.unicodeScalars
}
