//! Binary logarithms that are the same on every machine.

/// The -log2 of a chance.
pub(super) fn bits(chance: f64) -> f64 {
    // Adding 0 makes the negative zero of a certain event a zero.
    -log2(chance) + 0.0
}

/// The binary logarithm of a positive number, to 32 binary places. That of the standard library may differ from one
/// machine to another.
pub(super) fn log2(x: f64) -> f64 {
    const PLACES: u32 = 32;
    let (mut whole, mut x) = (0.0, x.max(f64::MIN_POSITIVE));
    while x >= 2.0 {
        (x, whole) = (x / 2.0, whole + 1.0);
    }
    while x < 1.0 {
        (x, whole) = (x * 2.0, whole - 1.0);
    }
    let (mut part, mut place) = (0.0, 0.5);
    for _ in 0..PLACES {
        x *= x;
        if x >= 2.0 {
            (x, part) = (x / 2.0, part + place);
        }
        place /= 2.0;
    }
    whole + part
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn logarithm_is_that_of_the_standard_library(x in 1e-300f64..1e300) {
            prop_assert!((log2(x) - x.log2()).abs() < 1e-9);
        }
    }
}
