//! Folders for tests that write files.

use std::fs;
use std::path::{Path, PathBuf};

use super::root;

/// A folder that is removed at the end of the test.
#[derive(Debug)]
pub(crate) struct Folder(PathBuf);

impl Folder {
    /// An empty folder; the name is that of the test.
    pub(crate) fn new(name: &str) -> Folder {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    /// Copies a fixture; the path of the copy.
    pub(crate) fn copy(&self, from: &str, name: &str) -> String {
        self.write(name, fs::read(root().join(from)).expect("a fixture"))
    }

    /// Writes a file; its path.
    pub(crate) fn write(&self, name: &str, bytes: impl AsRef<[u8]>) -> String {
        let path = self.0.join(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(&path, bytes).expect("a file");
        path.to_str().expect("a name in UTF-8").to_owned()
    }

    /// Its path as text.
    pub(crate) fn path(&self) -> &str {
        self.0.to_str().expect("a name in UTF-8")
    }

    /// Its path.
    pub(crate) fn as_path(&self) -> &Path {
        &self.0
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
