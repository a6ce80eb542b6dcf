//! Flags that `tag` and `label` share.

use std::path::PathBuf;

use clap::Args;
use marey::Error;
use marey::corpus::{AnnotateRequest, NewAnnotation};

use super::{CorpusFlag, count, print_summary};
use crate::console::Console;
use crate::flags::JsonFlag;
use crate::verdict::Verdict;

/// Which take, and whether annotations are added or removed.
#[derive(Debug, Args)]
pub(super) struct AnnotateFlags {
    #[command(flatten)]
    corpus: CorpusFlag,

    /// The take: its name, or # and its number
    #[arg(value_name = "TAKE", required_unless_present = "csv")]
    take: Option<String>,

    /// Remove the annotations
    #[arg(long)]
    pub(super) remove: bool,

    /// Read annotations from a table instead; docs/corpus.md lists the columns
    #[arg(long, value_name = "FILE.csv", conflicts_with = "take")]
    csv: Option<PathBuf>,

    #[command(flatten)]
    json: JsonFlag,
}

impl AnnotateFlags {
    /// Adds or removes annotations, or those of the table.
    pub(super) fn run(&self, console: &Console, annotations: Vec<NewAnnotation>) -> Result<Verdict, Error> {
        let request = AnnotateRequest {
            take: self.take.clone().unwrap_or_default(),
            annotations: if self.csv.is_some() { Vec::new() } else { annotations },
            csv: self.csv.clone(),
            remove: self.remove,
        };
        let done = self.corpus.change(|corpus| corpus.apply_annotations(&request))?;
        let mut summary = format!("{} changed", count(done.changed, "annotation"));
        if done.already > 0 {
            summary += &format!(", {} unchanged", done.already);
        }
        if done.removed > 0 {
            summary = format!("{} removed", count(done.removed, "annotation"));
        }
        print_summary(console, &self.json, &[done], &summary)
    }
}
