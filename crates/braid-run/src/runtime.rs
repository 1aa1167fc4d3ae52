//! The runtime: its sources are part of this program, and are compiled once for each compiler.

use crate::Error;
use crate::job::Job;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

/// The parts, in the order in which they are read.
pub const PARTS: [(&str, &str); 21] = [
    ("braid.h", include_str!("../runtime/braid.h")),
    ("contexts.c", include_str!("../runtime/contexts.c")),
    ("scheduler.c", include_str!("../runtime/scheduler.c")),
    ("races.c", include_str!("../runtime/races.c")),
    ("sections.c", include_str!("../runtime/sections.c")),
    ("threads.c", include_str!("../runtime/threads.c")),
    ("locks.c", include_str!("../runtime/locks.c")),
    ("heap.c", include_str!("../runtime/heap.c")),
    ("objects.c", include_str!("../runtime/objects.c")),
    ("hooks.c", include_str!("../runtime/hooks.c")),
    ("inputs.c", include_str!("../runtime/inputs.c")),
    ("library.c", include_str!("../runtime/library.c")),
    ("guide.c", include_str!("../runtime/guide.c")),
    ("effects.c", include_str!("../runtime/effects.c")),
    ("environment.c", include_str!("../runtime/environment.c")),
    ("snapshot.c", include_str!("../runtime/snapshot.c")),
    ("leaks.c", include_str!("../runtime/leaks.c")),
    ("runs.c", include_str!("../runtime/runs.c")),
    ("search.c", include_str!("../runtime/search.c")),
    ("sandbox.c", include_str!("../runtime/sandbox.c")),
    ("control.c", include_str!("../runtime/control.c")),
];

/// What the linker leads to the runtime, which calls the library's own.
pub const WRAPPED: [&str; 28] = [
    "main",
    "memcpy",
    "memmove",
    "memset",
    "strlen",
    "strcmp",
    "strcpy",
    "strncpy",
    "strcat",
    "memcmp",
    "strncmp",
    "strncat",
    "strchr",
    "strrchr",
    "vsnprintf",
    "vsprintf",
    "snprintf",
    "sprintf",
    "sscanf",
    "__isoc99_sscanf",
    "__isoc23_sscanf",
    "strtok",
    "gmtime",
    "localtime",
    "asctime",
    "ctime",
    "strerror",
    "puts",
];

/// How it is compiled.
pub const OPTIONS: [&str; 8] =
    ["-c", "-O2", "-w", "-fno-builtin", "-fno-pie", "-fno-stack-protector", "-fno-omit-frame-pointer", "-std=gnu11"];

/// What only GCC needs: functions with the same body would be one, and their callers could not be told apart.
pub const GCC: &str = "-fno-ipa-icf";

/// All parts as one text.
pub fn text() -> String {
    PARTS.iter().map(|(name, text)| format!("#line 1 \"{name}\"\n{text}\n")).collect()
}

/// The compiled runtime: from the cache, or put there. Where there is no cache, in the given folder.
pub fn object(compiler: &str, folder: &Path, stopped: &dyn Fn() -> bool) -> Result<PathBuf, Error> {
    let version = Command::new(compiler).arg("--version").output();
    let version = version.map_err(|error| Error::NoCompiler(format!("{compiler}: {error}")))?.stdout;
    let text = text();
    let mut hasher = DefaultHasher::new();
    (&version, &text, OPTIONS, compiler).hash(&mut hasher);
    let name = format!("runtime-{:016x}.o", hasher.finish());
    let cached = cache().map(|cache| cache.join(&name));
    if let Some(cached) = cached.as_ref().filter(|path| path.is_file()) {
        return Ok(cached.clone());
    }
    let (source, object) = (folder.join("runtime.c"), folder.join("runtime.o"));
    fs::write(&source, text).map_err(|error| Error::Child(format!("{}: {error}", source.display())))?;
    let mut command = Command::new(compiler);
    let is_clang = String::from_utf8_lossy(&version).contains("clang");
    command.args(OPTIONS).args((!is_clang).then_some(GCC)).arg(&source).arg("-o").arg(&object);
    Job::start(&mut command)?.finish(stopped)?;
    if let Some(cached) = cached {
        // Another process may do the same: the last one wins, with the same contents.
        let mine = cached.with_extension(format!("{}", std::process::id()));
        if fs::copy(&object, &mine).is_ok() && fs::rename(&mine, &cached).is_err() {
            let _ = fs::remove_file(&mine);
        }
    }
    Ok(object)
}

/// Where compiled runtimes are kept.
fn cache() -> Option<PathBuf> {
    let given = env::var_os("XDG_CACHE_HOME").map(PathBuf::from).filter(|path| path.is_absolute());
    let cache = given.or_else(|| Some(PathBuf::from(env::var_os("HOME")?).join(".cache")))?.join("braid");
    fs::create_dir_all(&cache).ok()?;
    Some(cache)
}
