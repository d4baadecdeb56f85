//! What the README shows is what comes out. `TRYCMD=overwrite cargo test readme` writes the output again.

use std::path::Path;

use crate::support::root;

#[test]
fn the_readme_shows_what_comes_out() {
    trycmd::TestCases::new()
        .register_bin("tawla", Path::new(env!("CARGO_BIN_EXE_tawla")))
        .env("COLUMNS", "100")
        .case(root().join("README.md"));
}
