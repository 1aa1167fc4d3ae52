//! Differential test of types: what GCC's static assertions accept must be what the checker computes, for both data models.
//!
//! Random record layouts and constant expressions become programs of `_Static_assert`s with Braid's values; `gcc` judges them.

use braid_frontend::Reading;
use braid_frontend::c::tree::{DataModel, Init, StmtKind, Type, Unit};
use braid_frontend::c::{Kind, unit};
use braid_testkit::Random;
use std::io::Write;
use std::process::{Command, Stdio};

fn pick<'a>(random: &mut Random, list: &[&'a str]) -> &'a str {
    list[random.below(list.len())]
}

fn read(text: &str, model: DataModel) -> Unit {
    let options = Reading { data_model: Some(model), ..Reading::default() };
    unit("a.i", text, Kind::Preprocessed, &options).unwrap_or_else(|diagnostics| panic!("{diagnostics}\n{text}"))
}

/// Whether GCC accepts the text; absent where there is no GCC for the model.
fn accepted(text: &str, model: DataModel) -> Option<Result<(), String>> {
    let flag = if model == DataModel::Ilp32 { "-m32" } else { "-m64" };
    let mut child = Command::new("gcc")
        .args(["-w", "-fsyntax-only", "-x", "c", flag, "-"])
        .stdin(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .ok()?;
    child.stdin.take()?.write_all(text.as_bytes()).ok()?;
    let output = child.wait_with_output().ok()?;
    let complaints = String::from_utf8_lossy(&output.stderr).into_owned();
    if complaints.contains("unrecognized") || complaints.contains("not supported") {
        return None;
    }
    Some(if output.status.success() { Ok(()) } else { Err(complaints) })
}

const INTEGERS: [&str; 13] = [
    "char",
    "signed char",
    "unsigned char",
    "short",
    "unsigned short",
    "int",
    "unsigned",
    "long",
    "unsigned long",
    "long long",
    "unsigned long long",
    "_Bool",
    "enum e",
];
const OTHERS: [&str; 9] =
    ["float", "double", "long double", "char *", "int (*", "struct before ", "short ", "strict", "loose"];

fn record(random: &mut Random, number: usize) -> String {
    let kind = if random.below(5) == 0 { "union" } else { "struct" };
    let mut fields = String::new();
    for field in 0..1 + random.below(7) {
        let name = format!("f{field}");
        fields += &match random.below(8) {
            0 => match pick(random, &OTHERS) {
                "int (*" => format!("int (*{name})(void);"),
                ty => format!("{ty} {name};"),
            },
            1 => format!("{} {name}[{}];", pick(random, &INTEGERS), 1 + random.below(5)),
            2 | 3 => {
                let ty = pick(random, &INTEGERS);
                let widest = match ty {
                    "_Bool" => 1,
                    ty if ty.contains("char") => 8,
                    ty if ty.contains("short") => 16,
                    ty if ty.contains("long long") => 60,
                    _ => 31,
                };
                let packed = match random.below(16) {
                    0 | 1 => " __attribute__((packed))",
                    2 => " __attribute__((aligned(4)))",
                    _ => "",
                };
                match random.below(8) {
                    0 => format!("{ty} : 0;"),
                    1 => format!("{ty} : {};", 1 + random.below(widest)),
                    _ => format!("{ty} {name} : {}{packed};", 1 + random.below(widest)),
                }
            }
            4 if random.below(2) == 0 => format!("struct {{ char {name}; int g{field}; }};"),
            5 if random.below(2) == 0 => {
                format!("{} {name} __attribute__((aligned({})));", pick(random, &INTEGERS), 1 << random.below(6))
            }
            _ => format!("{} {name};", pick(random, &INTEGERS)),
        };
    }
    let packed = if random.below(5) == 0 { " __attribute__((packed))" } else { "" };
    let aligned = if random.below(8) == 0 { " __attribute__((aligned(8)))" } else { "" };
    let (push, pop) = match random.below(12) {
        0 => ("#pragma pack(push, 1)", "#pragma pack(pop)"),
        1 => ("#pragma pack(2)", "#pragma pack()"),
        2 => ("#pragma pack(push, four, 4)", "#pragma pack(pop, four)"),
        _ => ("", ""),
    };
    format!("{push}\n{kind}{packed} r{number} {{ {fields} }}{aligned};\n{pop}\n")
}

#[test]
fn record_layouts() {
    let mut random = Random(0x2545_f491_4f6c_dd1d);
    let mut text = String::from(
        "enum e { E }; struct before { char c; long long l; };\n\
         typedef int strict __attribute__((aligned(16))); typedef long long loose __attribute__((aligned(2)));\n",
    );
    (0..400).for_each(|number| text += &record(&mut random, number));
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let unit = read(&(text.clone() + "int main(void) { return 0; }"), model);
        let mut assertions = text.clone();
        for record in unit.records.iter().filter(|record| record.name.starts_with('r')) {
            let kind = if record.is_union { "union" } else { "struct" };
            let name = &record.name;
            assertions += &format!("_Static_assert(sizeof({kind} {name}) == {}, \"size of {name}\");\n", record.size);
            assertions += &format!("_Static_assert(_Alignof({kind} {name}) == {}, \"{name}\");\n", record.align);
            for field in record.fields.iter().filter(|field| field.bit_width.is_none()) {
                let Some(field_name) = &field.name else { continue };
                assertions += &format!(
                    "_Static_assert(__builtin_offsetof({kind} {name}, {field_name}) == {}, \"{name}.{field_name}\");\n",
                    field.offset
                );
            }
        }
        if let Some(Err(complaints)) = accepted(&assertions, model) {
            panic!("{model:?}:\n{}", complaints.lines().take(30).collect::<Vec<_>>().join("\n"));
        }
    }
}

fn expression(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.below(6) == 0 {
        let suffix = pick(random, &["", "", "u", "l", "ul", "ll", "ull"]);
        return match random.below(5) {
            0 => pick(
                random,
                &["'a'", "'\\377'", "E", "sizeof(int)", "sizeof(long)", "2147483647", "0x80000000", "4294967296"],
            )
            .to_owned(),
            _ => format!("{}{suffix}", [0, 1, 2, 3, 7, 31, 100, 255, 65535, 70000][random.below(10)]),
        };
    }
    let inner = |random: &mut Random| expression(random, depth - 1);
    match random.below(12) {
        0 => format!("(-{})", inner(random)),
        1 => format!("(~{})", inner(random)),
        2 => format!("(!{})", inner(random)),
        3 | 4 => format!("(({}){})", pick(random, &INTEGERS), inner(random)),
        5 => format!("({} ? {} : {})", inner(random), inner(random), inner(random)),
        6 => format!("({} << {})", inner(random), random.below(31)),
        7 => format!("({} >> {})", inner(random), random.below(31)),
        8 => format!(
            "({} {} {})",
            inner(random),
            pick(random, &["<", "<=", ">", ">=", "==", "!=", "&&", "||"]),
            inner(random)
        ),
        9 => format!("sizeof({})", inner(random)),
        _ => {
            format!("({} {} {})", inner(random), pick(random, &["+", "-", "*", "/", "%", "&", "|", "^"]), inner(random))
        }
    }
}

/// The values that the checker folds, wide enough for every type.
fn values(expressions: &[String], model: DataModel) -> Vec<Option<String>> {
    let chosen: Vec<Option<String>> = expressions
        .iter()
        .map(|expression| {
            let text = format!("enum e {{ E = 5 }}; enum {{ V = ({expression}) < 0, }}; unsigned long long x = (unsigned long long)({expression}); int main(void) {{ return x; }}");
            let options = Reading { data_model: Some(model), ..Reading::default() };
            let unit = unit("a.i", &text, Kind::Preprocessed, &options).ok()?;
            match &unit.variables.first()?.init {
                Some(Init::Expr(value)) => match &value.kind {
                    braid_frontend::c::tree::ExprKind::Int(value) => Some(value.to_string()),
                    _ => None,
                },
                _ => None,
            }
        })
        .collect();
    chosen
}

#[test]
fn constant_expressions() {
    let mut random = Random(0x9e37_79b9_7f4a_7c15);
    let expressions: Vec<String> = (0..1_500).map(|_| expression(&mut random, 3)).collect();
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let values = values(&expressions, model);
        let mut text = String::from("enum e { E = 5 };\n");
        let mut known = 0;
        for (expression, value) in expressions.iter().zip(&values) {
            if let Some(value) = value {
                known += 1;
                text += &format!(
                    "_Static_assert(__builtin_choose_expr(__builtin_constant_p((unsigned long long)({expression})), (unsigned long long)({expression}) == {value}ull, 1), \"{}\");\n",
                    expression.replace('\\', "\\\\")
                );
            }
        }
        assert!(known > 300, "{known}");
        if let Some(Err(complaints)) = accepted(&text, model) {
            panic!(
                "{model:?}:\n{}",
                complaints.lines().filter(|line| line.contains("error")).take(20).collect::<Vec<_>>().join("\n")
            );
        }
    }
}

const VARIABLES: &str = "struct s { unsigned b3 : 3, b32 : 32; int i5 : 5; _Bool b1 : 1; short h; } s, *sp;\n\
    enum e { E = 5 } e; char c; signed char sc; unsigned char uc; short h; unsigned short uh; int i; unsigned u; long l;\n\
    unsigned long ul; long long ll; unsigned long long ull; _Bool b; float f; double d; int *p; int a[3]; const int k; volatile long vl;\n";

fn typed_expression(random: &mut Random, depth: usize) -> String {
    if depth == 0 || random.below(5) == 0 {
        return pick(
            random,
            &[
                "c", "sc", "uc", "h", "uh", "i", "u", "l", "ul", "ll", "ull", "b", "s.b3", "s.b32", "s.i5", "s.b1",
                "sp->h", "E", "e", "1", "2u", "3l", "'a'", "k", "vl", "*p", "a[1]", "(p - a)", "sizeof i",
            ],
        )
        .to_owned();
    }
    let inner = |random: &mut Random| typed_expression(random, depth - 1);
    match random.below(13) {
        0 => format!("(-{})", inner(random)),
        1 => format!("(~{})", inner(random)),
        2 => format!("(+{})", inner(random)),
        3 => format!("(!{})", inner(random)),
        4 => format!("(({}){})", pick(random, &INTEGERS), inner(random)),
        5 => format!("({} ? {} : {})", inner(random), inner(random), inner(random)),
        6 => format!("({} {} {})", inner(random), pick(random, &["<<", ">>"]), inner(random)),
        7 => format!("({} {} {})", inner(random), pick(random, &["<", "==", "&&", "||"]), inner(random)),
        8 => format!("({} , {})", inner(random), inner(random)),
        9 => format!(
            "({} {} {})",
            pick(random, &["c", "uh", "i", "ul", "b", "s.b3"]),
            pick(random, &["=", "+=", "<<="]),
            inner(random)
        ),
        10 => format!("({} + {})", pick(random, &["f", "d"]), inner(random)).replace("d + d", "d"),
        _ => format!("({} {} {})", inner(random), pick(random, &["+", "-", "*", "/", "&", "|", "^"]), inner(random)),
    }
}

fn c_name(ty: &Type) -> String {
    match ty {
        Type::Bool => "_Bool".to_owned(),
        Type::Float { bits: 32 } => "float".to_owned(),
        Type::Float { .. } => "double".to_owned(),
        Type::Int { signed, rank, .. } => {
            let name = ["signed char", "char", "short", "int", "long", "long long"][usize::from(*rank)];
            if *signed { name.to_owned() } else { format!("unsigned {name}") }
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn types_of_expressions() {
    let mut random = Random(0x1234_5678_9abc_def1);
    let expressions: Vec<String> = (0..3_000).map(|_| typed_expression(&mut random, 3)).collect();
    for model in [DataModel::Ilp32, DataModel::Lp64] {
        let mut known = 0;
        let mut assertions = format!("{VARIABLES}void check(void) {{\n");
        for expression in &expressions {
            // Bit-fields have types of their own in GCC until they are promoted.
            let has_bits = expression.contains("s.");
            let expression = &if has_bits { format!("+{expression}") } else { expression.clone() };
            let text = format!("{VARIABLES}int main(void) {{ {expression}; }}");
            let options = Reading { data_model: Some(model), ..Reading::default() };
            // Operators that take no floats are rejected, by GCC too.
            let Ok(unit) = unit("a.i", &text, Kind::Preprocessed, &options) else { continue };
            let Some(StmtKind::Expr(value)) =
                unit.functions[0].body.as_ref().and_then(|body| body.first()).map(|first| &first.kind)
            else {
                continue;
            };
            known += 1;
            let fits =
                format!("__builtin_types_compatible_p(__typeof__((void)0, ({expression})), {})", c_name(&value.ty));
            assertions += &format!("_Static_assert({fits}, \"{expression}: {}\");\n", c_name(&value.ty));
        }
        assertions += "}\n";
        assert!(known > 1_500, "{known}");
        if let Some(Err(complaints)) = accepted(&assertions, model) {
            panic!(
                "{model:?}:\n{}",
                complaints.lines().filter(|line| line.contains("error")).take(20).collect::<Vec<_>>().join("\n")
            );
        }
    }
}
