//! Choosing examples that go together.
//!
//! A corpus holds many people, and a result has one body. A verb keeps the examples of the body that lasts longest, leaves the
//! others out, and reports them. An example that cannot be read does not stop the others either.

use crate::Error;
#[cfg(any(feature = "duet", feature = "traverse", feature = "tween"))]
use crate::motion::Place;
use crate::motion::Report;
#[cfg(any(feature = "duet", feature = "traverse", feature = "tween"))]
use crate::{Context, codes};

/// The stage of reading examples.
#[cfg(any(feature = "duet", feature = "follow", feature = "traverse", feature = "tween"))]
pub(crate) const READING: &str = "reading the examples";

/// The examples that could be read. The others are reported with the code of their error.
///
/// Fails with the first error if no example could be read, and if the context's work is cancelled, which is checked before each.
#[cfg(any(feature = "duet", feature = "traverse", feature = "tween"))]
pub(crate) fn readable<T>(
    mut examples: impl Iterator<Item = (String, Result<T, Error>)>,
    context: &Context<'_>,
    report: &mut Report,
) -> Result<Vec<T>, Error> {
    let (mut read, mut errors) = (Vec::new(), Vec::new());
    let total = examples.size_hint().1.unwrap_or(0);
    loop {
        context.report(READING, read.len() + errors.len(), total)?;
        let Some((take, example)) = examples.next() else { break };
        match example {
            Ok(example) => read.push(example),
            Err(error) => errors.push((take, error)),
        }
    }
    report_unreadable(errors.iter().map(|(take, error)| (take.as_str(), error)), read.len(), report)?;
    Ok(read)
}

/// Reports takes that cannot be read. Fails with the first error if none of the others, `read` in number, is left.
pub(crate) fn report_unreadable<'a>(
    errors: impl Iterator<Item = (&'a str, &'a Error)>,
    read: usize,
    report: &mut Report,
) -> Result<(), Error> {
    for (take, error) in errors {
        if read == 0 {
            return Err(error.clone());
        }
        report.warn(error.code, (*error.place).clone(), format!("{take:?} was left out: {}", error.message));
    }
    Ok(())
}

/// Divides examples into the group that lasts longest and the rest, each in the given order. The first of two equally long
/// groups wins. `is_same` says whether two examples belong to one group.
#[cfg(any(feature = "duet", feature = "traverse", feature = "vary"))]
pub(crate) fn longest_group<T>(
    examples: Vec<T>,
    secs: impl Fn(&T) -> f64,
    is_same: impl Fn(&T, &T) -> bool,
) -> (Vec<T>, Vec<T>) {
    // The first example of each group, and the duration of the group.
    let mut groups: Vec<(&T, f64)> = Vec::new();
    let mut group_of = Vec::with_capacity(examples.len());
    for example in &examples {
        let known = groups.iter_mut().enumerate().find(|(_, (first, _))| is_same(first, example));
        match known {
            Some((group, (_, duration_secs))) => {
                *duration_secs += secs(example);
                group_of.push(group);
            }
            None => {
                group_of.push(groups.len());
                groups.push((example, secs(example)));
            }
        }
    }
    let numbered = groups.iter().map(|(_, secs)| *secs).enumerate();
    let longest = numbered.reduce(|best, next| if next.1 > best.1 { next } else { best });
    let longest = longest.map(|(group, _)| group);
    let mut group_of = group_of.into_iter();
    examples.into_iter().partition(|_| group_of.next() == longest)
}

/// The takes that a verb holds in memory: all, or, if those have more frames than the budget, evenly chosen ones in their order. The
/// others are reported. If the budget is smaller than every take, the shortest is used.
#[cfg(any(feature = "traverse", feature = "tween", feature = "vary"))]
pub(crate) fn within_budget<T>(
    takes: Vec<T>,
    frames: impl Fn(&T) -> usize,
    budget: &crate::Budget,
    report: &mut Report,
) -> Vec<T> {
    let count = takes.len();
    let total: f64 = takes.iter().map(|take| frames(take) as f64).sum();
    if total <= budget.examples || count < 2 {
        return takes;
    }
    let shortest = takes.iter().map(&frames).min().unwrap_or(0);
    let share = budget.examples / total;
    let (mut passed, mut used) = (0.0, 0.0);
    let mut kept: Vec<T> = Vec::new();
    for take in takes {
        let own = frames(&take) as f64;
        passed += own;
        let is_due = used + 0.5 * own <= share * passed && used + own <= budget.examples;
        let is_last_resort = kept.is_empty() && frames(&take) == shortest && own > budget.examples;
        if is_due || is_last_resort {
            used += own;
            kept.push(take);
        }
    }
    let message =
        format!("{} of {count} takes used: {used:.0} of {total:.0} frames fit the budget", kept.len());
    report.warn_many(&codes::EXAMPLES_LIMIT, Place::default(), count - kept.len(), message);
    kept
}

/// Reports takes that were left out because they do not go together with the `used` ones.
#[cfg(any(feature = "duet", feature = "traverse", feature = "vary"))]
pub(crate) fn report_left_out<'a>(left_out: impl Iterator<Item = &'a str>, used: usize, report: &mut Report) {
    let mut left_out: Vec<&str> = left_out.collect();
    left_out.dedup();
    if let [first, others @ ..] = left_out.as_slice() {
        let others = match others.len() {
            0 => String::new(),
            1 => " and another take".into(),
            count => format!(" and {count} other takes"),
        };
        let message = format!("{first:?}{others} left out, {used} used");
        report.warn_many(&codes::OTHER_BODY, Place::default(), left_out.len(), message);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_group_is_kept_in_order() {
        let examples = vec![("a", 1, 2.0), ("b", 2, 1.5), ("c", 3, 1.0), ("d", 2, 1.0)];
        let (kept, left_out) = longest_group(examples, |example| example.2, |a, b| a.1 == b.1);
        let names =
            |examples: &[(&'static str, i32, f64)]| examples.iter().map(|example| example.0).collect();
        let (kept, left_out): (Vec<&str>, Vec<&str>) = (names(&kept), names(&left_out));
        assert_eq!((kept, left_out), (vec!["b", "d"], vec!["a", "c"]));
        let (kept, left_out) = longest_group(Vec::<i32>::new(), |_| 1.0, |a, b| a == b);
        assert!(kept.is_empty() && left_out.is_empty());
    }

    #[cfg(any(feature = "duet", feature = "traverse", feature = "tween"))]
    #[test]
    fn unreadable_examples_are_reported_and_fail_only_together() {
        let bad = || Error::new(&codes::NO_MODEL, "broken");
        let mut report = Report::default();
        let examples = [("a".to_owned(), Err(bad())), ("b".to_owned(), Ok(2))];
        assert_eq!(readable(examples.into_iter(), &Context::new(), &mut report).unwrap(), [2]);
        assert_eq!(report.warnings()[0].message, "\"a\" was left out: broken");
        let all_bad = [("a".to_owned(), Err::<i32, _>(bad()))];
        assert_eq!(
            readable(all_bad.into_iter(), &Context::new(), &mut report).unwrap_err().code.id,
            "command/no-model"
        );
    }

    #[cfg(any(feature = "traverse", feature = "tween", feature = "vary"))]
    #[test]
    fn a_large_corpus_is_thinned_evenly() {
        let budget = |examples: f64| crate::Budget { examples, ..crate::Budget::default() };
        let mut report = Report::default();
        let kept = |takes: Vec<usize>, examples: f64, report: &mut Report| {
            within_budget(takes, |frames| *frames, &budget(examples), report)
        };
        assert_eq!(kept(vec![100; 4], 400.0, &mut report).len(), 4);
        assert!(report.is_empty());
        let numbered: Vec<(usize, usize)> = (0..100).map(|number| (number, 90 + number % 20)).collect();
        let some = within_budget(numbered, |take| take.1, &budget(1000.0), &mut report);
        let frames: usize = some.iter().map(|take| take.1).sum();
        assert!((900..=1000).contains(&frames), "{frames}");
        assert!(some.windows(2).all(|pair| (5..16).contains(&(pair[1].0 - pair[0].0))), "{some:?}");
        let warning = &report.warnings()[0];
        assert_eq!((warning.code.id, warning.count), ("command/examples-limit", 100 - some.len()));
        assert_eq!(kept(vec![300, 200, 400], 10.0, &mut report), [200]);
    }

    #[test]
    fn takes_that_are_left_out_are_counted() {
        let mut report = Report::default();
        report_left_out(["x", "y", "z"].into_iter(), 4, &mut report);
        assert_eq!(report.warnings()[0].message, "\"x\" and 2 other takes left out, 4 used");
        assert_eq!(report.warnings()[0].count, 3);
    }
}
