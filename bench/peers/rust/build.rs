// SPDX-License-Identifier: MIT

// The crate does not tell its version. Cargo.lock does, which cargo writes before it runs this.
fn main() {
    println!("cargo:rerun-if-changed=Cargo.lock");
    let lock = std::fs::read_to_string("Cargo.lock").expect("Cargo.lock");
    let package = lock.split("[[package]]").find(|p| p.contains("name = \"linkify\"\n")).expect("linkify in Cargo.lock");
    let version = package.lines().find_map(|l| l.strip_prefix("version = ")).expect("version of linkify");
    println!("cargo:rustc-env=LINKIFY_VERSION={}", version.trim_matches('"'));
}
