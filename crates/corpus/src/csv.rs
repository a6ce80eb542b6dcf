//! CSV tables (RFC 4180), read with line numbers.

use marey_motion::Place;

use crate::{CorpusError, Result, codes};

/// The rows of a table.
#[derive(Debug)]
pub(crate) struct Sheet {
    columns: Vec<String>,
    rows: Vec<(usize, Vec<String>)>,
}

/// One row.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SheetRow<'a> {
    columns: &'a [String],
    cells: &'a [String],
    line: usize,
}

impl Sheet {
    /// Reads a table. Every row must have as many cells as the header, and every column must have a known name.
    pub(crate) fn read(text: &str, names: &[&str]) -> Result<Self> {
        let mut records = records(text)?.into_iter();
        let (_, columns) = records.next().ok_or_else(|| at(1, "a table without a heading"))?;
        let columns: Vec<String> = columns.iter().map(|name| name.trim().to_ascii_lowercase()).collect();
        for (i, column) in columns.iter().enumerate() {
            if !names.contains(&column.as_str()) {
                return Err(at(
                    1,
                    format!("no column is called {column:?}; columns are {}", names.join(", ")),
                ));
            }
            if columns.iter().take(i).any(|before| before == column) {
                return Err(at(1, format!("two columns are called {column:?}")));
            }
        }
        let rows: Vec<(usize, Vec<String>)> = records.collect();
        if let Some((line, cells)) = rows.iter().find(|(_, cells)| cells.len() != columns.len()) {
            return Err(at(*line, format!("{} cells under {} columns", cells.len(), columns.len())));
        }
        Ok(Self { columns, rows })
    }

    /// Whether the column exists.
    pub(crate) fn has(&self, column: &str) -> bool {
        self.columns.iter().any(|name| name == column)
    }

    pub(crate) fn rows(&self) -> impl Iterator<Item = SheetRow<'_>> {
        self.rows.iter().map(|(line, cells)| SheetRow { columns: &self.columns, cells, line: *line })
    }
}

impl<'a> SheetRow<'a> {
    /// The text in a column; empty if there is no such column.
    pub(crate) fn get(&self, column: &str) -> &'a str {
        let place = self.columns.iter().position(|name| name == column);
        place.and_then(|place| self.cells.get(place)).map_or("", |cell| cell.trim())
    }

    /// The parsed value of a column.
    pub(crate) fn parse<T: std::str::FromStr>(&self, column: &str) -> Result<T> {
        let text = self.get(column);
        text.parse().map_err(|_| self.wrong(format!("{text:?} under {column}")))
    }

    /// The parsed value of a column, if it is not empty.
    pub(crate) fn parse_some<T: std::str::FromStr>(&self, column: &str) -> Result<Option<T>> {
        if self.get(column).is_empty() { Ok(None) } else { self.parse(column).map(Some) }
    }

    /// An error in this row.
    pub(crate) fn wrong(&self, message: impl Into<String>) -> CorpusError {
        at(self.line, message)
    }

    /// Adds the position of this row to an error that has none.
    pub(crate) fn place(&self, error: CorpusError) -> CorpusError {
        match error {
            CorpusError::Refused { code, place, message } if place.is_nowhere() => {
                CorpusError::Refused { code, place: Place::at(self.line, 1), message }
            }
            other => other,
        }
    }
}

fn at(line: usize, message: impl Into<String>) -> CorpusError {
    CorpusError::Refused { code: &codes::CSV, place: Place::at(line, 1), message: message.into() }
}

/// The records of a text, each with the line that it starts in; empty lines are skipped.
fn records(text: &str) -> Result<Vec<(usize, Vec<String>)>> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut records = Vec::new();
    let (mut cells, mut cell) = (Vec::new(), String::new());
    let (mut line, mut start) = (1, 1);
    let mut quoted = false;
    let mut was_quoted = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        line += usize::from(c == '\n');
        match c {
            '"' if quoted && chars.peek() == Some(&'"') => {
                chars.next();
                cell.push('"');
            }
            '"' if quoted => quoted = false,
            _ if quoted => cell.push(c),
            '"' if cell.trim().is_empty() && !was_quoted => {
                cell.clear();
                (quoted, was_quoted) = (true, true);
            }
            ',' => {
                cells.push(std::mem::take(&mut cell));
                was_quoted = false;
            }
            '\r' if chars.peek() == Some(&'\n') => {}
            '\n' => {
                cells.push(std::mem::take(&mut cell));
                if cells.len() > 1 || cells.iter().any(|cell| !cell.trim().is_empty()) || was_quoted {
                    records.push((start, std::mem::take(&mut cells)));
                }
                cells.clear();
                was_quoted = false;
                start = line;
            }
            other => cell.push(other),
        }
    }
    if quoted {
        return Err(at(start, "a quotation mark is not closed"));
    }
    if !cell.is_empty() || !cells.is_empty() || was_quoted {
        cells.push(cell);
        records.push((start, cells));
    }
    Ok(records)
}

/// A row as text; cells are quoted if necessary.
pub(crate) fn line(cells: &[String]) -> String {
    let quote = |cell: &String| {
        let plain = !cell.contains([',', '"', '\n', '\r']) && cell.trim().len() == cell.len();
        if plain { cell.clone() } else { format!("\"{}\"", cell.replace('"', "\"\"")) }
    };
    cells.iter().map(quote).collect::<Vec<_>>().join(",") + "\n"
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn cells_lines_and_quotation_marks_are_told_apart() {
        let text = "\u{feff}take, name\r\nwalk,\"a \"\"b\"\",\nc\"\n\n\"\",x";
        let sheet = Sheet::read(text, &["take", "name"]).unwrap();
        let rows: Vec<(usize, &str, &str)> =
            sheet.rows().map(|row| (row.line, row.get("take"), row.get("name"))).collect();
        assert_eq!(rows, [(2, "walk", "a \"b\",\nc"), (5, "", "x")]);
    }

    #[test]
    fn what_is_wrong_has_a_line() {
        for (text, line) in
            [("", 1), ("take,toes\n", 1), ("take,take\n", 1), ("take\na\nb,c\n", 3), ("take\n\"a\n", 2)]
        {
            let error = Sheet::read(text, &["take", "name"]).unwrap_err();
            assert_eq!((error.code().id, error.place().line), ("corpus/csv", Some(line)), "{text:?}");
        }
        let sheet = Sheet::read("name\nx\n", &["name"]).unwrap();
        let row = sheet.rows().next().unwrap();
        assert_eq!(row.parse::<usize>("name").unwrap_err().place().line, Some(2));
    }

    proptest! {
        #[test]
        fn any_cells_read_back(cells in prop::collection::vec("[ -~é\n]{0,9}", 2..5)) {
            let names: Vec<String> = (0..cells.len()).map(|i| format!("c{i}")).collect();
            let text = line(&names) + &line(&cells);
            let all: Vec<&str> = names.iter().map(String::as_str).collect();
            let sheet = Sheet::read(&text, &all).unwrap();
            let read: Vec<String> = sheet.rows().flat_map(|row| row.cells.to_vec()).collect();
            prop_assert_eq!(read, cells);
        }
    }
}
