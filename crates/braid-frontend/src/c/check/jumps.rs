//! Jumps: labels of functions and of blocks, labels as values, and what runs at the end of variables' lives (`cleanup`).
//!
//! *Invariant*: whoever leaves the scope of a variable with a cleanup function runs it, the last variable's first: at the end of the block,
//! and before `break`, `continue`, `goto` and `return`, whose value is evaluated before.

use super::*;
use crate::c::syntax::StmtKind as Syntax;

pub(super) struct Label {
    pub id: LabelId,
    pub is_defined: bool,
    /// Of the first mention.
    pub span: Span,
    /// The declarators whose variables with a cleanup function live there.
    alive: Vec<Site>,
    /// Its address is that of this variable.
    address: Option<VariableId>,
}

/// A declarator in the text, by its address.
type Site = usize;

/// What runs at the end of a variable's life.
#[derive(Clone)]
pub(super) struct Cleanup {
    variable: VariableId,
    function: usize,
    declared: Site,
}

impl<'t> Checker<'t> {
    /// Notes the labels of a function's body.
    pub(super) fn enter_labels(&mut self, body: &'t [syntax::Stmt<'t>]) {
        self.context.labels.push(FxHashMap::default());
        self.note_labels(body);
    }

    /// Notes labels of the function in statements that nobody outside of them can jump into.
    pub(super) fn note_labels(&mut self, statements: &'t [syntax::Stmt<'t>]) {
        self.insert_labels(statements, 0, |name| !declares(statements, name));
    }

    /// Labels that a block declares as its own.
    pub(super) fn declare_labels(&mut self, names: &[Name<'t>], block: &'t [syntax::Stmt<'t>]) {
        self.context.labels.push(FxHashMap::default());
        self.insert_labels(block, self.context.labels.len() - 1, |name| names.iter().any(|own| own.text == name));
    }

    fn insert_labels(&mut self, block: &'t [syntax::Stmt<'t>], level: usize, is_own: impl Fn(&str) -> bool) {
        let mut alive = self.context.cleanups.iter().map(|cleanup| cleanup.declared).collect();
        let mut found = Vec::new();
        block.iter().for_each(|statement| labels_of(statement, &mut alive, &mut found));
        for (name, alive) in found.into_iter().filter(|(name, _)| is_own(name.text)) {
            let label = self.new_label(name.span, alive);
            if let Some(labels) = self.context.labels.get_mut(level) {
                labels.entry(name.text).or_insert(label);
            }
        }
    }

    fn new_label(&mut self, span: Span, alive: Vec<Site>) -> Label {
        self.labels += 1;
        Label { id: LabelId(self.labels - 1), is_defined: false, span, alive, address: None }
    }

    /// Forgets the labels of blocks, all but those of so many.
    pub(super) fn leave_labels(&mut self, level: usize) {
        for (name, label) in self.context.labels.drain(level..).flatten().filter(|(_, label)| !label.is_defined) {
            self.errors.push(Diagnostic::new(label.span, format!("there is no label `{name}` in this function")));
        }
    }

    fn find_label(&mut self, name: &str) -> Option<&mut Label> {
        self.context.labels.iter_mut().rev().find_map(|labels| labels.get_mut(name))
    }

    pub(super) fn label(&mut self, name: Name<'t>, is_definition: bool) -> Check<LabelId> {
        if self.find_label(name.text).is_none() {
            if self.outer_labels.contains(name.text) {
                return self.unsupported(name.span, "a jump out of a function inside of a function");
            }
            let label = self.new_label(name.span, Vec::new());
            if let Some(labels) = self.context.labels.first_mut() {
                labels.insert(name.text, label);
            }
        }
        let Some(label) = self.find_label(name.text) else {
            return self.error(name.span, "a label outside of a function");
        };
        let (id, is_second) = (label.id, is_definition && std::mem::replace(&mut label.is_defined, true));
        if is_second {
            return self.error(name.span, format!("there are two labels `{}` in this function", name.text));
        }
        Ok(id)
    }

    pub(super) fn goto(&mut self, name: Name<'t>, span: Span, out: &mut Vec<Stmt>) -> Check<()> {
        let id = self.label(name, false)?;
        let alive = self.find_label(name.text).map(|label| label.alive.clone()).unwrap_or_default();
        let left = self.context.cleanups.iter().position(|cleanup| !alive.contains(&cleanup.declared));
        self.run_cleanups(left, out)?;
        out.push(Stmt { kind: StmtKind::Goto(id), span });
        Ok(())
    }

    /// `&&label`: the address of a variable that nobody accesses.
    pub(super) fn label_value(&mut self, name: Name<'t>, span: Span) -> Check<Expr> {
        self.reject_if(self.context.id.is_none(), span, "a label outside of a function")?;
        self.label(name, false)?;
        let known = self.find_label(name.text).and_then(|label| label.address);
        let variable = known.unwrap_or_else(|| {
            let name = format!("label {}", name.text);
            self.new_variable(&name, plain(types::CHAR), Storage::Static, span)
        });
        if let Some(label) = self.find_label(name.text) {
            label.address = Some(variable);
        }
        let kind = ExprKind::AddressOf(Box::new(self.variable_place(variable, span)));
        Ok(Expr { kind, ty: pointer_to(plain(Type::Void)), span })
    }

    /// `goto *address`: to that label whose address it is.
    pub(super) fn goto_value(&mut self, address: Written<'t>, span: Span, out: &mut Vec<Stmt>) -> Check<()> {
        if !self.context.cleanups.is_empty() {
            return self.unsupported(span, "`goto` to a computed address out of the life of a variable with `cleanup`");
        }
        let pointer = pointer_to(plain(Type::Void));
        let address = self.expr(address)?;
        let address = self.converted(address, &pointer, span)?;
        let target = self.new_local("target", plain(pointer), span);
        let mut statements = vec![Stmt { kind: StmtKind::Declare(target, Some(Init::Expr(address))), span }];
        // Of labels with the same name, each in its block, only the one around is known.
        let (mut seen, mut is_open) = (FxHashSet::default(), self.context.labels.len() > 1);
        for &name in self.context.label_values {
            if !seen.insert(name.text) {
                continue;
            }
            if self.find_label(name.text).is_none() {
                is_open = true;
                continue;
            }
            let own = self.label_value(name, span)?;
            let test = self.compare(CompareOp::Equal, self.variable_value(target, span), own, span)?;
            let jump = Stmt { kind: StmtKind::Goto(self.label(name, false)?), span };
            statements.push(Stmt { kind: StmtKind::If(test, Box::new(jump), None), span });
        }
        let end = match is_open {
            false => self.builtin_call("__builtin_unreachable", span)?,
            true => self.unsupported_call("`goto` to a computed address among labels of blocks".to_owned(), span)?,
        };
        statements.push(Stmt { kind: StmtKind::Expr(end), span });
        out.push(Stmt { kind: StmtKind::Block(statements), span });
        Ok(())
    }

    /// Notes what runs at the end of a variable's life.
    pub(super) fn note_cleanup(&mut self, variable: VariableId, declared: Declared<'t>) -> Check<()> {
        let Some(name) = cleanup(declared) else { return Ok(()) };
        let function = match self.scopes.find(name.text) {
            Some(&Entity::Function(index)) => index,
            None => self.undeclared_function(name.text, name.span),
            Some(_) => return self.error(name.span, format!("`{}` is not a function", name.text)),
        };
        let declared = site(declared.declarator);
        self.context.cleanups.push(Cleanup { variable, function, declared });
        // What cannot be called is said once, here.
        self.cleanup_call(self.context.cleanups.len() - 1).map(drop)
    }

    fn cleanup_call(&mut self, number: usize) -> Check<Stmt> {
        let Cleanup { variable, function, .. } = self.context.cleanups[number];
        let span = self.variables[variable.index()].span;
        let (name, ty) = (self.functions[function].name, self.functions[function].ty.clone());
        self.note_call(name, false);
        let place = self.variable_place(variable, span);
        let mut address = self.address_of(Operand::Place(place), span)?;
        if let Some(parameter) = ty.parameters.first().filter(|parameter| **parameter != Type::Void) {
            address = self.converted(address, parameter, span)?;
        }
        let id = self.function_id(function);
        let call = self.library_call(id, vec![address], (&ty.result, ResultUse::Used), span)?;
        Ok(Stmt { kind: StmtKind::Expr(call), span })
    }

    /// Runs what belongs to all variables but so many.
    pub(super) fn run_cleanups(&mut self, level: Option<usize>, out: &mut Vec<Stmt>) -> Check<()> {
        for number in (level.unwrap_or(usize::MAX)..self.context.cleanups.len()).rev() {
            let call = self.cleanup_call(number)?;
            out.push(call);
        }
        Ok(())
    }

    /// The end of a block: the lives of all variables but so many end. The value of the block, if it is to have one, comes last.
    pub(super) fn end_lives(&mut self, level: usize, out: &mut Vec<Stmt>) {
        if self.context.cleanups.len() <= level {
            return;
        }
        let value = match out.pop() {
            Some(Stmt { kind: StmtKind::Expr(mut value), span }) if value.ty != Type::Void => {
                self.keep_value(&mut value, out);
                Some(Stmt { kind: StmtKind::Expr(value), span })
            }
            last => {
                out.extend(last);
                None
            }
        };
        // What is wrong with a call was said where the variable is declared.
        let _ = self.run_cleanups(Some(level), out);
        out.extend(value);
        self.context.cleanups.truncate(level);
    }

    /// Evaluates a value before what follows.
    pub(super) fn keep_value(&mut self, value: &mut Expr, out: &mut Vec<Stmt>) {
        let span = value.span;
        if matches!(value.kind, ExprKind::Int(_) | ExprKind::Float(_)) || value.ty == Type::Void {
            return;
        }
        let kept = self.new_local("kept", plain(value.ty.clone()), span);
        let evaluated = std::mem::replace(value, self.variable_value(kept, span));
        out.push(Stmt { kind: StmtKind::Declare(kept, Some(Init::Expr(evaluated))), span });
    }
}

fn site(declarator: &Declarator<'_>) -> Site {
    std::ptr::from_ref(declarator) as Site
}

/// The function that a declaration asks for.
fn cleanup<'t>(declared: Declared<'t>) -> Option<Name<'t>> {
    declared.attributes().into_iter().find_map(|attributes| attributes.cleanup)
}

/// The labels in a statement, each with the variables with a cleanup function that live there.
fn labels_of<'t>(statement: &'t syntax::Stmt<'t>, alive: &mut Vec<Site>, found: &mut Vec<(Name<'t>, Vec<Site>)>) {
    let level = alive.len();
    match &statement.kind {
        Syntax::Declaration(declaration) => {
            for (declarator, _) in &declaration.declarators {
                let declared = Declared { specifiers: &declaration.specifiers, declarator, value: None };
                alive.extend(cleanup(declared).map(|_| site(declarator)));
            }
        }
        Syntax::Label(name, then) => {
            found.push((*name, alive.clone()));
            labels_of(then, alive, found);
        }
        Syntax::Case(_, _, then) | Syntax::Default(then) => labels_of(then, alive, found),
        Syntax::If(_, then, other) => {
            labels_of(then, alive, found);
            other.iter().for_each(|other| labels_of(other, alive, found));
        }
        Syntax::While(_, body) | Syntax::DoWhile(body, _) | Syntax::Switch(_, body) => labels_of(body, alive, found),
        Syntax::For(init, _, _, body) => {
            labels_of(init, alive, found);
            labels_of(body, alive, found);
            alive.truncate(level);
        }
        Syntax::Block(statements) => {
            let mut inner = Vec::new();
            statements.iter().for_each(|statement| labels_of(statement, alive, &mut inner));
            alive.truncate(level);
            found.extend(inner.into_iter().filter(|(name, _)| !declares(statements, name.text)));
        }
        _ => {}
    }
}

/// Is a label the block's own?
fn declares(block: &[syntax::Stmt<'_>], name: &str) -> bool {
    let is_own = |statement: &syntax::Stmt<'_>| match &statement.kind {
        Syntax::Labels(names) => names.iter().any(|own| own.text == name),
        _ => false,
    };
    block.iter().any(is_own)
}
