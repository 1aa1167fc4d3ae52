//! Data in scripts.

/// JSON as it may stand in a script: nothing in it ends the script or begins a comment.
pub fn in_script(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        match c {
            '<' | '>' | '&' | '\u{2028}' | '\u{2029}' => out += &format!("\\u{:04x}", c as u32),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scripts_do_not_end() {
        let nasty = "</script><!--<script> & \u{2028}\u{2029}";
        let json = in_script(&serde_json::to_string(nasty).expect("a string"));
        assert!(!json.contains(['<', '>', '&', '\u{2028}', '\u{2029}']));
        assert_eq!(serde_json::from_str::<String>(&json).expect("JSON"), nasty);
    }
}
