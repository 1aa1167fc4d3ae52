//! One function of a C file as a program of its own: it runs once, on arbitrary arguments, from arbitrary global variables.
//!
//! The text gets a few lines behind its end: variables for the arguments and the result, and an entry that calls the
//! function. Global variables that are not `const` are then taken as if they were only declared, so that they hold anything:
//! the function may be called at any time. Only for `main` they have their initial values.

use super::legend::Legend;
use super::translate::{Ints, Place, Translation, translate};
use super::tree::{Function, Qualified, Storage, Type, Unit, Variable};
use super::{Kind, display, unit_from};
use crate::subject::Described;
use crate::{Diagnostic, Diagnostics, Reading, Representation, rebase};
use braid_logic::Integer;
use braid_program::ast::Checks;
use braid_program::ast::build::power;
use braid_program::{Port, Subject};

const ENTRY: &str = "braid_entry";
const ARGUMENT: &str = "braid_argument_";
const RESULT: &str = "braid_result";
/// How many elements the array behind a pointer that is a parameter has.
const ELEMENTS: u64 = 1 << 20;

/// The function as a program; or, if there is none of this name, the names of those that there are.
pub(crate) fn function(
    name: &str,
    text: &str,
    kind: Kind,
    reading: &Reading,
    function: &str,
) -> Result<Result<Described, Vec<String>>, Diagnostics> {
    let unit = unit_from(name, text, kind, reading, function)?;
    let defined: Vec<&Function> = unit.functions.iter().filter(|function| function.body.is_some()).collect();
    let Some(found) = defined.iter().find(|candidate| candidate.name == function) else {
        return Ok(Err(defined.iter().map(|function| function.name.clone()).collect()));
    };
    let parameters = found.parameters.iter().map(|id| unit.variables[id.index()].name.clone()).collect();
    let text = text.to_owned() + &caller(&unit, found)?;
    // The caller's words must not decide how wide types are.
    let reading = Reading { data_model: Some(unit.data_model), checks: Checks::default(), ..reading.clone() };
    let called = unit_from(name, &text, kind, &reading, ENTRY)?;
    subject(called, function, parameters, &reading).map(Ok)
}

/// The variable of an argument.
fn argument(position: usize) -> String {
    format!("{ARGUMENT}{}", position + 1)
}

/// The lines that call the function.
fn caller(unit: &Unit, function: &Function) -> Result<String, Diagnostics> {
    let spelled = |ty: &Type, what: &str| {
        let refused = || {
            let error =
                Diagnostic::new(function.span, format!("{what} has a type that hyperproperties do not speak of"))
                    .hint("integers, booleans, and arrays or pointers to arrays of them have inputs and outputs");
            unit.rejected(error)
        };
        ty.is_integer().then(|| display(ty, &[])).ok_or_else(refused)
    };
    let mut text = String::from("\n");
    for (position, &id) in function.parameters.iter().enumerate() {
        let Variable { name, ty, .. } = &unit.variables[id.index()];
        let (element, length) = match &ty.ty {
            Type::Pointer(element) => (&element.ty, format!("[{ELEMENTS}]")),
            other => (other, String::new()),
        };
        let element = spelled(element, &format!("the parameter `{name}`"))?;
        text += &format!("extern {element} {}{length};\n", argument(position));
    }
    let arguments: Vec<String> = (0..function.parameters.len()).map(argument).collect();
    let mut call = format!("{}({})", function.name, arguments.join(", "));
    if function.ty.result != Type::Void {
        text += &format!("{} {RESULT};\n", spelled(&function.ty.result, "the result")?);
        call = format!("{RESULT} = {call}");
    }
    Ok(text + &format!("void {ENTRY}(void) {{ {call}; }}\n"))
}

/// The program of which the entry calls a function with these parameters.
fn subject(mut unit: Unit, name: &str, parameters: Vec<String>, reading: &Reading) -> Result<Described, Diagnostics> {
    unit.begin_at(ENTRY);
    if name != "main" {
        open_globals(&mut unit).map_err(|error| unit.rejected(error))?;
    }
    let mut translation = translate(&unit, reading).map_err(|error| unit.rejected(error))?;
    let mut ports: Vec<Port> = Vec::new();
    for &(id, place) in &translation.statics {
        let variable = &unit.variables[id.index()];
        if let Some(port) = port(variable, place, translation.ints) {
            if ports.iter().any(|other| other.place.variable() == place.variable()) {
                let message = format!("the array `{}` and another one lie behind the same pointer", port.name);
                let error = Diagnostic::new(variable.span, message);
                return Err(unit.rejected(error.hint("hyperproperties tell them apart only where accesses do")));
            }
            ports.push(port);
        }
    }
    let find = |name: &str| ports.iter().position(|port| port.name == name);
    let found: Option<Vec<usize>> = (0..parameters.len()).map(|position| find(&argument(position))).collect();
    let result = find(RESULT);
    let Some(found) = found else {
        let message = "a parameter of this function is lost in the translation";
        return Err(unit.rejected(Diagnostic::new(Default::default(), message)));
    };
    for (port, name) in found.iter().zip(parameters) {
        ports[*port].name = name;
    }
    if let Some(result) = result {
        ports[result].name = "return".into();
    }
    tell_apart(&mut ports, &found);
    if !rebase::rebase(&mut translation.program, &mut ports) {
        let message = "this function assigns whole arrays to each other";
        return Err(unit.rejected(Diagnostic::new(Default::default(), message)));
    }
    // The legend is one of the program that is called, not of its copies.
    let (Translation { program, ints, assumptions, unsequenced, unrolled, .. }, legend) =
        (translation, Legend::default());
    let data_model = unit.data_model;
    let representation = Some(Representation { data_model, ints, assumptions, unsequenced, unrolled, legend });
    Ok((Subject { name: name.to_owned(), program, ports, parameters: found, result }, representation))
}

/// Gives variables that share their name with a parameter, or with a variable before, the name `x@2`: each name means one.
fn tell_apart(ports: &mut [Port], parameters: &[usize]) {
    let mut taken: Vec<String> = parameters.iter().map(|&port| ports[port].name.clone()).collect();
    let others = ports.iter_mut().enumerate().filter(|(index, _)| !parameters.contains(index));
    for (_, port) in others {
        let name = port.name.clone();
        let mut number = 1;
        while taken.contains(&port.name) {
            number += 1;
            port.name = format!("{name}@{number}");
        }
        taken.push(port.name.clone());
    }
}

/// Lets global variables start with anything.
fn open_globals(unit: &mut Unit) -> Result<(), Diagnostic> {
    let records = &unit.records;
    for variable in &mut unit.variables {
        let element = element(&variable.ty);
        let constant = variable.ty.constant || element.constant;
        let is_global = matches!(variable.storage, Storage::Static | Storage::Thread);
        if !is_global || constant || variable.name == RESULT {
            continue;
        }
        match &element.ty {
            Type::Int { .. } | Type::Bool if variable.storage == Storage::Static => {
                variable.storage = Storage::Extern;
                variable.init = None;
            }
            // Objects of the thread library start free.
            Type::Record(id) if records[id.index()].name.contains("pthread") => {}
            _ => {
                let message = format!("the global variable `{}` cannot be an input of a function", variable.name);
                let hint =
                    "integers, booleans and arrays of them are, unless each thread has its own; others must be `const`";
                return Err(Diagnostic::new(variable.span, message).hint(hint));
            }
        }
    }
    Ok(())
}

/// What an array consists of, or the type itself.
fn element(ty: &Qualified) -> &Qualified {
    if let Type::Array(element, _) = &ty.ty { element } else { ty }
}

fn port(variable: &Variable, place: Place, ints: Ints) -> Option<Port> {
    let element = &element(&variable.ty).ty;
    let (bits, signed) = match element {
        Type::Int { bits, signed, .. } => (*bits, *signed),
        Type::Bool => (1, false),
        _ => return None,
    };
    let range = (ints == Ints::Math && *element != Type::Bool).then(|| match signed {
        true => (-power(bits - 1), power(bits - 1) - Integer::from(1)),
        false => (Integer::from(0), power(bits) - Integer::from(1)),
    });
    Some(Port { name: variable.name.clone(), place, signed, range })
}
