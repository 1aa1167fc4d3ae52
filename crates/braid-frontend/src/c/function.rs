//! One function of a C file as a program of its own: it runs once, on arbitrary arguments, from arbitrary global variables.
//!
//! The text gets a few lines behind its end: variables for the arguments and the result, and an entry that calls the
//! function. Global variables that are not `const` are then taken as if they were only declared, so that they hold anything:
//! the function may be called at any time. Only for `main` they have their initial values.

use super::translate::{Ints, Place, Translation, translate};
use super::tree::{Function, Qualified, Storage, Type, Unit, Variable};
use super::{Kind, display, unit_from};
use crate::subject::{Port, Subject};
use crate::{Diagnostic, Diagnostics, Reading, Representation, rebase};
use braid_logic::Integer;
use braid_program::ast::build::power;
use std::fmt::Write;

const ENTRY: &str = "braid_entry";
const ARGUMENT: &str = "braid_argument_";
const RESULT: &str = "braid_result";
/// How many elements the array behind a pointer that is a parameter has.
const ELEMENTS: u64 = 1 << 20;

/// What a function takes and gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Signature {
    name: String,
    /// Names, the text of their types, and whether they are arrays.
    parameters: Vec<(String, String, bool)>,
    result: Option<String>,
}

/// The signature of a function; or, if there is none of this name, the names of those that there are.
pub(crate) fn signature(
    name: &str,
    text: &str,
    kind: Kind,
    reading: &Reading,
    function: &str,
) -> Result<Result<Signature, Vec<String>>, Diagnostics> {
    let unit = unit_from(name, text, kind, reading, function)?;
    let defined: Vec<&Function> = unit.functions.iter().filter(|function| function.body.is_some()).collect();
    let Some(found) = defined.iter().find(|candidate| candidate.name == function) else {
        return Ok(Err(defined.iter().map(|function| function.name.clone()).collect()));
    };
    let refused = |what: String| {
        let error = Diagnostic::new(found.span, what)
            .hint("integers, booleans, and arrays or pointers to arrays of them have inputs and outputs");
        unit.rejected(error)
    };
    let mut parameters = Vec::new();
    for &id in &found.parameters {
        let Variable { name, ty, .. } = &unit.variables[id.index()];
        let element = ty.ty.pointee().map_or(&ty.ty, |element| &element.ty);
        let Some(text) = type_text(element) else {
            return Err(refused(format!("the parameter `{name}` has a type that hyperproperties do not speak of")));
        };
        parameters.push((name.clone(), text, ty.ty.is_pointer()));
    }
    let result = match &found.ty.result {
        Type::Void => None,
        ty => {
            let text = type_text(ty);
            Some(text.ok_or_else(|| refused("the result has a type that hyperproperties do not speak of".into()))?)
        }
    };
    Ok(Ok(Signature { name: function.to_owned(), parameters, result }))
}

fn type_text(ty: &Type) -> Option<String> {
    ty.is_integer().then(|| display(ty, &[]))
}

/// The variable of an argument.
fn argument(position: usize) -> String {
    format!("{ARGUMENT}{}", position + 1)
}

/// The lines that call the function.
fn caller(signature: &Signature) -> String {
    let mut text = String::from("\n");
    let writes = "a String takes all that is written";
    let arguments: Vec<String> = (0..signature.parameters.len()).map(argument).collect();
    for ((_, ty, is_array), argument) in signature.parameters.iter().zip(&arguments) {
        let length = if *is_array { format!("[{ELEMENTS}]") } else { String::new() };
        writeln!(text, "extern {ty} {argument}{length};").expect(writes);
    }
    let call = format!("{}({})", signature.name, arguments.join(", "));
    match &signature.result {
        Some(ty) => writeln!(text, "{ty} {RESULT};\nvoid {ENTRY}(void) {{ {RESULT} = {call}; }}").expect(writes),
        None => writeln!(text, "void {ENTRY}(void) {{ {call}; }}").expect(writes),
    }
    text
}

/// The function as a program.
pub(crate) fn function(
    name: &str,
    text: &str,
    kind: Kind,
    reading: &Reading,
    signature: &Signature,
) -> Result<Subject, Diagnostics> {
    // The caller's words must not decide how wide types are.
    let model = reading.data_model.unwrap_or_else(|| super::default_model(text, kind));
    let reading = &Reading { data_model: Some(model), overflow: false, races: false, ..reading.clone() };
    let mut unit = unit_from(name, &(text.to_owned() + &caller(signature)), kind, reading, ENTRY)?;
    for function in &mut unit.functions {
        match function.name.as_str() {
            "main" => function.name = "main of the program".into(),
            ENTRY => function.name = "main".into(),
            _ => {}
        }
    }
    if signature.name != "main" {
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
    let parameters: Option<Vec<usize>> =
        (0..signature.parameters.len()).map(|position| find(&argument(position))).collect();
    let result = find(RESULT);
    let Some(parameters) = parameters else {
        let message = "a parameter of this function is lost in the translation";
        return Err(unit.rejected(Diagnostic::new(Default::default(), message)));
    };
    for (port, (name, ..)) in parameters.iter().zip(&signature.parameters) {
        ports[*port].name.clone_from(name);
    }
    if let Some(result) = result {
        ports[result].name = "return".into();
    }
    tell_apart(&mut ports, &parameters);
    if !rebase::rebase(&mut translation.program, &mut ports) {
        let message = "this function assigns whole arrays to each other";
        return Err(unit.rejected(Diagnostic::new(Default::default(), message)));
    }
    let Translation { program, ints, assumptions, .. } = translation;
    let representation = Some(Representation { data_model: unit.data_model, ints, assumptions });
    Ok(Subject { name: signature.name.clone(), program, representation, ports, parameters, result })
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
        let Qualified { ty, constant, .. } = &variable.ty;
        let (element, constant) = match ty {
            Type::Array(element, _) => (&element.ty, *constant || element.constant),
            other => (other, *constant),
        };
        let is_global = matches!(variable.storage, Storage::Static | Storage::Thread);
        if !is_global || constant || variable.name == RESULT {
            continue;
        }
        match element {
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

fn port(variable: &Variable, place: Place, ints: Ints) -> Option<Port> {
    let element = match &variable.ty.ty {
        Type::Array(element, _) => &element.ty,
        other => other,
    };
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
