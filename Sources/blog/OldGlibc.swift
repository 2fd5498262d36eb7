#if os(Linux)
    /// The C library's `hypotf`, to which the static Swift library refers although nothing here calls it.
    ///
    /// glibc's own has been of version 2.35 since that release: with it, the program wouldn't start on systems with 2.34,
    /// such as RHEL 9. `Tools/release` checks that no other symbol is newer.
    @_cdecl("hypotf")
    func lengthOfVector(_ x: Float, _ y: Float) -> Float {
        if x.isInfinite || y.isInfinite { return .infinity }
        let (x, y) = (Double(x), Double(y))
        return Float((x * x + y * y).squareRoot())
    }
#endif
