// SPDX-License-Identifier: MIT

//! Runs robinst/linkify. ../../README.md has the requests and the answers.
//!
//! With the argument "scheme" it finds URLs with a scheme and addresses, as the crate does by itself,
//! without it bare hosts too.

use linkify::LinkFinder;
use std::fs;
use std::hint::black_box;
use std::io::{self, BufRead, Write};

extern "C" {
    /// The processor time of the process in microseconds: POSIX has CLOCKS_PER_SEC = 1 000 000.
    fn clock() -> std::os::raw::c_long;
}

fn now() -> f64 {
    unsafe { clock() as f64 / 1e6 }
}

/// Reads the documents of a file. The sizes are in bytes.
fn read(path: &str) -> io::Result<Vec<String>> {
    let text = fs::read(path)?;
    let mut documents = Vec::new();
    let mut at = 0;
    for line in fs::read_to_string(format!("{path}.sizes"))?.lines() {
        let bad = |cause: String| io::Error::new(io::ErrorKind::InvalidData, cause);
        let size: usize = line.parse().map_err(|e| bad(format!("{path}.sizes: {line}: {e}")))?;
        let document = text.get(at..at + size).ok_or_else(|| bad(format!("{path}: too short")))?;
        documents.push(String::from_utf8(document.to_vec()).map_err(|e| bad(e.to_string()))?);
        at += size;
    }
    Ok(documents)
}

fn answer(finder: &LinkFinder, documents: &mut Vec<String>, request: &[&str]) -> Result<String, String> {
    match request {
        ["read", path] => {
            *documents = read(path).map_err(|e| format!("{path}: {e}"))?;
            Ok(format!("read\t{}", documents.len()))
        }
        ["time", seconds] => {
            let least: f64 = seconds.parse().map_err(|e| format!("{seconds}: {e}"))?;
            let start = now();
            for passes in 1.. {
                for d in documents.iter() {
                    black_box(finder.links(black_box(d)).count());
                }
                let taken = now() - start;
                if taken >= least {
                    return Ok(format!("time\t{passes}\t{taken:.6}"));
                }
            }
            unreachable!()
        }
        ["write", path] => {
            let mut out = String::new();
            for (i, d) in documents.iter().enumerate() {
                for l in finder.links(d) {
                    out += &format!("{i}\t{}\t{}\n", l.start(), l.end());
                }
            }
            fs::write(path, out).map_err(|e| format!("{path}: {e}"))?;
            Ok("write".to_string())
        }
        _ => Err(format!("unknown request: {request:?}")),
    }
}

fn main() {
    let mut finder = LinkFinder::new();
    finder.url_must_have_scheme(std::env::args().nth(1).as_deref() == Some("scheme"));
    let mut documents = Vec::new();
    let mut out = io::stdout();
    let mut say = |line: &str| {
        writeln!(out, "{line}").and_then(|()| out.flush()).expect("standard output");
    };
    say(concat!("ready\t", env!("LINKIFY_VERSION")));
    for line in io::stdin().lock().lines() {
        let line = line.expect("standard input");
        match answer(&finder, &mut documents, &line.split('\t').collect::<Vec<_>>()) {
            Ok(a) => say(&a),
            Err(e) => say(&format!("error\t{}", e.replace(['\t', '\n'], " "))),
        }
    }
}
