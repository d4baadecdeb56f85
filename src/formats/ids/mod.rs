//! Position identifiers.
