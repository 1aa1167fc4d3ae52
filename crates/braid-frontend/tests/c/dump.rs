//! The typed tree as text, for tests and for people: C-like, with every conversion written out.

use braid_frontend::c::tree::{
    BinaryOp, Callee, CompareOp, DataModel, Expr, ExprKind, Init, Place, PlaceKind, Qualified, Stmt, StmtKind, Storage,
    Type, UnaryOp, Unit, UpdateValue, Variable, VariableId,
};
use braid_frontend::c::{display, display_qualified};
use braid_program::source::Span;
use std::fmt::Write;

/// The whole unit. Names are followed by their numbers where two variables have one name.
pub fn to_text(unit: &Unit) -> String {
    let mut dump = Dump { unit, out: String::new(), depth: 0 };
    dump.unit();
    dump.out
}

struct Dump<'u> {
    unit: &'u Unit,
    out: String,
    depth: usize,
}

impl Dump<'_> {
    fn unit(&mut self) {
        let model = match self.unit.data_model {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        };
        self.line(model);
        // What the prelude has to do with it is not shown.
        let own = |span: Span| span.file < self.unit.prelude;
        for record in self.unit.records.iter().filter(|record| record.complete && own(record.span)) {
            let kind = if record.is_union { "union" } else { "struct" };
            let fields: Vec<String> = record
                .fields
                .iter()
                .map(|field| {
                    let name = field.name.as_deref().unwrap_or("_");
                    let width = field.bit_width.map_or(String::new(), |width| format!(":{width}"));
                    format!("{} {name}{width} @{}", self.qualified(&field.ty), field.offset)
                })
                .collect();
            self.line(&format!("{kind} {} {{ {} }} size {}", record.name, fields.join("; "), record.size));
        }
        for variable in self.unit.variables.iter().filter(|variable| own(variable.span)) {
            let storage = match variable.storage {
                Storage::Static => "static",
                Storage::Extern => "extern",
                Storage::Thread => "thread",
                Storage::Local(_) => continue,
            };
            let value = variable.init.as_ref().map_or(String::new(), |init| format!(" = {}", self.init(init)));
            self.line(&format!("{storage} {} {}{value}", self.qualified(&variable.ty), variable.name));
        }
        for function in self.unit.functions.iter().filter(|function| own(function.span)) {
            let parameters: Vec<String> = match function.body {
                None => function.ty.parameters.iter().map(|ty| self.ty(ty)).collect(),
                Some(_) => function.parameters.iter().map(|&id| self.declared(id)).collect(),
            };
            let mut list = parameters.join(", ");
            if function.ty.variadic {
                list += ", ...";
            }
            if function.ty.open {
                list += " open";
            }
            let head = format!("{} {}({})", self.ty(&function.ty.result), function.name, list.trim_start());
            match &function.body {
                None => self.line(&format!("{head};")),
                Some(body) => {
                    self.line(&format!("{head} {{"));
                    self.statements(body);
                    self.line("}");
                }
            }
        }
    }

    fn line(&mut self, text: &str) {
        let _ = writeln!(self.out, "{:width$}{text}", "", width = 2 * self.depth);
    }

    fn ty(&self, ty: &Type) -> String {
        display(ty, &self.unit.records)
    }

    fn qualified(&self, ty: &Qualified) -> String {
        display_qualified(ty, &self.unit.records)
    }

    fn declared(&self, id: VariableId) -> String {
        format!("{} {}", self.qualified(&self.unit.variables[id.index()].ty), self.name(id))
    }

    fn name(&self, id: VariableId) -> String {
        let variable = &self.unit.variables[id.index()];
        let is_same = |other: &&Variable| other.name == variable.name && other.span.file < self.unit.prelude;
        let is_shared = self.unit.variables.iter().filter(is_same).count() > 1;
        if is_shared { format!("{}#{}", variable.name, id.0) } else { variable.name.clone() }
    }

    fn statements(&mut self, statements: &[Stmt]) {
        self.depth += 1;
        statements.iter().for_each(|statement| self.statement(statement));
        self.depth -= 1;
    }

    fn nested(&mut self, head: &str, body: &Stmt) {
        self.line(format!("{head} {{").trim_start());
        self.body(body);
        self.line("}");
    }

    fn body(&mut self, body: &Stmt) {
        match &body.kind {
            StmtKind::Block(statements) => self.statements(statements),
            _ => self.statements(std::slice::from_ref(body)),
        }
    }

    fn statement(&mut self, statement: &Stmt) {
        match &statement.kind {
            StmtKind::Expr(expr) => self.line(&format!("{};", self.expr(expr))),
            StmtKind::Declare(id, init) => {
                let value = init.as_ref().map_or(String::new(), |init| format!(" = {}", self.init(init)));
                self.line(&format!("{}{value};", self.declared(*id)));
            }
            StmtKind::Block(_) => self.nested("", statement),
            StmtKind::If(test, then, other) => {
                self.nested(&format!("if {}", self.expr(test)), then);
                if let Some(other) = other {
                    self.nested("else", other);
                }
            }
            StmtKind::While(test, body) => self.nested(&format!("while {}", self.expr(test)), body),
            StmtKind::DoWhile(body, test) => {
                self.nested("do", body);
                self.line(&format!("while {};", self.expr(test)));
            }
            StmtKind::For { init, test, step, body } => {
                self.line("for");
                self.statements(std::slice::from_ref(init));
                let part = |expr: &Option<Expr>| expr.as_ref().map_or(String::new(), |expr| self.expr(expr));
                self.nested(&format!("; {}; {}", part(test), part(step)), body);
            }
            StmtKind::Switch(subject, body) => self.nested(&format!("switch {}", self.expr(subject)), body),
            StmtKind::Case { low, high, then } => {
                let range = if low == high { low.to_string() } else { format!("{low} ... {high}") };
                self.line(&format!("case {range}:"));
                self.statements(std::slice::from_ref(then));
            }
            StmtKind::Default(then) => {
                self.line("default:");
                self.statements(std::slice::from_ref(then));
            }
            StmtKind::Break => self.line("break;"),
            StmtKind::Continue => self.line("continue;"),
            StmtKind::Label(label, then) => {
                self.line(&format!("L{}:", label.0));
                self.statements(std::slice::from_ref(then));
            }
            StmtKind::Goto(label) => self.line(&format!("goto L{};", label.0)),
            StmtKind::Return(None) => self.line("return;"),
            StmtKind::Return(Some(value)) => self.line(&format!("return {};", self.expr(value))),
            StmtKind::Skip => self.line(";"),
        }
    }

    fn init(&self, init: &Init) -> String {
        match init {
            Init::Expr(expr) => self.expr(expr),
            Init::String(number, _) => self.string(*number),
            Init::List(items) => {
                let items: Vec<String> =
                    items.iter().map(|(index, init)| format!("{index}: {}", self.init(init))).collect();
                format!("{{ {} }}", items.join(", "))
            }
        }
    }

    fn string(&self, number: u32) -> String {
        format!("{:?}", String::from_utf8_lossy(&self.unit.strings[number as usize]))
    }

    fn expr(&self, expr: &Expr) -> String {
        match &expr.kind {
            ExprKind::Int(value) => match &expr.ty {
                Type::Int { bits: 32, signed: true, .. } => value.to_string(),
                ty => format!("{value}:{}", self.ty(ty)),
            },
            ExprKind::Float(bits) => format!("float:{bits}:{}", self.ty(&expr.ty)),
            ExprKind::String(number) => self.string(*number),
            ExprKind::Load(place) => self.place(place),
            ExprKind::AddressOf(place) => format!("&{}", self.place(place)),
            ExprKind::Function(id) => self.unit.functions[id.index()].name.clone(),
            ExprKind::Unary(op, inner) => {
                let op = match op {
                    UnaryOp::Negate => "-",
                    UnaryOp::Complement => "~",
                };
                format!("{op}{}", self.expr(inner))
            }
            ExprKind::Binary(op, left, right) => format!("({} {} {})", self.expr(left), binary(*op), self.expr(right)),
            ExprKind::Compare(op, left, right) => {
                format!("({} {} {})", self.expr(left), compare(*op), self.expr(right))
            }
            ExprKind::Not(inner) => format!("!{}", self.expr(inner)),
            ExprKind::And(left, right) => format!("({} && {})", self.expr(left), self.expr(right)),
            ExprKind::Or(left, right) => format!("({} || {})", self.expr(left), self.expr(right)),
            ExprKind::Conditional(test, then, other) => {
                let then = then.as_ref().map_or(String::new(), |then| self.expr(then));
                format!("({} ? {then} : {})", self.expr(test), self.expr(other))
            }
            ExprKind::Comma(left, right) => format!("({}, {})", self.expr(left), self.expr(right)),
            ExprKind::PointerAdd { pointer, count, size, negative } => {
                let sign = if *negative { "-" } else { "+" };
                format!("({} {sign} {}*{size})", self.expr(pointer), self.expr(count))
            }
            ExprKind::PointerDiff { left, right, size } => {
                format!("(({} - {})/{size})", self.expr(left), self.expr(right))
            }
            ExprKind::Assign(place, value) => format!("{} = {}", self.place(place), self.expr(value)),
            ExprKind::Update { place, op, value, pointer_size, order } => {
                let size = pointer_size.map_or(String::new(), |size| format!("*{size}"));
                let old = if *order == UpdateValue::Old { " (old)" } else { "" };
                format!("{} {}=:{} {}{size}{old}", self.place(place), binary(*op), self.ty(&value.ty), self.expr(value))
            }
            ExprKind::Cast(inner) => format!("({}){}", self.ty(&expr.ty), self.expr(inner)),
            ExprKind::Call(callee, arguments) => {
                let callee = match callee {
                    Callee::Direct(id) => self.unit.functions[id.index()].name.clone(),
                    Callee::Pointer(pointer) => format!("(*{})", self.expr(pointer)),
                };
                let arguments: Vec<String> = arguments.iter().map(|argument| self.expr(argument)).collect();
                format!("{callee}({})", arguments.join(", "))
            }
            ExprKind::Statements(statements) => {
                let mut inner = Dump { unit: self.unit, out: String::new(), depth: 0 };
                statements.iter().for_each(|statement| inner.statement(statement));
                format!("({{ {} }})", inner.out.split_whitespace().collect::<Vec<_>>().join(" "))
            }
            ExprKind::Literal(id, init) => format!("({} = {})", self.declared(*id), self.init(init)),
        }
    }

    fn place(&self, place: &Place) -> String {
        match &place.kind {
            PlaceKind::Variable(id) => self.name(*id),
            PlaceKind::Deref(pointer) => format!("*{}", self.expr(pointer)),
            PlaceKind::Field(base, index) => {
                let name = match base.ty.ty {
                    Type::Record(id) => self.unit.records[id.index()].fields[*index as usize].name.clone(),
                    _ => None,
                };
                format!("{}.{}", self.place(base), name.as_deref().unwrap_or("_"))
            }
            PlaceKind::Element(base, index) => format!("{}[{}]", self.place(base), self.expr(index)),
        }
    }
}

fn binary(op: BinaryOp) -> &'static str {
    match op {
        BinaryOp::Add => "+",
        BinaryOp::Subtract => "-",
        BinaryOp::Multiply => "*",
        BinaryOp::Divide => "/",
        BinaryOp::Remainder => "%",
        BinaryOp::ShiftLeft => "<<",
        BinaryOp::ShiftRight => ">>",
        BinaryOp::BitAnd => "&",
        BinaryOp::BitOr => "|",
        BinaryOp::BitXor => "^",
    }
}

fn compare(op: CompareOp) -> &'static str {
    match op {
        CompareOp::Equal => "==",
        CompareOp::NotEqual => "!=",
        CompareOp::Less => "<",
        CompareOp::LessEqual => "<=",
        CompareOp::Greater => ">",
        CompareOp::GreaterEqual => ">=",
    }
}
