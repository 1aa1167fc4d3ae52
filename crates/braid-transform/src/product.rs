//! The product of several runs: a program that completes if and only if the runs violate a property together.
//!
//! ```text
//! assume hypotheses over inputs;  par { run 1 } … { run k };  assume the rest of the negated property
//! ```
//!
//! Every run is a copy with variables of its own. Runs that the formula calls start from the same global variables. An
//! argument that is itself the result of a run is guessed before, and compared with that result behind: all runs stand side
//! by side, whatever the formula nests.

use crate::copy::Copier;
use crate::formula::{BUILT_IN, Binary, Formula, FormulaNode, NodeKind};
use crate::typing::{Look, RunCopy, Scope, Typed, Typing, op};
use braid_program::ast::{Claim, Expr, Op, ProcId, Procedure, Program, Stmt, StmtKind, Storage, Type, VarId, Variable};
use braid_program::source::{Sources, Span};
use braid_program::{Diagnostic, Diagnostics, Place, Subject};

/// The product program, and what its runs start with and end with.
#[derive(Clone, Debug)]
pub struct Product {
    /// The program: the property holds if no execution of it completes.
    pub program: Program,
    /// One for each run.
    pub columns: Vec<Column>,
}

/// What is to be seen of one run in a complete execution.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Column {
    /// The name of the run, or the call that it is.
    pub title: String,
    /// Inputs by their names.
    pub inputs: Vec<Shown>,
    /// Outputs by their names.
    pub outputs: Vec<Shown>,
}

/// A value to be seen.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shown {
    /// The name in the source.
    pub name: String,
    /// The name of the variable in the product.
    pub variable: String,
    /// Is it the value at the start of the execution? Otherwise it is that at the end.
    pub initial: bool,
    /// What holds it in the source's program.
    pub place: Place,
    /// Bit-vectors: are they numbers with a sign?
    pub signed: bool,
}

/// A run that is to be made.
struct Planned<'f> {
    title: String,
    prefix: String,
    subject: usize,
    /// The arguments, if it is a call.
    call: Option<(&'f [FormulaNode], Span)>,
}

/// Makes the product. `sources` has the formula's text. `subject_of` says which subject a named run is one of.
pub fn product(
    formula: &Formula,
    sources: &Sources,
    subjects: &[Subject],
    subject_of: &dyn Fn(&str) -> usize,
) -> Result<Product, Diagnostics> {
    build(formula, sources, subjects, subject_of)
        .map_err(|error| Diagnostics { sources: sources.clone(), errors: vec![error] })
}

fn build(
    formula: &Formula,
    sources: &Sources,
    subjects: &[Subject],
    subject_of: &dyn Fn(&str) -> usize,
) -> Typing<Product> {
    let span = formula.body.span;
    let planned = plan(formula, sources, subjects, subject_of)?;
    let mut program = Program::new(sources.clone(), Claim::NoCompleteExecution);
    let files: Vec<u32> = subjects.iter().map(|subject| program.sources.append(&subject.program.sources)).collect();
    let written: Vec<Vec<VarId>> = subjects.iter().map(Subject::written).collect();
    let mut scope = Scope {
        program: &mut program,
        subjects,
        named_runs: Vec::new(),
        called_runs: Vec::new(),
        runs: Vec::new(),
        values: Vec::new(),
        facts: Vec::new(),
    };
    bind_values(&mut scope, formula, &planned);
    let mut making = Making { scope, formula, files, written, shared: Vec::new(), starts: Vec::new(), labels: 0 };
    let mut columns = Vec::new();
    let mut branches = Vec::new();
    for (number, run) in planned.iter().enumerate() {
        let (column, main) = making.run(run, (number as u32, planned.len() as u32))?;
        columns.push(column);
        let call = StmtKind::Call { results: Vec::new(), procedure: main, arguments: Vec::new() };
        branches.push(Stmt { kind: call, span: run.call.map_or(span, |(_, place)| place) });
    }
    let Making { mut scope, starts, .. } = making;

    let mut conjuncts = Vec::new();
    let mut first = Vec::new();
    for (number, run) in planned.iter().enumerate() {
        pass_arguments(&mut scope, run, number, &mut first, &mut conjuncts)?;
    }
    scope.conjuncts(&formula.body, true, &mut conjuncts)?;
    let mut facts = std::mem::take(&mut scope.facts);
    facts.append(&mut conjuncts);
    let (after, before): (Vec<_>, Vec<_>) = facts.into_iter().partition(|(_, after)| *after);
    let mut body = Vec::new();
    let assign = |pairs: Vec<(VarId, Expr)>, body: &mut Vec<Stmt>| {
        if !pairs.is_empty() {
            body.push(Stmt { kind: StmtKind::Assign(pairs), span });
        }
    };
    body.extend(before.into_iter().map(|(formula, _)| assume(formula)));
    assign(first, &mut body);
    assign(starts, &mut body);
    body.push(Stmt { kind: StmtKind::Par(branches), span });
    body.extend(after.into_iter().map(|(formula, _)| assume(formula)));
    let main = Procedure {
        name: "main".into(),
        parameters: Vec::new(),
        results: Vec::new(),
        identity: None,
        body: Stmt { kind: StmtKind::Seq(body), span },
        span,
    };
    program.main = ProcId(program.procedures.len() as u32);
    program.procedures.push(main);
    Ok(Product { program, columns })
}

fn assume(formula: Expr) -> Stmt {
    let span = formula.span;
    Stmt { kind: StmtKind::Assume(formula), span }
}

/// The runs that a formula speaks of: those that `forall` binds, then the calls from left to right.
fn plan<'f>(
    formula: &'f Formula,
    sources: &Sources,
    subjects: &[Subject],
    subject_of: &dyn Fn(&str) -> usize,
) -> Typing<Vec<Planned<'f>>> {
    let mut runs: Vec<(&str, Span)> = Vec::new();
    let mut values: Vec<&str> = Vec::new();
    let mut calls = Vec::new();
    let mut wrong: Option<Diagnostic> = None;
    let mut fail = |error: Diagnostic| {
        wrong.get_or_insert(error);
    };
    let is_bound = |name: &str| formula.names.iter().any(|(known, _)| known == name);
    formula.body.for_each(&mut |node| match &node.kind {
        NodeKind::Name(name) | NodeKind::Variable { run: (name, _), .. } if !is_bound(name) => {
            fail(Diagnostic::new(node.span, format!("`{name}` is not bound by `forall`")));
        }
        NodeKind::Name(name) => values.push(name),
        NodeKind::Variable { run: (name, place), .. } => runs.push((name, *place)),
        NodeKind::Call { function: (name, place), arguments } if !BUILT_IN.contains(&name.as_str()) => {
            let Some(subject) = subjects.iter().position(|subject| subject.name == *name) else {
                return fail(Diagnostic::new(*place, format!("there is no function `{name}`")));
            };
            let expected = subjects[subject].parameters.len();
            if arguments.len() != expected {
                let plural = if expected == 1 { "" } else { "s" };
                let count = arguments.len();
                let message = format!("`{name}` takes {expected} argument{plural}, but there are {count}");
                return fail(Diagnostic::new(node.span, message));
            }
            if subjects[subject].result.is_none() {
                let error = Diagnostic::new(*place, format!("`{name}` gives no result"));
                return fail(error.hint("name the run and its variables instead: forall p: … p'.x …"));
            }
            calls.push((subject, arguments, node.span));
        }
        _ => {}
    });
    if let Some(error) = wrong {
        return Err(error);
    }
    if let Some((name, place)) = runs.iter().find(|(name, _)| values.contains(name)) {
        return Err(Diagnostic::new(*place, format!("`{name}` is a value elsewhere, and cannot be a run here")));
    }
    let mut planned = Vec::new();
    for (name, _) in formula.names.iter().filter(|(name, _)| runs.iter().any(|(run, _)| run == name)) {
        let prefix = format!("{name}.");
        planned.push(Planned { title: name.clone(), prefix, subject: subject_of(name), call: None });
    }
    for (number, (subject, arguments, place)) in calls.into_iter().enumerate() {
        let prefix = format!("{}{}.", subjects[subject].name, number + 1);
        let title = sources.excerpt(place, 40);
        planned.push(Planned { title, prefix, subject, call: Some((arguments, place)) });
    }
    if planned.is_empty() {
        let error = Diagnostic::new(formula.body.span, "this formula speaks of no run");
        return Err(error.hint("call a function, or mention a variable of a run: f(a), p.x, p'.x"));
    }
    Ok(planned)
}

/// Makes variables of the values that `forall` binds; each has the type of a parameter that it is passed for, and is a
/// mathematical integer if it is passed for none.
fn bind_values(scope: &mut Scope<'_>, formula: &Formula, planned: &[Planned<'_>]) {
    for (name, span) in &formula.names {
        let mut is_value = false;
        formula.body.for_each(&mut |node| is_value |= node.kind == NodeKind::Name(name.clone()));
        if !is_value {
            continue;
        }
        let passed =
            planned.iter().filter_map(|run| Some((run.subject, run.call?.0))).find_map(|(subject, arguments)| {
                let position = arguments.iter().position(|argument| argument.kind == NodeKind::Name(name.clone()))?;
                Some((subject, scope.subjects[subject].parameters[position]))
            });
        let (ty, look) = match passed {
            Some((subject, port)) => {
                let subject = &scope.subjects[subject];
                let port = &subject.ports[port];
                (subject.program.variable(port.place.variable()).ty.clone(), Look::of(port))
            }
            None => (Type::Int, Look::default()),
        };
        scope.program.variables.push(Variable { name: name.clone(), ty, storage: Storage::Global, span: *span });
        let id = VarId(scope.program.variables.len() as u32 - 1);
        scope.values.push((name.clone(), id, look));
    }
}

/// Copies being made.
struct Making<'a> {
    scope: Scope<'a>,
    formula: &'a Formula,
    files: Vec<u32>,
    /// What each subject writes.
    written: Vec<Vec<VarId>>,
    /// The global variables that calls start from.
    shared: Vec<(String, VarId)>,
    /// What variables that runs write are set to before.
    starts: Vec<(VarId, Expr)>,
    labels: u32,
}

impl Making<'_> {
    /// Makes the copy of one run.
    fn run(&mut self, run: &Planned<'_>, number: (u32, u32)) -> Typing<(Column, ProcId)> {
        let subject = &self.scope.subjects[run.subject];
        let span = run.call.map_or(self.formula.body.span, |(_, place)| place);
        let is_written =
            |port: usize| self.written[run.subject].binary_search(&subject.ports[port].place.variable()).is_ok();
        let written: Vec<bool> = (0..subject.ports.len()).map(is_written).collect();
        // The variables with the values before, where they are not the copy's own.
        let mut outer: Vec<Option<VarId>> = vec![None; subject.ports.len()];
        for (index, port) in subject.ports.iter().enumerate().filter(|(_, port)| port.name != "return") {
            let ty = subject.program.variable(port.place.variable()).ty.clone();
            let parameter = subject.parameters.iter().position(|&parameter| parameter == index);
            outer[index] = match (run.call, parameter) {
                (Some((arguments, _)), Some(position)) => {
                    let value = self.value(&arguments[position], &ty, &Look::of(port));
                    let snapshot = || self.scope.fresh(&format!("{}{}.0", run.prefix, port.name), ty.clone(), span);
                    value.or_else(|| written[index].then(snapshot))
                }
                (Some(_), None) => Some(self.shared(&port.name, &ty, span)?),
                (None, _) if written[index] && self.is_looked_at(&run.title, &port.name, false) => {
                    Some(self.scope.fresh(&format!("{}{}.0", run.prefix, port.name), ty, span))
                }
                (None, _) => None,
            };
        }
        let mut given = vec![None; subject.program.variables.len()];
        for (index, port) in subject.ports.iter().enumerate().filter(|(index, _)| !written[*index]) {
            given[port.place.variable().index()] = outer[index];
        }
        let copier = Copier {
            from: &subject.program,
            given,
            prefix: run.prefix.clone(),
            files: self.files[run.subject],
            number,
            labels: self.labels,
        };
        let name = |id: VarId, variable: &Variable| {
            let port = subject.ports.iter().find(|port| port.place.variable() == id);
            match (port, variable.storage) {
                (Some(port), _) => format!("{}{}", run.prefix, port.name),
                (None, Storage::Global) => format!("{}{}", run.prefix, variable.name),
                (None, Storage::Local(_) | Storage::Bound) => variable.name.clone(),
            }
        };
        let copied = copier.copy(self.scope.program, name).map_err(|message| Diagnostic::new(span, message))?;
        self.labels = copied.labels;
        let own = |index: usize| copied.variables[subject.ports[index].place.variable().index()];
        let after: Vec<VarId> = (0..subject.ports.len()).map(own).collect();
        let before = (0..subject.ports.len()).map(|index| outer[index].unwrap_or(after[index])).collect();
        for index in 0..subject.ports.len() {
            if let Some(start) = outer[index].filter(|_| written[index]) {
                self.starts.push((after[index], self.scope.var(start, span)));
            }
        }
        let place = self.scope.runs.len();
        match run.call {
            Some((_, span)) => self.scope.called_runs.push((span, place)),
            None => self.scope.named_runs.push((run.title.clone(), place)),
        }
        let run_made = RunCopy { subject: run.subject, before, after };
        let column = self.column(run, &run_made, &written, &outer);
        self.scope.runs.push(run_made);
        Ok((column, copied.main))
    }

    /// The variable of a bound value that is passed just as it is.
    fn value(&self, argument: &FormulaNode, ty: &Type, look: &Look) -> Option<VarId> {
        let NodeKind::Name(name) = &argument.kind else { return None };
        let (_, id, known) = self.scope.values.iter().find(|(known, ..)| known == name)?;
        let fits =
            self.scope.program.variable(*id).ty == *ty && known.layout == look.layout && known.signed == look.signed;
        fits.then_some(*id)
    }

    /// The value that all calls start with in a global variable.
    fn shared(&mut self, name: &str, ty: &Type, span: Span) -> Typing<VarId> {
        if let Some((_, id)) = self.shared.iter().find(|(known, _)| known == name) {
            if self.scope.program.variable(*id).ty == *ty {
                return Ok(*id);
            }
            return Err(Diagnostic::new(
                span,
                format!("the global variable `{name}` has different types in the programs"),
            ));
        }
        let id = self.scope.fresh(&format!("start.{name}"), ty.clone(), span);
        self.shared.push((name.to_owned(), id));
        Ok(id)
    }

    /// Does the formula mention the variable of a run, before it starts or after it has ended?
    fn is_looked_at(&self, run: &str, variable: &str, at_end: bool) -> bool {
        let mut found = false;
        self.formula.body.for_each(&mut |node| {
            found |= matches!(&node.kind, NodeKind::Variable { run: (name, _), after, variable: (mentioned, _) }
                if name == run && mentioned == variable && (*after || variable == "return") == at_end);
        });
        found
    }

    fn column(&self, run: &Planned<'_>, made: &RunCopy, written: &[bool], outer: &[Option<VarId>]) -> Column {
        let subject = &self.scope.subjects[run.subject];
        let name_of = |id: VarId| self.scope.program.variable(id).name.clone();
        let (mut inputs, mut outputs) = (Vec::new(), Vec::new());
        for (index, port) in subject.ports.iter().enumerate() {
            let shown = |id: VarId, initial: bool| Shown {
                name: port.name.clone(),
                variable: name_of(id),
                initial,
                place: port.place,
                signed: port.signed,
            };
            if port.name != "return" {
                inputs.push(shown(made.before[index], written[index] && outer[index].is_none()));
            }
            // What the formula does not look at need not have its value at the end: nobody needs it.
            let counts = match run.call {
                Some(_) => subject.result == Some(index),
                None => self.is_looked_at(&run.title, &port.name, true),
            };
            if counts {
                outputs.push(shown(made.after[index], false));
            }
        }
        Column { title: run.title.clone(), inputs, outputs }
    }
}

/// Gives the parameters of a call their arguments: by an assignment where they are known before the runs.
fn pass_arguments(
    scope: &mut Scope<'_>,
    run: &Planned<'_>,
    number: usize,
    assignments: &mut Vec<(VarId, Expr)>,
    conjuncts: &mut Vec<(Expr, bool)>,
) -> Typing<()> {
    let Some((arguments, _)) = run.call else { return Ok(()) };
    for (position, argument) in arguments.iter().enumerate() {
        let subject = &scope.subjects[run.subject];
        let port = subject.parameters[position];
        let look = Look::of(&subject.ports[port]);
        let target = scope.runs[number].before[port];
        let value = scope.typed(argument)?;
        let parameter = scope.var(target, argument.span);
        if value.expr.kind == parameter.kind {
            continue;
        }
        // Bit-vectors of one width stand for the same number only if both have a sign, or none.
        let fits = value.expr.ty == parameter.ty
            && value.look.layout == look.layout
            && (value.look.signed == look.signed || !matches!(parameter.ty, Type::BitVec(_)));
        if fits && !value.after {
            assignments.push((target, value.expr));
            continue;
        }
        let after = value.after;
        let parameter = Typed { expr: parameter, look, after: false };
        let is_same = parameter.look.layout == value.look.layout && parameter.expr.ty == value.expr.ty;
        let equation = if is_scalar(&parameter.expr) {
            scope.binary(Binary::Equal, parameter, value, argument.span)?
        } else if is_same {
            op(Op::Eq, vec![parameter.expr, value.expr], argument.span)?
        } else {
            let message = "this argument is an array of another type, or with another number of elements";
            return Err(Diagnostic::new(argument.span, message));
        };
        conjuncts.push((equation, after));
    }
    Ok(())
}

fn is_scalar(expr: &Expr) -> bool {
    matches!(expr.ty, Type::Int | Type::Bool | Type::BitVec(_))
}
