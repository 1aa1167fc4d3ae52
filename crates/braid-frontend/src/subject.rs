//! Programs seen from outside. A `.wvr` or `.braid` program shows its global
//! variables, a C function its parameters, its result (`return`) and the global variables that it uses.

use crate::spelling::nearest;
use crate::{Language, LoadError, Reading, Representation, c, load, parse_as};
use braid_program::ast::{Program, Stmt, StmtKind, Storage, VarId};
use braid_program::{Place, Port, Subject};
use std::path::Path;

/// A subject, and how its numbers are represented, where the language leaves that open.
pub type Described = (Subject, Option<Representation>);

/// How a file is seen as a function.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct View {
    /// The function's name.
    pub name: String,
    /// For programs without functions: the variables that are parameters, and the one that is the result.
    pub variables: Option<(Vec<String>, String)>,
}

/// Why a file has no such subject.
#[derive(Debug)]
pub enum SubjectError {
    /// It cannot be read at all.
    Load(LoadError),
    /// There is no such function, parameter or result. The message says it; the hint says what there is.
    Unknown {
        /// What is wrong, as a clause.
        message: String,
        /// What may have been meant.
        hint: Option<String>,
    },
}

impl SubjectError {
    pub(crate) fn unknown(message: String, word: &str, known: &[String]) -> SubjectError {
        let hint = match nearest(word, known.iter().map(String::as_str)) {
            Some(near) => Some(format!("did you mean `{near}`?")),
            None if known.is_empty() => None,
            None => Some(format!("there are {}", known.join(", "))),
        };
        SubjectError::Unknown { message, hint }
    }
}

/// Reads a file. `view` says which function of a C file is meant (`main` unless it is given), and how another program
/// is to be seen as a function.
pub fn load_subject(path: &Path, reading: &Reading, view: Option<&View>) -> Result<Described, SubjectError> {
    let text = load::read_text(path).map_err(SubjectError::Load)?;
    let language = Language::from_extension(path)
        .map_err(|error| SubjectError::Load(LoadError::UnknownLanguage(path.to_owned(), error)))?;
    let name = path.to_string_lossy();
    let rejected = |diagnostics| SubjectError::Load(LoadError::Rejected(diagnostics));
    let kind = match language {
        Language::C => c::Kind::Source,
        Language::PreprocessedC => c::Kind::Preprocessed,
        Language::Weaver | Language::Braid | Language::Boogie => {
            let (program, representation) = parse_as(&name, &text, language, reading).map_err(rejected)?;
            return of_program(program, view).map(|subject| (subject, representation));
        }
    };
    if let Some(View { name, variables: Some(_) }) = view {
        let message = format!("`{name}` is a function of C, which has its parameters and its result already");
        return Err(SubjectError::Unknown { message, hint: Some(format!("write `{name}` alone")) });
    }
    let function = view.map_or("main", |view| view.name.as_str());
    c::function(&name, &text, kind, reading, function).map_err(rejected)?.map_err(|known| {
        let message = format!("there is no function `{function}` with a body in {name}");
        SubjectError::unknown(message, function, &known)
    })
}

/// A program whose ports are its global variables.
fn of_program(program: Program, view: Option<&View>) -> Result<Subject, SubjectError> {
    let scoped = |stmt: &Stmt| if let StmtKind::Declare(id, _) = stmt.kind { Some(id) } else { None };
    let declared: Vec<VarId> = program.statements().filter_map(scoped).collect();
    let is_port = |id: &VarId| program.variable(*id).storage == Storage::Global && !declared.contains(id);
    let port = |id: VarId| Port {
        name: program.variable(id).name.clone(),
        place: Place::Variable(id),
        signed: false,
        range: None,
    };
    let ports: Vec<Port> = (0..program.variables.len() as u32).map(VarId).filter(is_port).map(port).collect();
    let known: Vec<String> = ports.iter().map(|port| port.name.clone()).collect();
    let find = |name: &String| {
        let missing = || SubjectError::unknown(format!("the program has no variable `{name}`"), name, &known);
        known.iter().position(|known| known == name).ok_or_else(missing)
    };
    let (parameters, result) = match view {
        Some(View { variables: Some((parameters, result)), .. }) => {
            (parameters.iter().map(find).collect::<Result<_, _>>()?, Some(find(result)?))
        }
        Some(View { name, variables: None }) => {
            let message = format!("the program has no functions, so `{name}` is none of them");
            let hint = format!("say which variables are parameters and result: `{name}(x, y) -> z`");
            return Err(SubjectError::Unknown { message, hint: Some(hint) });
        }
        None => (Vec::new(), None),
    };
    let name = view.map_or_else(|| "main".to_owned(), |view| view.name.clone());
    Ok(Subject { name, program, ports, parameters, result })
}
