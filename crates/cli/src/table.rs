//! Tables: aligned columns without lines, so that other tools can process them.

use comfy_table::{CellAlignment, ContentArrangement, Table, presets};

use crate::ink::{Ink, plain};

/// Rows under a heading. Columns of numbers are aligned to the right.
pub(crate) fn columns<const N: usize>(ink: Ink, heading: [&str; N], rows: Vec<Vec<String>>) -> String {
    let is_number = |cell: &String| cell == "-" || cell.parse::<f64>().is_ok();
    let is_numeric = |column: usize| rows.iter().filter_map(|row| row.get(column)).all(is_number);
    let numeric: Vec<bool> = (0..N).map(is_numeric).collect();
    let mut all = vec![heading.map(String::from).to_vec()];
    all.extend(rows);
    let text = aligned(all, |column| numeric.get(column).copied().unwrap_or(false));
    match text.split_once('\n') {
        Some((first, rest)) => format!("{}\n{rest}", ink.heading(first)),
        None => text,
    }
}

/// Rows without a heading; empty without rows. A row may have fewer columns than others.
pub(crate) fn plain_columns(rows: Vec<Vec<String>>) -> String {
    aligned(rows, |_| false)
}

fn aligned(rows: Vec<Vec<String>>, is_numeric: impl Fn(usize) -> bool) -> String {
    if rows.is_empty() {
        return String::new();
    }
    let mut table = Table::new();
    table.load_style(presets::NOTHING).set_content_arrangement(ContentArrangement::Disabled);
    for row in rows {
        table.add_row(row.iter().map(|cell| plain(cell)));
    }
    for (i, column) in table.column_iter_mut().enumerate() {
        let side = if is_numeric(i) { CellAlignment::Right } else { CellAlignment::Left };
        column.set_padding((0, 2)).set_cell_alignment(side);
    }
    table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell_and_numbers_are_set_to_the_right() {
        let rows = vec![vec!["longer".into(), "12.5".into()], vec!["b".into(), "3".into()], vec!["c".into()]];
        assert_eq!(columns(Ink::NONE, ["a", "n"], rows), "a          n\nlonger  12.5\nb          3\nc\n");
        assert_eq!(plain_columns(vec![]), "");
    }
}
