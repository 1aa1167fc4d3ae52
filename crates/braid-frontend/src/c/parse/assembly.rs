//! `asm` statements: what the well-known templates do, said in C.
//!
//! An empty template keeps its operands: inputs are read, `"+r"(x)` is read and written, an input tied to an output is its value. Of others, single
//! instructions are known, by a table: barriers and pauses, which do nothing here; exchange, compare-and-exchange and exchange-and-add
//! of x86; arithmetic with and without `lock`; loops of ARM (`exclusive`), and of x86 (`spin`). *Invariant*: a template with anything else is not supported.

use super::*;

/// `[name] "constraint" (value)`.
pub(super) struct AsmOperand<'t> {
    name: Option<&'t str>,
    constraint: &'t str,
    pub value: Expr<'t>,
}

impl AsmOperand<'_> {
    pub(super) fn is_memory(&self) -> bool {
        self.constraint.contains(['m', 'Q'])
    }
}

/// An operand of an instruction.
pub(super) enum Given<'a, 't> {
    /// With its number.
    Operand(usize, &'a AsmOperand<'t>),
    Number(Expr<'t>),
}

/// Instructions that order or delay others.
const BARRIERS: &str =
    "mfence sfence lfence pause nop yield wfe sev dmb dsb isb sync lwsync isync eieio fence cpu_relax";

impl<'t> Parser<'_, 't> {
    /// `asm volatile("…" : outputs : inputs : clobbers);`
    pub(super) fn assembly(&mut self) -> Parse<StmtKind<'t>> {
        let start = self.advance().span;
        let mut is_jump = false;
        while matches!(self.peek().text, "volatile" | "__volatile__" | "__volatile" | "goto" | "inline") {
            is_jump |= self.advance().text == "goto";
        }
        self.expect("(")?;
        let template: String = self.strings().iter().map(|piece| piece.trim_matches('"')).collect();
        let (outputs, inputs) = (self.operands()?, self.operands()?);
        while self.eat(":") {
            while !self.is(":") && !self.is(")") {
                if self.advance().kind == TokenKind::End {
                    return self.unexpected("`)`");
                }
            }
        }
        self.expect(")")?;
        self.expect(";")?;
        let span = self.span_from(start);
        let statement = Assembly { outputs, inputs, span };
        let effects = if template.trim().is_empty() { statement.kept() } else { statement.done(&template) };
        let Some(effects) = effects.filter(|_| !is_jump) else {
            return Ok(StmtKind::Unsupported("an `asm` statement"));
        };
        if effects.is_empty() {
            return Ok(StmtKind::Skip);
        }
        let stmts = effects.into_iter().map(|effect| Stmt { span: effect.span, kind: StmtKind::Expr(effect) });
        Ok(StmtKind::Block(stmts.collect()))
    }

    /// `: [name] "constraint" (value), …`, if there is any.
    fn operands(&mut self) -> Parse<Vec<AsmOperand<'t>>> {
        let mut operands = Vec::new();
        if !self.eat(":") {
            return Ok(operands);
        }
        while !self.is(":") && !self.is(")") {
            let mut name = None;
            if self.eat("[") {
                name = Some(self.name()?.text);
                self.expect("]")?;
            }
            let constraint = self.some_strings("a constraint")?[0].trim_matches('"');
            operands.push(AsmOperand { name, constraint, value: self.parenthesised(Parser::expression)? });
            if !self.eat(",") {
                break;
            }
        }
        Ok(operands)
    }
}

pub(super) struct Assembly<'t> {
    pub outputs: Vec<AsmOperand<'t>>,
    inputs: Vec<AsmOperand<'t>>,
    span: Span,
}

impl<'t> Assembly<'t> {
    pub(super) fn expr(&self, kind: ExprKind<'t>) -> Expr<'t> {
        // It stands at the top of a statement, so that its height does not matter.
        Expr { kind, span: self.span, height: 4 }
    }

    pub(super) fn call(&self, function: &'t str, arguments: Vec<Expr<'t>>) -> Expr<'t> {
        let callee = Box::new(self.expr(ExprKind::Name(function)));
        self.expr(ExprKind::Call(callee, arguments))
    }

    pub(super) fn assigned(&self, to: &AsmOperand<'t>, op: Option<BinaryOp>, value: Expr<'t>) -> Expr<'t> {
        self.expr(ExprKind::Assign(op, Box::new(to.value.clone()), Box::new(value)))
    }

    /// The input that an output starts with.
    fn tied(&self, output: usize) -> Option<&AsmOperand<'t>> {
        self.inputs.iter().find(|input| input.constraint.parse() == Ok(output))
    }

    /// What an empty template does; none where an output is open.
    fn kept(&self) -> Option<Vec<Expr<'t>>> {
        let is_tied = |input: &&AsmOperand<'t>| input.constraint.parse().is_ok_and(|n: usize| n < self.outputs.len());
        let mut effects: Vec<Expr<'t>> =
            self.inputs.iter().filter(|input| !is_tied(input)).map(|input| input.value.clone()).collect();
        for (number, output) in self.outputs.iter().enumerate() {
            effects.push(match self.tied(number) {
                Some(input) => self.assigned(output, None, input.value.clone()),
                None if output.constraint.contains('+') => {
                    self.assigned(output, Some(BinaryOp::Add), self.expr(ExprKind::Number("0")))
                }
                None => return None,
            });
        }
        Some(effects)
    }

    /// What the instructions of a template do; none where one of them is not known.
    fn done(&self, template: &str) -> Option<Vec<Expr<'t>>> {
        let template = template.replace("\\n", ";").replace("\\t", " ").to_ascii_lowercase();
        let mut instructions: Vec<&str> = template.split(';').map(str::trim).filter(|i| !i.is_empty()).collect();
        // A prefix may stand alone, or in front.
        let is_locked = instructions.iter().any(|i| i.split_whitespace().next() == Some("lock"));
        instructions.retain(|i| !matches!(*i, "lock" | "rep" | "repz"));
        let is_barrier = |i: &&str| {
            let word = i.split_whitespace().next().unwrap_or_default();
            BARRIERS.split(' ').any(|barrier| barrier == word) || matches!(*i, "rep nop" | "rep; nop")
        };
        if instructions.iter().all(is_barrier) {
            let has_outputs = !self.outputs.is_empty();
            return (!has_outputs).then(|| self.inputs.iter().map(|input| input.value.clone()).collect());
        }
        let [instruction] = instructions[..] else {
            return self.exclusive(&instructions).or_else(|| self.spin(&instructions));
        };
        let instruction = instruction.strip_prefix("lock").unwrap_or(instruction).trim();
        let (word, operands) = instruction.split_once(char::is_whitespace).unwrap_or((instruction, ""));
        let given: Option<Vec<Given<'_, 't>>> =
            operands.split(',').map(str::trim).filter(|o| !o.is_empty()).map(|o| self.given(o)).collect();
        // A stack that is added to with nothing is a barrier.
        if is_locked && operands.starts_with("$0") && operands.contains("sp)") {
            return Some(Vec::new());
        }
        let given = given?;
        let is_written = |number: usize, output: &AsmOperand<'t>| {
            let is_given = given.iter().any(|given| matches!(given, Given::Operand(own, _) if *own == number));
            is_given || output.constraint.contains('+') || word.starts_with("cmpxchg") && output.constraint == "=a"
        };
        // Outputs that no operand names, such as flags, would keep what they had.
        let all_written = self.outputs.iter().enumerate().all(|(number, output)| is_written(number, output));
        self.instruction(word, &given, is_locked).filter(|_| all_written)
    }

    pub(super) fn given(&self, operand: &str) -> Option<Given<'_, 't>> {
        if let Some(number) = operand.strip_prefix('$') {
            let known = ["0", "1"].into_iter().find(|known| *known == number);
            return known.map(|known| Given::Number(self.expr(ExprKind::Number(known))));
        }
        let all: Vec<&AsmOperand<'t>> = self.outputs.iter().chain(&self.inputs).collect();
        let reference = operand.strip_prefix('%')?.trim_start_matches(|c: char| c.is_ascii_alphabetic());
        let number = match reference.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
            Some(name) => all.iter().position(|o| o.name.is_some_and(|own| own.eq_ignore_ascii_case(name)))?,
            None => reference.parse().ok()?,
        };
        Some(Given::Operand(number, all.get(number)?))
    }

    /// The value of an operand before the instruction.
    fn value(&self, given: &Given<'_, 't>) -> Option<Expr<'t>> {
        match given {
            Given::Number(number) => Some(number.clone()),
            Given::Operand(number, operand) if *number < self.outputs.len() => match self.tied(*number) {
                Some(input) => Some(input.value.clone()),
                None => operand.constraint.contains('+').then(|| operand.value.clone()),
            },
            Given::Operand(_, operand) => Some(operand.value.clone()),
        }
    }

    fn instruction(&self, word: &str, given: &[Given<'_, 't>], is_locked: bool) -> Option<Vec<Expr<'t>>> {
        // Parts of registers are not known.
        let sized = word.strip_suffix(['l', 'q']);
        let is = |name: &str| word == name || sized == Some(name);
        let call = |function, arguments| self.call(function, arguments);
        let address = |memory: &AsmOperand<'t>| self.expr(ExprKind::Prefix("&", Box::new(memory.value.clone())));
        let updates = [
            ("add", BinaryOp::Add, "__sync_fetch_and_add"),
            ("sub", BinaryOp::Subtract, "__sync_fetch_and_sub"),
            ("or", BinaryOp::BitOr, "__sync_fetch_and_or"),
            ("and", BinaryOp::BitAnd, "__sync_fetch_and_and"),
            ("xor", BinaryOp::BitXor, "__sync_fetch_and_xor"),
            ("inc", BinaryOp::Add, "__sync_fetch_and_add"),
            ("dec", BinaryOp::Subtract, "__sync_fetch_and_sub"),
        ];
        match given {
            [source, Given::Operand(_, memory)] if is("cmpxchg") && memory.is_memory() && is_locked => {
                let number = self.outputs.iter().position(|output| output.constraint.contains('a'))?;
                let result = &self.outputs[number];
                let old = self.value(&Given::Operand(number, result))?;
                let swap = call("__sync_val_compare_and_swap", vec![address(memory), old, self.value(source)?]);
                Some(vec![self.assigned(result, None, swap)])
            }
            [Given::Operand(a, first), Given::Operand(b, second)] if is("xchg") => {
                let ((number, register), memory) = match (first.is_memory(), second.is_memory()) {
                    (true, false) => ((*b, second), first),
                    (false, true) => ((*a, first), second),
                    _ => return None,
                };
                let order = self.expr(ExprKind::Number("5"));
                let new = self.value(&Given::Operand(number, register))?;
                let swap = call("__atomic_exchange_n", vec![address(memory), new, order]);
                (number < self.outputs.len()).then(|| vec![self.assigned(register, None, swap)])
            }
            [Given::Operand(number, register), Given::Operand(_, memory)]
                if is("xadd") && memory.is_memory() && *number < self.outputs.len() =>
            {
                let sum = call("__sync_fetch_and_add", vec![address(memory), self.value(&given[0])?]);
                is_locked.then(|| vec![self.assigned(register, None, sum)])
            }
            [source, Given::Operand(number, to)] if is("mov") && *number < self.outputs.len() => {
                // What assembler stores is there at once.
                let (value, order) = (self.value(source)?, self.expr(ExprKind::Number("5")));
                Some(vec![match to.is_memory() {
                    true => call("__atomic_store_n", vec![address(to), value, order]),
                    false => self.assigned(to, None, value),
                }])
            }
            [.., Given::Operand(number, memory)] if memory.is_memory() || *number < self.outputs.len() => {
                let (_, op, function) = *updates.iter().find(|(name, ..)| is(name))?;
                let by = match given {
                    [source, _] => self.value(source)?,
                    _ if is("inc") || is("dec") => self.expr(ExprKind::Number("1")),
                    _ => return None,
                };
                Some(vec![match is_locked && memory.is_memory() {
                    true => call(function, vec![address(memory), by]),
                    false => self.assigned(memory, Some(op), by),
                }])
            }
            _ => None,
        }
    }
}
