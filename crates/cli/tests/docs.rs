//! The documentation says what is true: every code is listed, and every command shown runs.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// Every code that a user can see.
fn every_code() -> Vec<&'static marey::motion::Code> {
    let mut codes = marey::codes::every();
    codes.extend(marey_studio::codes::ALL);
    codes.sort_by_key(|code| code.id);
    codes
}

/// `docs/codes.md`, as it should be.
fn codes_page() -> String {
    let mut page = String::from(
        "# Codes\n\nEvery warning and refusal of Marey has a stable code. This page is written by `cargo xtask bless`.\n",
    );
    let mut room = "";
    for code in every_code() {
        let here = code.id.split('/').next().unwrap();
        if here != room {
            room = here;
            page.push_str(&format!("\n## {room}\n\n| code | what was found | what to do |\n|---|---|---|\n"));
        }
        let aliases: String = code.aliases.iter().map(|alias| format!(" (was `{alias}`)")).collect();
        page.push_str(&format!("| `{}`{aliases} | {} | {} |\n", code.id, code.summary, code.hint));
    }
    page
}

#[test]
fn every_code_is_documented() {
    let path = root().join("docs/codes.md");
    let wanted = codes_page();
    if std::env::var_os("MAREY_BLESS").is_some() {
        fs::write(&path, &wanted).unwrap();
    }
    let found = fs::read_to_string(&path).unwrap_or_default();
    assert!(found == wanted, "docs/codes.md is not up to date: run `cargo xtask bless` and read the diff");
}

#[test]
fn the_settings_of_realise_are_documented_with_their_defaults() {
    let page = fs::read_to_string(root().join("docs/engines/realise.md")).unwrap();
    let (_, block) = page.split_once("```toml\n").expect("a block of settings");
    let (block, _) = block.split_once("```").expect("the end of the block");
    let shown: marey::realise::RealiseSettings = toml::from_str(block).unwrap();
    assert_eq!(shown, marey::realise::RealiseSettings::default());
    // Fields that are left out would pass unseen.
    let serde_json::Value::Object(tables) = serde_json::to_value(shown).unwrap() else { panic!("a table") };
    let fields = tables.values().filter_map(serde_json::Value::as_object).flatten();
    for (field, _) in fields.chain(&tables) {
        assert!(block.contains(field.as_str()), "{field}");
    }
}

/// The `marey …` lines of a page's shell blocks.
fn commands(page: &str) -> Vec<String> {
    let mut in_block = false;
    let mut commands = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            in_block = line == "```sh";
        } else if in_block && line.starts_with("marey ") {
            commands.push(line.split(" #").next().unwrap().trim().to_owned());
        }
    }
    commands
}

/// The files that a page shows: blocks that start with three backticks, a kind, a blank and a name.
fn files(page: &str) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = Vec::new();
    let mut is_open = false;
    for line in page.lines() {
        match line.strip_prefix("```") {
            Some(start) => {
                is_open = !is_open && start.contains(' ');
                files.extend(start.split_once(' ').map(|(_, name)| (name.to_owned(), String::new())));
            }
            None if is_open => {
                if let Some((_, text)) = files.last_mut() {
                    *text += &format!("{line}\n");
                }
            }
            None => {}
        }
    }
    files
}

#[test]
fn commands_in_the_readme_run_as_they_stand() {
    run_commands("README.md");
}

#[test]
fn commands_about_characters_run_as_they_stand() {
    run_commands("docs/characters.md");
}

#[test]
fn commands_about_convert_run_as_they_stand() {
    run_commands("docs/convert.md");
}

/// Runs the commands of a page, in an empty folder with the files that it shows.
fn run_commands(name: &str) {
    let folder =
        std::env::temp_dir().join(format!("marey-{}-{}", name.replace('/', "-"), std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let page = fs::read_to_string(root().join(name)).unwrap();
    for (name, text) in files(&page) {
        fs::write(folder.join(name), text).unwrap();
    }
    let commands = commands(&page);
    assert!(commands.len() >= 4, "{name} shows the command at work");
    for command in commands {
        let words: Vec<&str> = command.split_whitespace().skip(1).collect();
        let output =
            Command::new(env!("CARGO_BIN_EXE_marey")).args(&words).current_dir(&folder).output().unwrap();
        assert!(output.status.success(), "{command}\n{}", String::from_utf8_lossy(&output.stderr));
    }
    fs::remove_dir_all(&folder).unwrap();
}
