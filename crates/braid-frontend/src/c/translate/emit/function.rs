//! Functions become procedures, calls become calls.
//!
//! A function that can end its thread (`pthread_exit`, itself or by calls) has two more results: whether it did, and with which
//! value; every call of it is followed by a test. A started function is a procedure with one result, the value that others can join.

use crate::c::translate::{
    Frame, Ints, Location, ObjectKind, Range, Result, Role, Scalar, Translator, Value, block, call_graph, has_effects,
    if_else, primitive_of, reject, uncast, walk,
};
use crate::c::tree::{self, Callee, ExprKind, FunctionId};
use braid_logic::Integer;
use braid_program::ast::Check;
use braid_program::ast::build::{self, eq, int};
use braid_program::ast::{self, ProcId, Procedure, Stmt, StmtKind, Type, VarId};
use braid_program::source::Span;

impl Translator<'_, '_> {
    /// The procedure of a function in a role.
    pub(crate) fn procedure(&mut self, function: FunctionId, role: Role) -> Result<ProcId> {
        if let Some(&id) = self.of_function.get(&(function, role)) {
            return Ok(id);
        }
        let id = ProcId(self.procedures.len() as u32);
        self.procedures.push(None);
        self.of_function.insert((function, role), id);
        let frame = std::mem::replace(&mut self.frame, Frame { function, procedure: id, role, ..Frame::default() });
        let out = std::mem::take(&mut self.out);
        self.frame.atomic = u32::from(matches!(role, Role::Called { atomic: true }));
        let procedure = match role {
            Role::Thread if self.graph.called[function.index()] => self.thread_around_call(function),
            _ => self.body(function, role),
        };
        self.frame = frame;
        self.out = out;
        match procedure {
            Ok(procedure) => self.procedures[id.index()] = Some(procedure),
            Err(stop) => {
                self.drop_from(id);
                return Err(stop);
            }
        }
        Ok(id)
    }

    /// Forgets procedures that were begun for one that is not supported: nobody else calls them.
    fn drop_from(&mut self, first: ProcId) {
        self.of_function.retain(|_, id| *id < first);
        for (number, procedure) in self.procedures.iter_mut().enumerate().skip(first.index()) {
            let span = Span::default();
            *procedure = Some(Procedure {
                name: format!("unsupported {number}"),
                parameters: Vec::new(),
                results: Vec::new(),
                identity: None,
                body: Stmt::skip(span),
                span,
            });
        }
    }

    pub(crate) fn add_result(&mut self, scalar: Scalar, span: Span) {
        let result = self.local("result".into(), self.ints.ty(scalar), span);
        self.frame.results.push(result);
    }

    fn body(&mut self, function: FunctionId, role: Role) -> Result<Procedure> {
        let declared = &self.unit.functions[function.index()];
        let span = declared.span;
        let Some(body) = &declared.body else { return reject(span, "the function has no body") };
        self.frame.repeats = walk::jumps_back(body);
        match role {
            Role::Main => {}
            Role::Thread => self.add_result(self.pointer(), span),
            Role::Called { .. } => {
                for scalar in self.scalars(&declared.ty.result, span)? {
                    self.add_result(scalar, span);
                }
                if self.graph.exits[function.index()] {
                    let flag = self.local("exited".into(), Type::Bool, span);
                    let value = self.local("exit_value".into(), self.ints.ty(self.pointer()), span);
                    self.frame.exit = Some((flag, value));
                    self.assign(flag, ast::Expr::bool(false, span), span);
                }
                self.begin_without_result(function, span)?;
            }
        }
        let depth = self.depth_parameter(function, role, span);
        let mut parameters = self.parameters(function, role)?;
        parameters.splice(0..0, depth);
        declared.parameters.iter().try_for_each(|&parameter| self.begin_life(parameter, span))?;
        self.begin_call(span)?;
        self.statements(body)?;
        self.leave_block(0, span)?;
        if role == Role::Main {
            self.leave_program(span)?;
        }
        if role == Role::Thread {
            self.leave_thread(span)?;
        }
        if role == Role::Main && self.is_about_waiting() {
            self.stop(span);
        }
        Ok(self.finished(declared.name.clone(), parameters, span))
    }

    /// The procedure whose body has been emitted.
    pub(crate) fn finished(&mut self, name: String, parameters: Vec<VarId>, span: Span) -> Procedure {
        let mut results = std::mem::take(&mut self.frame.results);
        results.extend(self.frame.exit.into_iter().flat_map(|(flag, value)| [flag, value]));
        results.extend(self.frame.returned);
        let body = *block(std::mem::take(&mut self.out), span);
        Procedure { name, parameters, results, identity: self.frame.identity, body, span }
    }

    /// The scalars of a type that are tracked.
    pub(crate) fn scalars(&self, ty: &tree::Type, span: Span) -> Result<Vec<Scalar>> {
        if *ty == tree::Type::Void {
            return Ok(Vec::new());
        }
        let parts = self.parts(ty, span)?;
        Ok(parts.iter().map(|part| part.scalar).collect())
    }

    fn parameters(&mut self, function: FunctionId, role: Role) -> Result<Vec<VarId>> {
        let declared = &self.unit.functions[function.index()];
        let mut parameters = Vec::new();
        for &parameter in &declared.parameters {
            let variable = &self.unit.variables[parameter.index()];
            let (ty, span) = (&variable.ty.ty, variable.span);
            let object = self.points.objects.of(ObjectKind::Variable(parameter));
            if role == Role::Main {
                // Whatever the program is started with. The environment gives no negative number of arguments.
                if let Some(scalar @ Scalar::Int { .. }) = self.scalar(ty) {
                    let value = self.arbitrary(scalar, span);
                    let zero = self.number(scalar, 0, span).expr;
                    let natural = self.ints.compare(tree::CompareOp::LessEqual, scalar, zero, value.expr.clone(), span);
                    self.assume(natural, span);
                    self.store(&Location::object(object), scalar, value, span)?;
                }
                continue;
            }
            self.renew(object, span)?;
            let kind = ObjectKind::Variable(parameter);
            if self.scalar(ty).is_some_and(|scalar| scalar != Scalar::Bool && !self.drops(scalar))
                && !self.decisions.through_pointers.contains(&kind)
                && !self.is_renewed(object)
                && !self.points.objects.get(object).in_bytes
            {
                let variable = self.variable(object, 0, None);
                parameters.push(variable);
                continue;
            }
            let mut values = Vec::new();
            for scalar in self.scalars(ty, span)? {
                let incoming = self.local(format!("{}.in", variable.name), self.ints.ty(scalar), span);
                parameters.push(incoming);
                let expr = self.var(incoming, span);
                values.push(self.ints.any(scalar, expr, false));
            }
            self.store_parts(&Location::object(object), ty, &values, span)?;
        }
        Ok(parameters)
    }

    /// The values of arguments, none of which reads shared memory.
    fn arguments(&mut self, arguments: &[tree::Expr]) -> Result<Vec<Vec<Value>>> {
        arguments.iter().map(|argument| self.stable_values(argument, argument.span)).collect()
    }

    /// A call; gives the parts of its value. Is the value used?
    pub(crate) fn call(&mut self, expr: &tree::Expr, wanted: bool) -> Result<Vec<Value>> {
        let span = expr.span;
        let ExprKind::Call(callee, arguments) = &expr.kind else { return reject(span, "a call is expected") };
        let direct = match callee {
            Callee::Direct(id) => Some(*id),
            Callee::Pointer(pointer) => match &uncast(pointer).kind {
                ExprKind::Function(id) => Some(*id),
                _ => None,
            },
        };
        if let Some(id) = direct {
            let declared = &self.unit.functions[id.index()];
            if declared.body.is_none() || primitive_of(declared).is_some() {
                let values = self.library(&declared.name, expr, arguments);
                self.end_after(id, span);
                return values;
            }
            if declared.inline {
                self.note_library(&declared.name, span);
                return self.expand(id, arguments, wanted, span);
            }
            let values = self.arguments(arguments)?;
            let values = self.adapted(id, arguments, values, span)?;
            return self.invoke(id, values, wanted, span);
        }
        let Callee::Pointer(pointer) = callee else { return reject(span, "a call of nothing") };
        let address = self.stable(pointer, span)?;
        let values = self.arguments(arguments)?;
        let candidates = self.points.functions(pointer);
        let mut functions = candidates.clone();
        functions.retain(|&id| self.takes(id, arguments.len()));
        if build::numeral(&address.expr).is_some_and(Integer::is_zero) || functions.is_empty() && !candidates.is_empty()
        {
            return self.undefined_call(&expr.ty, span);
        }
        self.call_one_of(&functions, address.expr, span, |t, id| {
            let declared = &t.unit.functions[id.index()];
            let is_library = declared.body.is_none() || primitive_of(declared).is_some();
            if is_library && !arguments.iter().any(has_effects) {
                let values = t.library(&declared.name, expr, arguments);
                t.end_after(id, span);
                return values;
            }
            let values = t.adapted(id, arguments, values.clone(), span)?;
            t.invoke(id, values, wanted, span)
        })
    }

    /// No execution goes on behind the call of a function that never returns; behind the end of the thread that is said already.
    fn end_after(&mut self, id: FunctionId, span: Span) {
        let is_end = |stmt: &Stmt| match &stmt.kind {
            StmtKind::Assume(formula) | StmtKind::Await(formula, _) => {
                matches!(formula.kind, ast::ExprKind::Bool(false))
            }
            StmtKind::Return => true,
            _ => false,
        };
        if self.unit.functions[id.index()].attributes.noreturn && !self.out.last().is_some_and(is_end) {
            self.assume(ast::Expr::bool(false, span), span);
        }
    }

    /// Does C let a function be called with so many arguments?
    fn takes(&self, id: FunctionId, arguments: usize) -> bool {
        let declared = &self.unit.functions[id.index()];
        let parameters = declared.parameters.len();
        declared.body.is_none()
            || parameters == arguments
            || parameters < arguments && (declared.ty.variadic || declared.ty.open)
    }

    /// A call through a pointer that surely is not one to such a function.
    pub(crate) fn undefined_call(&mut self, result: &tree::Type, span: Span) -> Result<Vec<Value>> {
        self.require(Check::Deref, ast::Expr::bool(false, span), span);
        self.assume(ast::Expr::bool(false, span), span);
        let scalars = self.scalars(result, span)?;
        Ok(scalars.into_iter().map(|scalar| self.arbitrary(scalar, span)).collect())
    }

    /// A call of that one of several functions whose address is given.
    pub(crate) fn call_one_of(
        &mut self,
        functions: &[FunctionId],
        address: ast::Expr,
        span: Span,
        mut call: impl FnMut(&mut Self, FunctionId) -> Result<Vec<Value>>,
    ) -> Result<Vec<Value>> {
        let Some((&last, rest)) = functions.split_last() else {
            self.require(Check::Deref, build::not(eq(address.clone(), self.fixed(0, span), span), span), span);
            return reject(span, "it is not known which function this pointer points to");
        };
        let mut address_of = |&function: &FunctionId| {
            let object = self.points.objects.of(ObjectKind::Function(function));
            self.address(object, span)
        };
        let addresses: Vec<ast::Expr> = functions.iter().map(&mut address_of).collect::<Result<_>>()?;
        self.require_callee(&address, &addresses, span);
        if rest.is_empty() {
            return call(self, last);
        }
        let mut results: Vec<VarId> = Vec::new();
        let mut ranges: Vec<Range> = Vec::new();
        let mut chain: Option<Stmt> = None;
        for (&function, own) in functions.iter().zip(addresses).rev() {
            let before = self.frame.constants.clone();
            let (mut stmts, values) = self.apart(|t| call(t, function))?;
            self.frame.constants = before;
            while results.len() < values.len() {
                let ty = values[results.len()].expr.ty.clone();
                let temporary = self.temporary(ty, span);
                ranges.push(values[results.len()].range.clone());
                results.push(temporary);
            }
            for (range, value) in ranges.iter_mut().zip(&values) {
                *range = range.hull(&value.range);
            }
            for (&result, value) in results.iter().zip(values) {
                if self.variables[result.index()].ty != value.expr.ty {
                    return reject(span, "functions of different types are called through one pointer");
                }
                stmts.push(Stmt { kind: StmtKind::Assign(vec![(result, value.expr)]), span });
            }
            let then = *block(stmts, span);
            chain = Some(match chain {
                None => then,
                Some(other) => if_else(eq(address.clone(), own, span), then, other),
            });
        }
        self.out.extend(chain);
        let results = results.into_iter().zip(ranges);
        Ok(results.map(|(id, range)| Value { expr: self.var(id, span), range, reads: false }).collect())
    }

    /// Arguments in the types of the parameters, where no prototype has seen to it.
    fn adapted(
        &mut self,
        id: FunctionId,
        arguments: &[tree::Expr],
        values: Vec<Vec<Value>>,
        span: Span,
    ) -> Result<Vec<Vec<Value>>> {
        let parameters = &self.unit.functions[id.index()].parameters;
        if parameters.len() > values.len() {
            return reject(span, "there are fewer arguments than parameters");
        }
        let mut adapted = Vec::new();
        for ((&parameter, argument), mut value) in parameters.iter().zip(arguments).zip(values) {
            let ty = &self.unit.variables[parameter.index()].ty.ty;
            match (self.scalar(&argument.ty), self.scalar(ty)) {
                (Some(from), Some(to)) if from != to => {
                    if let Some(single) = value.pop() {
                        value = vec![self.converted(from, to, single, span)?];
                    }
                }
                (a, b) if a.is_some() != b.is_some() => return reject(span, "an argument of another type"),
                _ => {}
            }
            adapted.push(value);
        }
        Ok(adapted)
    }

    /// Calls a function with a body. Is its value used?
    pub(crate) fn invoke(
        &mut self,
        id: FunctionId,
        arguments: Vec<Vec<Value>>,
        wanted: bool,
        span: Span,
    ) -> Result<Vec<Value>> {
        let declared = &self.unit.functions[id.index()];
        if Some(id) == call_graph::main_of(self.unit) {
            return reject(span, "a call of `main`");
        }
        let atomic = self.checks(Check::Race) && (self.frame.atomic > 0 || is_atomic(&declared.name));
        let procedure = self.procedure(id, Role::Called { atomic })?;
        let scalars = self.scalars(&declared.ty.result, span)?;
        let mut results: Vec<VarId> =
            scalars.iter().map(|&scalar| self.temporary(self.ints.ty(scalar), span)).collect();
        let exit = self.graph.exits[id.index()].then(|| {
            let flag = self.temporary(Type::Bool, span);
            (flag, self.temporary(self.ints.ty(self.pointer()), span))
        });
        results.extend(exit.into_iter().flat_map(|(flag, value)| [flag, value]));
        let returned = self.may_lack_value(id).then(|| self.temporary(Type::Bool, span));
        results.extend(returned);
        let depth = self.depth_argument(id, span);
        let values = arguments.into_iter().flatten().map(|value| value.expr);
        let arguments = depth.into_iter().chain(values).collect();
        let call = StmtKind::Call { results: results.clone(), procedure, arguments };
        let is_step = is_atomic(&declared.name) && self.frame.atomic == 0;
        self.emit(if is_step { StmtKind::Atomic(Box::new(Stmt { kind: call, span })) } else { call }, span);
        if let Some((flag, value)) = exit {
            let value = self.var(value, span);
            let value = self.ints.any(self.pointer(), value, false);
            let (stmts, ()) = self.apart(|t| t.exit_thread(value, span))?;
            let test = self.var(flag, span);
            self.branch(test, stmts, Vec::new(), span);
        }
        self.end_after(id, span);
        if let Some(flag) = returned.filter(|_| wanted) {
            let returned = self.var(flag, span);
            self.assert(Check::Undefined, returned, span);
        }
        let values = results.into_iter().zip(scalars);
        Ok(values.map(|(id, scalar)| self.ints.any(scalar, self.var(id, span), false)).collect())
    }

    /// A number of C as a mathematical integer.
    pub(crate) fn as_integer(&self, value: Value, span: Span) -> ast::Expr {
        match (self.ints, build::numeral(&value.expr)) {
            (Ints::Math, _) => value.expr,
            (Ints::Bits, Some(known)) => int(known.clone(), span),
            (Ints::Bits, None) => build::bv(braid_logic::BvOp::ToInt, vec![value.expr], span),
        }
    }

    /// A mathematical integer as a number of C.
    pub(crate) fn of_integer(&self, expr: ast::Expr, scalar: Scalar, span: Span) -> Value {
        let expr = match (self.ints, build::numeral(&expr)) {
            (Ints::Math, _) => expr,
            (Ints::Bits, Some(known)) => self.ints.constant(scalar, known, span).expr,
            (Ints::Bits, None) => build::bv(braid_logic::BvOp::FromInt(scalar.bits()), vec![expr], span),
        };
        self.ints.any(scalar, expr, false)
    }
}

/// Is the function by its name one atomic step?
fn is_atomic(name: &str) -> bool {
    name.starts_with("__VERIFIER_atomic_")
}
