//! Binary logarithms that are the same on every machine: those of the standard library may differ.

/// The -log2 of a chance.
pub(super) fn bits(chance: f64) -> f64 {
    // Adding 0 makes the negative zero of a certain event a zero.
    -log2(chance) + 0.0
}

/// The binary logarithm of a number; of 0, that of the smallest number.
pub(super) fn log2(x: f64) -> f64 {
    libm::log2(x.max(f64::MIN_POSITIVE))
}
