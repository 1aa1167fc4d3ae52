//! The build script of every crate whose binary or tests link Z3.
//!
//! It points the linker and the finished executable at the folder where `scripts/setup` puts the library, so that
//! nothing needs `LD_LIBRARY_PATH`. Before that, the executable looks beside itself and in the `lib` folder of where it is installed: what
//! has both can be moved.
//! Cargo does not hand link arguments on to dependents: hence one per crate. `braid-cli` has a build script of its own, which calls this one.

use std::{env, path::PathBuf};

/// Names the folder; set in `.cargo/config.toml`, which cargo reads only when started inside the workspace.
const FOLDER_VARIABLE: &str = "Z3_LIBRARY_PATH_OVERRIDE";

/// Tells cargo where the library is.
pub fn main() {
    let folder = env::var_os(FOLDER_VARIABLE)
        .map_or_else(|| PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../.z3/z3/lib")), PathBuf::from);

    println!("cargo::rerun-if-env-changed={FOLDER_VARIABLE}");
    println!("cargo::rerun-if-changed={}", folder.display());
    if !folder.join("libz3.so").exists() {
        println!("cargo::error=Z3 is not set up: run scripts/setup");
        return;
    }
    println!("cargo::rustc-link-search=native={}", folder.display());
    for place in ["$ORIGIN", "$ORIGIN/../lib/braid", "$ORIGIN/../lib", &folder.to_string_lossy()] {
        println!("cargo::rustc-link-arg=-Wl,-rpath,{place}");
    }
}
