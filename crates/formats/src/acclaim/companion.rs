//! Finds the skeleton file of a motion.

use marey_motion::{Place, Report};

use super::codes;
use crate::FormatsError;
use crate::neighbours::{Companion, Neighbours};

/// Finds the skeleton file of a motion: for `07_01.amc`, this is `07_01.asf`, else `07.asf`, else the only skeleton file beside
/// it. Case is ignored.
///
/// An error if none exists. The message lists the names that were tried.
pub fn find_skeleton(neighbours: &dyn Neighbours, report: &mut Report) -> Result<Companion, FormatsError> {
    let there = neighbours.names("asf")?;
    let wanted = neighbours.own_name().map(names_for).unwrap_or_default();
    let name = match (wanted.iter().find_map(|wanted| one_of(&there, wanted)), there.as_slice()) {
        (Some(name), _) => name,
        (None, [only]) => {
            let message = format!("{only} is the only .asf beside the motion");
            report.warn(&codes::SKELETON_GUESSED, Place::default(), message);
            only
        }
        _ => {
            let message = search_message(&wanted, &there);
            return Err(FormatsError::refused(&codes::NO_SKELETON, Place::default(), message));
        }
    };
    Ok(Companion::new(name, neighbours.open(name)?))
}

/// Possible names of the skeleton file of a motion file, in order of precedence.
fn names_for(motion: &str) -> Vec<String> {
    let stem = motion.rsplit_once('.').map_or(motion, |(stem, _)| stem);
    let mut names = vec![format!("{stem}.asf")];
    if let Some((subject, _)) = stem.split_once('_').filter(|(subject, _)| !subject.is_empty()) {
        names.push(format!("{subject}.asf"));
    }
    names
}

/// The existing name: an exact match, or else one that differs in case.
fn one_of<'n>(there: &'n [String], wanted: &str) -> Option<&'n String> {
    let exact = there.iter().find(|name| *name == wanted);
    exact.or_else(|| there.iter().find(|name| name.eq_ignore_ascii_case(wanted)))
}

fn search_message(wanted: &[String], there: &[String]) -> String {
    if wanted.is_empty() && there.is_empty() {
        return "a motion needs its .asf, and none was supplied".into();
    }
    let named = wanted.iter().map(|name| format!("{name}, ")).collect::<String>();
    let found = match there {
        [] => "none".into(),
        [first, second] => format!("{first} and {second}"),
        [first, rest @ ..] => format!("{first} and {} more", rest.len()),
    };
    format!("searched beside it for {named}or a single .asf, and found {found}")
}

#[cfg(test)]
mod tests {
    use marey_motion::Coded;

    use super::*;
    use crate::NoNeighbours;

    /// Neighbours without content: the own name, and the names of the others.
    struct Names(&'static str, &'static [&'static str]);

    impl Neighbours for Names {
        fn own_name(&self) -> Option<&str> {
            Some(self.0)
        }

        fn names(&self, _ending: &str) -> Result<Vec<String>, FormatsError> {
            Ok(self.1.iter().map(|name| (*name).to_owned()).collect())
        }

        fn open(&self, name: &str) -> Result<Vec<u8>, FormatsError> {
            Ok(name.into())
        }
    }

    #[test]
    fn the_closest_name_is_chosen() {
        let found = |own, names| {
            let mut report = Report::default();
            let companion = find_skeleton(&Names(own, names), &mut report).unwrap();
            assert_eq!(&*companion.bytes, companion.name.as_bytes());
            (companion.name, report.has(&codes::SKELETON_GUESSED))
        };
        let plain = |name: &str| (name.to_owned(), false);
        assert_eq!(found("07_01.amc", &["07.asf", "07_01.asf"]), plain("07_01.asf"));
        assert_eq!(found("07_01.amc", &["07.asf", "08.asf"]), plain("07.asf"));
        assert_eq!(found("07_01_b.amc", &["07.asf", "07_01.asf"]), plain("07.asf"));
        assert_eq!(found("07_01.AMC", &["07.ASF", "08.ASF"]), plain("07.ASF"));
        assert_eq!(found("a.amc", &["A.ASF", "a.asf"]), plain("a.asf"));
        assert_eq!(found("walk", &["b.asf", "walk.asf"]), plain("walk.asf"));
        assert_eq!(found("walk.amc", &["bob.asf"]), ("bob.asf".to_owned(), true));
    }

    #[test]
    fn the_error_lists_the_names_that_were_tried() {
        let refusal = |neighbours: &dyn Neighbours| {
            let error = find_skeleton(neighbours, &mut Report::default()).unwrap_err();
            assert_eq!(error.code().id, "acclaim/no-skeleton");
            error.to_string()
        };
        assert_eq!(
            refusal(&Names("07_01.amc", &["a.asf", "b.asf"])),
            "searched beside it for 07_01.asf, 07.asf, or a single .asf, and found a.asf and b.asf"
        );
        assert_eq!(
            refusal(&Names("_.amc", &[])),
            "searched beside it for _.asf, or a single .asf, and found none"
        );
        assert!(refusal(&NoNeighbours).contains("none was supplied"));
    }
}
