//! YAML, read as JSON: the types that take it apart are the same.

use serde_json::{Map, Value};
use yaml_rust2::{Yaml, YamlLoader};

/// The first document of a text; what is wrong with it, otherwise.
pub fn read(text: &str) -> Result<Value, String> {
    let documents = YamlLoader::load_from_str(text).map_err(|error| error.to_string())?;
    documents.first().map_or(Ok(Value::Null), value)
}

fn value(yaml: &Yaml) -> Result<Value, String> {
    Ok(match yaml {
        Yaml::String(text) => Value::from(text.as_str()),
        Yaml::Integer(number) => Value::from(*number),
        // As it is written: versions look like numbers.
        Yaml::Real(text) => Value::from(text.as_str()),
        Yaml::Boolean(truth) => Value::from(*truth),
        Yaml::Null => Value::Null,
        Yaml::Array(elements) => Value::Array(elements.iter().map(value).collect::<Result<Vec<Value>, String>>()?),
        Yaml::Hash(entries) => {
            let entry = |(key, entry): (&Yaml, &Yaml)| match key {
                Yaml::String(key) => Ok((key.clone(), value(entry)?)),
                _ => Err("a key is no string".to_owned()),
            };
            Value::Object(entries.iter().map(entry).collect::<Result<Map<String, Value>, String>>()?)
        }
        Yaml::Alias(_) | Yaml::BadValue => return Err("there is a value that cannot be read".to_owned()),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn yaml_is_read_as_json() {
        let check = |text: &str, expected: Result<Value, &str>| match (read(text), expected) {
            (Ok(read), Ok(expected)) => assert_eq!(read, expected, "{text}"),
            (Err(read), Err(expected)) => assert!(read.contains(expected), "{text}: {read}"),
            (read, expected) => panic!("{text}: {read:?}, not {expected:?}"),
        };
        check(
            "a: [1, x]\nb:\n- 2.0\n- '2.0'\n- true",
            Ok(serde_json::json!({"a": [1, "x"], "b": ["2.0", "2.0", true]})),
        );
        check("", Ok(Value::Null));
        check("a: [1", Err("while parsing"));
        check("1: 2", Err("a key is no string"));
    }
}
