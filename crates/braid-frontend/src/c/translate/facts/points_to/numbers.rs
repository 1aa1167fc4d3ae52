//! Arguments of the program that are nothing but numbers to it: nobody looks at their characters but functions that read a decimal number.
//!
//! Then each may be any number that has room in its text, and the texts do not matter: for each such number there is a text.

use super::PointsTo;
use crate::c::translate::{Met, ObjectId, ObjectKind, primitive_of, walk};
use crate::c::tree::{Callee, Expr, ExprKind, FunctionId, Place};

/// The variables of the prelude that hold the arguments, and that lead to them.
const TEXTS: &str = "argument_texts";
const LIST: &str = "argument_list";
/// How functions end that give signed numbers.
const SIGNED: [&str; 3] = ["strtol", "strtoll", "strtoimax"];
/// Functions of the prelude that find out no more of a text than its number, and that it ends.
const READERS: [&str; 6] = ["atol", "magnitude", "argument", "argument_number", "__read_text", "__read_argument"];

impl PointsTo<'_> {
    /// Can a pointer lead to the program's arguments only?
    pub fn leads_to_arguments(&self, pointer: &Expr) -> bool {
        let objects = self.objects_at(pointer);
        !objects.is_empty() && objects.iter().all(|&object| self.is(object, TEXTS))
    }

    /// Are the program's arguments nothing but numbers to these functions?
    pub fn arguments_are_numbers(&self, functions: &[FunctionId]) -> bool {
        let mut looks = false;
        walk::functions(self.objects.layouts.unit, functions, &mut |id, met, _| {
            looks = looks
                || match met {
                    Met::Expr(Expr { kind: ExprKind::Load(place), .. }) => !self.is_reader(id) && self.is_text(place),
                    Met::Expr(Expr { kind: ExprKind::Assign(place, _) | ExprKind::Update { place, .. }, .. }) => {
                        self.is_text(place)
                    }
                    Met::Expr(Expr { kind: ExprKind::Call(callee, arguments), .. }) => {
                        self.hands_on(id, callee, arguments)
                    }
                    _ => false,
                };
        });
        !looks
    }

    /// May a call hand an argument of the program on to a function that looks at more than its number?
    fn hands_on(&self, caller: FunctionId, callee: &Callee, arguments: &[Expr]) -> bool {
        let is = |argument: &Expr, name| self.objects_at(argument).iter().any(|&object| self.is(object, name));
        let texts = |argument: &Expr| is(argument, TEXTS);
        let Callee::Direct(id) = callee else { return false };
        let function = &self.objects.layouts.unit.functions[id.index()];
        let number = |argument: &Expr| match &walk::uncast(argument).kind {
            ExprKind::Int(value) => value.to_i64(),
            _ => None,
        };
        match (function.name.as_str(), arguments) {
            ("__braid_is_literal" | "__braid_is_number", _) => false,
            // Those of the prelude that call each other hand their arguments on.
            (name, [text, end, base]) if name.contains("strto") && function.inline => {
                let is_signed = SIGNED.iter().any(|signed| name.ends_with(signed));
                let is_decimal = is_signed && (number(end), number(base)) == (Some(0), Some(10));
                !self.objects.layouts.unit.functions[caller.index()].inline && texts(text) && !is_decimal
            }
            _ => {
                let held = |argument: &Expr| texts(argument) || is(argument, LIST);
                (function.body.is_none() || primitive_of(function).is_some()) && arguments.iter().any(held)
            }
        }
    }

    fn is_reader(&self, id: FunctionId) -> bool {
        let function = &self.objects.layouts.unit.functions[id.index()];
        function.inline && READERS.contains(&function.name.as_str())
    }

    fn is_text(&self, place: &Place) -> bool {
        self.place_objects(place).iter().any(|&object| self.is(object, TEXTS))
    }

    /// Is it the variable of the prelude that has this name?
    fn is(&self, object: ObjectId, name: &str) -> bool {
        let ObjectKind::Variable(id) = self.objects.get(object).kind else { return false };
        let unit = self.objects.layouts.unit;
        let variable = &unit.variables[id.index()];
        variable.name == name && variable.span.file >= unit.prelude
    }
}
