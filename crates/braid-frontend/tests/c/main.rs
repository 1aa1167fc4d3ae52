//! C programs: what the checker makes of them, as data.

mod declarations;
mod diagnostics;
mod dump;
mod expressions;
mod floats;
mod folder;
mod gcc;
mod headers;
mod initialisers;
mod large;
mod robustness;
mod statements;

use braid_frontend::Reading;
use braid_frontend::c::tree::DataModel;
use braid_frontend::c::{Kind, unit};
use expect_test::Expect;

/// Checks a program (LP64) and compares its typed tree, or its diagnostics.
fn check(text: &str, expected: Expect) {
    check_in(DataModel::Lp64, text, expected);
}

fn check_in(model: DataModel, text: &str, expected: Expect) {
    let options = Reading { data_model: Some(model), ..Reading::default() };
    let shown = match unit("a.i", text, Kind::Preprocessed, &options) {
        Ok(unit) => dump::to_text(&unit),
        Err(diagnostics) => diagnostics.to_string(),
    };
    expected.assert_eq(&shown);
}

/// Checks statements in `main`, with a few variables around; shows only the body.
fn check_body(statements: &str, expected: Expect) {
    let text = format!(
        "struct s {{ int a; char b; struct s *next; unsigned bits : 3; int list[4]; }} S, *P;\n\
         char c; short h; int i, j; unsigned u; long l; unsigned long ul; long long ll; _Bool b; float f; double d;\n\
         int *p, *q; char *cp; void *v; int a[10]; int m[2][3]; int g(int x, char y); int (*fp)(int, char);\n\
         int main(void) {{\n{statements}\n}}\n"
    );
    let options = Reading { data_model: Some(DataModel::Lp64), ..Reading::default() };
    let shown = match unit("a.i", &text, Kind::Preprocessed, &options) {
        Ok(unit) => {
            let text = dump::to_text(&unit);
            let body = text.split("int main() {\n").nth(1).unwrap_or(&text);
            body.split("\n}\n").next().unwrap_or(body).lines().map(|line| format!("{}\n", line.trim_start())).collect()
        }
        Err(diagnostics) => diagnostics.to_string(),
    };
    expected.assert_eq(&shown);
}
