//! Folders that are removed when they are not needed any more.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

/// A folder of our own.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
    keep: bool,
}

impl Scratch {
    /// A new folder among the system's temporary ones.
    pub fn new() -> std::io::Result<Scratch> {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("braid-run-{}-{number}", std::process::id()));
        std::fs::create_dir_all(&path)?;
        Ok(Scratch { path, keep: false })
    }

    /// A folder that stays.
    pub fn kept(path: &Path) -> std::io::Result<Scratch> {
        std::fs::create_dir_all(path)?;
        Ok(Scratch { path: path.canonicalize()?, keep: true })
    }

    /// Where it is.
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.keep {
            // What cannot be removed is among the temporary files.
            let _ = std::fs::remove_dir_all(&self.path);
        }
    }
}
