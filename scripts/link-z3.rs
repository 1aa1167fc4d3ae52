//! The build script of every crate whose binary or tests link Z3.
//!
//! It points the linker and the finished executable at `.z3/z3/lib`, where `scripts/setup` puts the library, so that
//! nothing needs `LD_LIBRARY_PATH`. Cargo does not hand link arguments on to dependents: hence one per crate.

use std::{env, path::PathBuf};

fn main() {
    let crate_dir = env::var("CARGO_MANIFEST_DIR").expect("cargo sets CARGO_MANIFEST_DIR");
    let workspace = PathBuf::from(crate_dir)
        .ancestors()
        .nth(2)
        .expect("crates sit in <workspace>/crates/<crate>")
        .to_path_buf();
    let folder = workspace.join(".z3/z3/lib");
    let library = folder.join("libz3.so");

    println!("cargo::rerun-if-changed={}", library.display());
    if !library.exists() {
        println!("cargo::error=Z3 is not set up: run scripts/setup");
        return;
    }
    println!("cargo::rustc-link-search=native={}", folder.display());
    println!("cargo::rustc-link-arg=-Wl,-rpath,{}", folder.display());
}
