//! Properties that have names, as formulas.
//!
//! Comparators are judged as the paper on Weaver has it (Section 8): by the sign of what they give. A function with more
//! parameters than a law needs gets the same further arguments everywhere.

use braid_program::Subject;
use braid_program::ast::Type;

/// The names, and what they mean, for people.
pub const NAMES: [(&str, &str); 10] = [
    ("determinism", "equal inputs, equal outputs"),
    ("security", "equal low inputs, equal low outputs"),
    ("equivalence", "both programs give the same"),
    ("symmetry", "f(a, b) == f(b, a)"),
    ("antisymmetry", "sgn(f(a, b)) == -sgn(f(b, a))"),
    ("transitivity", "f(a, b) > 0 && f(b, c) > 0 ==> f(a, c) > 0"),
    ("substitutivity", "f(a, b) == 0 ==> sgn(f(a, c)) == sgn(f(b, c))"),
    ("distributivity", "f(a + b, c) == f(a, c) + f(b, c)"),
    ("associativity", "f(f(a, b), c) == f(a, f(b, c))"),
    ("monotonicity", "a <= b ==> f(a) <= f(b)"),
];

/// A named property with its options.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Named {
    /// One of [`NAMES`].
    pub name: &'static str,
    /// `low=…`: what an observer sees of the inputs.
    pub low: Vec<String>,
    /// `out=…`: the outputs that count, if not all do.
    pub out: Option<Vec<String>>,
    /// `equivalence:OTHER`.
    pub other: Option<String>,
}

impl Named {
    /// Reads `NAME`, `NAME:low=x,y;out=z` or `equivalence:OTHER[;out=z]`. The error is a sentence.
    pub fn parse(text: &str) -> Result<Named, String> {
        let (word, options) = text.split_once(':').unwrap_or((text, ""));
        let Some((name, _)) = NAMES.iter().find(|(name, _)| *name == word.trim()) else {
            let known: Vec<&str> = NAMES.iter().map(|(name, _)| *name).collect();
            return Err(format!(
                "`{word}` is not a property: write a formula (forall …), or one of {}",
                known.join(", ")
            ));
        };
        let mut named = Named { name, low: Vec::new(), out: None, other: None };
        let names = |list: &str| list.split(',').map(|name| name.trim().to_owned()).collect::<Vec<_>>();
        for option in options.split(';').map(str::trim).filter(|option| !option.is_empty()) {
            match option.split_once('=') {
                Some(("low", list)) if *name == "security" => named.low = names(list),
                Some(("out", list)) => named.out = Some(names(list)),
                None if *name == "equivalence" && named.other.is_none() => named.other = Some(option.to_owned()),
                _ => return Err(format!("`{option}` is no option of {name}")),
            }
        }
        match *name {
            "security" if named.low.is_empty() => Err("security needs the low variables: security:low=x,y".into()),
            "equivalence" if named.other.is_none() => {
                Err("equivalence needs a function or a file: equivalence:OTHER".into())
            }
            _ => Ok(named),
        }
    }

    /// The formula for a subject; for `equivalence` the second subject is the other one, and `q` a run of it. The error is
    /// a sentence.
    pub fn formula(&self, subject: &Subject, other: Option<&Subject>) -> Result<String, String> {
        match self.name {
            "determinism" => Ok(two_runs(&inputs(subject), &self.outputs(subject, None)?)),
            "security" => {
                let inputs: Vec<String> = self.low.clone();
                Ok(two_runs(&pairs(&inputs), &self.outputs(subject, Some(&self.low))?))
            }
            "equivalence" => {
                let other = other.ok_or("equivalence needs another program")?;
                if subject.parameters.len() != other.parameters.len() {
                    return Err(format!(
                        "`{}` takes {} arguments, and `{}` takes {}",
                        subject.name,
                        subject.parameters.len(),
                        other.name,
                        other.parameters.len()
                    ));
                }
                let name = |subject: &Subject, port: usize| subject.ports[port].name.clone();
                let parameters = subject.parameters.iter().zip(&other.parameters);
                let mut inputs: Vec<(String, String)> =
                    parameters.map(|(&p, &q)| (name(subject, p), name(other, q))).collect();
                let mut outputs = Vec::new();
                if let (Some(p), Some(q)) = (subject.result, other.result) {
                    outputs.push((name(subject, p), name(other, q)));
                }
                let written = [subject.written(), other.written()];
                for (p, port) in subject.ports.iter().enumerate() {
                    let Some(q) = other.port(&port.name) else { continue };
                    let is_parameter = subject.parameters.contains(&p) || other.parameters.contains(&q);
                    let is_result = subject.result == Some(p) || other.result == Some(q);
                    if !is_parameter && port.name != "return" {
                        inputs.push((port.name.clone(), port.name.clone()));
                    }
                    let places = [port.place.variable(), other.ports[q].place.variable()];
                    let is_written = (0..2).any(|side| written[side].binary_search(&places[side]).is_ok());
                    if is_written && !is_result && !is_parameter {
                        outputs.push((port.name.clone(), port.name.clone()));
                    }
                }
                if let Some(out) = &self.out {
                    outputs = pairs(out);
                }
                if outputs.is_empty() {
                    return Err("the programs have no output in common".into());
                }
                Ok(two_runs(&inputs, &outputs))
            }
            _ => self.law(subject),
        }
    }

    /// The outputs that two runs of a subject must agree in.
    fn outputs(&self, subject: &Subject, low: Option<&[String]>) -> Result<Vec<(String, String)>, String> {
        if let Some(out) = &self.out {
            return Ok(pairs(out));
        }
        let written = subject.written();
        let is_output = |port: &braid_program::Port| {
            let seen = port.name == "return" || low.is_none_or(|low| low.contains(&port.name));
            seen && written.binary_search(&port.place.variable()).is_ok()
        };
        let names: Vec<String> = subject.ports.iter().filter(|port| is_output(port)).map(|p| p.name.clone()).collect();
        if names.is_empty() {
            return Err(format!("`{}` has no such output; say which: {}:out=x,y", subject.name, self.name));
        }
        Ok(pairs(&names))
    }

    /// A law about the results of a function.
    fn law(&self, subject: &Subject) -> Result<String, String> {
        let f = &subject.name;
        let Some(result) = subject.result else {
            return Err(format!("{} is a property of functions with a result: name a function", self.name));
        };
        let (values, needed) = match self.name {
            "monotonicity" => (["a", "b"].as_slice(), 1),
            "symmetry" | "antisymmetry" => (["a", "b"].as_slice(), 2),
            _ => (["a", "b", "c"].as_slice(), 2),
        };
        let count = subject.parameters.len();
        if count < needed {
            return Err(format!("{} needs a function of {needed} or more arguments, and `{f}` has {count}", self.name));
        }
        let further: Vec<String> = (needed..count).map(|number| format!("x{}", number + 1)).collect();
        let call = |arguments: &[&str]| {
            let further = further.iter().map(String::as_str);
            format!("{f}({})", arguments.iter().copied().chain(further).collect::<Vec<_>>().join(", "))
        };
        let is_bool = subject.program.variable(subject.ports[result].place.variable()).ty == Type::Bool;
        let (ab, ba, bc, ac) = (call(&["a", "b"]), call(&["b", "a"]), call(&["b", "c"]), call(&["a", "c"]));
        let body = match (self.name, is_bool) {
            ("symmetry", _) => format!("{ab} == {ba}"),
            ("antisymmetry", false) => format!("sgn({ab}) == -sgn({ba})"),
            ("antisymmetry", true) => format!("{ab} && {ba} ==> a == b"),
            ("transitivity", false) => format!("{ab} > 0 && {bc} > 0 ==> {ac} > 0"),
            ("transitivity", true) => format!("{ab} && {bc} ==> {ac}"),
            ("substitutivity", false) => format!("{ab} == 0 ==> sgn({ac}) == sgn({bc})"),
            ("substitutivity", true) => format!("{ab} ==> {ac} == {bc}"),
            ("distributivity", _) => format!("{} == {ac} + {bc}", call(&["a + b", "c"])),
            ("associativity", _) => format!("{} == {}", call(&[&ab, "c"]), call(&["a", &bc])),
            _ => format!("a <= b ==> {} <= {}", call(&["a"]), call(&["b"])),
        };
        let names: Vec<&str> = values.iter().copied().chain(further.iter().map(String::as_str)).collect();
        Ok(format!("forall {}: {body}", names.join(" ")))
    }
}

fn pairs(names: &[String]) -> Vec<(String, String)> {
    names.iter().map(|name| (name.clone(), name.clone())).collect()
}

/// All inputs of a subject.
fn inputs(subject: &Subject) -> Vec<(String, String)> {
    let names = subject.ports.iter().map(|port| port.name.clone()).filter(|name| name != "return");
    names.map(|name| (name.clone(), name)).collect()
}

/// Two runs that agree in the inputs agree in the outputs.
fn two_runs(inputs: &[(String, String)], outputs: &[(String, String)]) -> String {
    let before: Vec<String> = inputs.iter().map(|(p, q)| format!("p.{p} == q.{q}")).collect();
    let after: Vec<String> = outputs.iter().map(|(p, q)| format!("p'.{p} == q'.{q}")).collect();
    let conclusion = after.join(" && ");
    match before.is_empty() {
        true => format!("forall p q: {conclusion}"),
        false => format!("forall p q: {} ==> {conclusion}", before.join(" && ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_belong_to_properties() {
        let named = Named::parse("security:low=x, y;out=z").expect("a property");
        assert_eq!((named.low, named.out), (vec!["x".to_owned(), "y".to_owned()], Some(vec!["z".to_owned()])));
        assert_eq!(Named::parse("equivalence:g").expect("a property").other.as_deref(), Some("g"));
        for wrong in ["", "safety", "security", "security:x", "symmetry:low=x", "equivalence", "equivalence:f;g"] {
            assert!(Named::parse(wrong).is_err(), "{wrong}");
        }
    }
}
