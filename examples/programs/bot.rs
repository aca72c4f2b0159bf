// A bot for Bastide in Rust, without any crate:
//     rustc -O examples/programs/bot.rs -o build/rust_bot && bastide play --seats 'human,program:build/rust_bot'
// It reads a line of JSON and writes one. A real bot would parse the whole line (serde_json); this one reads two members.
use std::io::{self, BufRead, Write};

/// The strings of a list such as `"legal": ["a", "b"]`. Actions have no quotes and no backslashes inside.
fn strings<'a>(line: &'a str, member: &str) -> Vec<&'a str> {
    let key = format!("\"{}\": [", member);
    let Some(at) = line.find(&key) else { return Vec::new() };
    let list = &line[at + key.len()..];
    let list = &list[..list.find(']').unwrap_or(0)];
    list.split('"').skip(1).step_by(2).collect()
}

/// A city before everything else, otherwise the last action.
fn choose(line: &str) -> String {
    let legal = strings(line, "legal");
    let city = legal.iter().rev().find(|action| action.contains("city"));
    city.or(legal.last()).map(|action| action.to_string()).unwrap_or_default()
}

fn main() {
    let mut out = io::stdout();
    for line in io::stdin().lock().lines() {
        let line = line.expect("a line of text");
        if line.starts_with("{\"ask\": \"hello\"") {
            writeln!(out, "{{\"name\": \"ferris\"}}").unwrap();
        } else if line.starts_with("{\"ask\": \"choose\"") {
            writeln!(out, "{{\"action\": \"{}\"}}", choose(&line)).unwrap();
        }
        out.flush().unwrap();
    }
}
