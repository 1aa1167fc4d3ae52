//! Source files go through the system's preprocessor; places are in the user's own text.

use crate::dump;
use braid_frontend::Reading;
use braid_frontend::c::tree::DataModel;
use braid_frontend::c::{Kind, unit};
use expect_test::{Expect, expect};

fn has_compiler() -> bool {
    std::process::Command::new("cc").arg("--version").output().is_ok_and(|output| output.status.success())
}

fn check_source(text: &str, expected: Expect) {
    if !has_compiler() {
        return;
    }
    let shown = match unit("a.c", text, Kind::Source, &Reading::default()) {
        Ok(unit) => dump::to_text(&unit),
        Err(diagnostics) => diagnostics.to_string(),
    };
    expected.assert_eq(&shown);
}

#[test]
fn the_standard_headers_are_read() {
    let text = "#include <pthread.h>\n#include <assert.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n\
        #include <stdbool.h>\n#include <stdint.h>\n#include <stdatomic.h>\n#include <unistd.h>\n#include <semaphore.h>\n\
        #include <errno.h>\n#include <limits.h>\n#include <math.h>\n#include <time.h>\n#include <signal.h>\n#include <sys/types.h>\n\
        pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER; sem_t s; atomic_int counter = ATOMIC_VAR_INIT(0); int64_t wide;\n\
        void *run(void *p) { atomic_fetch_add(&counter, 1); atomic_store(&counter, 2); return NULL; }\n\
        int main(void) { pthread_t t; pthread_create(&t, NULL, run, NULL); int e = 1; atomic_compare_exchange_strong(&counter, &e, 2);\n\
        assert(atomic_load(&counter) > 0); sem_wait(&s); pthread_mutex_lock(&m); printf(\"%d\\n\", errno); pthread_join(t, NULL);\n\
        _Static_assert(sizeof(int64_t) == 8 && sizeof(wide) == 8, \"\"); return strlen(\"abc\") > 2 ? EXIT_SUCCESS : INT_MAX; }\n";
    if !has_compiler() {
        return;
    }
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let options = Reading { data_model: Some(model), ..Reading::default() };
        let unit = unit("a.c", text, Kind::Source, &options).unwrap_or_else(|diagnostics| panic!("{diagnostics}"));
        assert_eq!(unit.data_model, model);
        let defined = unit.functions.iter().filter(|function| function.body.is_some() && !function.inline);
        let defined: Vec<_> = defined.map(|function| function.name.as_str()).collect();
        assert_eq!(defined, ["main", "run"]);
    }
}

#[test]
fn places_are_in_the_source() {
    check_source(
        "#define TWICE(x) ((x) + (x))\n#include <stddef.h>\n\nint main(void) {\n\tint i = TWICE(j); return nothing; /* multi\nline */ int k = NULL + missing;\n}\n",
        expect![[r#"
            a.c:5:10: error: `j` is not declared
                  int i = TWICE(j); return nothing; /* multi
                          ^^^^^^^^
            a.c:5:27: error: `nothing` is not declared
                  int i = TWICE(j); return nothing; /* multi
                                           ^^^^^^^
            a.c:6:24: error: `missing` is not declared
              line */ int k = NULL + missing;
                                     ^^^^^^^
        "#]],
    );
}

#[test]
fn the_compiler_s_own_macros_are_known() {
    check_source(
        "int main(void) { return __LINE__ + __CHAR_BIT__; }\n",
        expect![[r#"
        LP64
        int main() {
          return 9;
        }
    "#]],
    );
}

#[test]
fn long_lines_are_read_in_time() {
    let text = format!("#define ONE 1\nint x; int main(void) {{ {} return 0; }}\n", "x = ONE + x; ".repeat(100_000));
    let start = std::time::Instant::now();
    assert!(!has_compiler() || unit("a.c", &text, Kind::Source, &Reading::default()).is_ok());
    assert!(start.elapsed() < std::time::Duration::from_secs(20), "{:?}", start.elapsed());
}

#[test]
fn a_missing_header_is_named() {
    check_source(
        "int x;\n#include <no/such/header.h>\n",
        expect![[r#"
            a.c:2:1: error: `cc -E` says: no/such/header.h: No such file or directory
              #include <no/such/header.h>
              ^^^^^^^^^^^^^^^^^^^^^^^^^^^
            hint: say where the header is (`-I DIR`), install the package that has it, or give the preprocessed file (`.i`)
        "#]],
    );
    check_source(
        "#if 1\nint x;\n",
        expect![[r#"
        a.c:1:1: error: `cc -E` says: unterminated #if
          #if 1
          ^^^^^
    "#]],
    );
}

#[test]
fn the_data_model_depends_on_the_text() {
    let model = |text: &str, kind: Kind| unit("a", text, kind, &Reading::default()).map(|unit| unit.data_model);
    assert_eq!(model("int main(void) { return 0; }", Kind::Preprocessed), Ok(DataModel::Ilp32));
    for text in ["void reach_error(void);", "int __VERIFIER_nondet_int(void);", "#define fail() reach_error()\n"] {
        assert_eq!(model(&format!("{text} int main(void) {{ return 0; }}"), Kind::Source), Ok(DataModel::Ilp32));
    }
    if cfg!(target_pointer_width = "64") {
        for text in [
            "",
            "/* reach_error() */ // __VERIFIER_assume(1)\n",
            "char *s = \"reach_error()\";",
            "int reach_error;",
            "int my_reach_error(void);",
        ] {
            assert_eq!(model(&format!("{text} int main(void) {{ return 0; }}"), Kind::Source), Ok(DataModel::Lp64));
        }
    }
}
