//! Outputs and the files that hold them. `SNAPSHOTS=overwrite` writes them again.

use std::path::Path;
use std::{env, fs};

use snapbox::{Assert, Data, data::DataFormat};

/// Compares outputs with the files that hold them, and names every one that differs.
pub(crate) struct Golden {
    assert: Assert,
    wrong: Vec<String>,
}

impl Golden {
    /// Nothing compared yet.
    pub(crate) fn new() -> Golden {
        Golden {
            assert: Assert::new().action_env("SNAPSHOTS"),
            wrong: Vec::new(),
        }
    }

    /// Compares an output with a file, or writes the file again.
    pub(crate) fn compare(&mut self, actual: String, path: &Path) {
        if env::var("SNAPSHOTS").is_ok_and(|mode| mode == "overwrite") {
            return fs::write(path, actual).expect("a fixture that can be written");
        }
        let expected = Data::read_from(path, Some(DataFormat::Text)).raw();
        if let Err(difference) = self.assert.try_eq(None, Data::text(actual).raw(), expected) {
            self.wrong
                .push(format!("{}:\n{difference}", path.display()));
        }
    }

    /// Fails with all that differs.
    pub(crate) fn end(self) {
        assert!(self.wrong.is_empty(), "{}", self.wrong.join("\n"));
    }
}
