//! Actors by name or position.

/// The index of the actor that a text names: by its name, or by its position from 1.
pub(super) fn find_actor<'a>(
    mut names: impl Iterator<Item = &'a str> + Clone,
    wanted: &str,
) -> Option<usize> {
    let count = names.clone().count();
    let position = || wanted.parse::<usize>().ok()?.checked_sub(1).filter(|&index| index < count);
    names.position(|name| name == wanted).or_else(position)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actors_are_found_by_name_first_and_then_by_position() {
        let find = |wanted| find_actor(["leader", "1"].into_iter(), wanted);
        assert_eq!(
            [find("leader"), find("1"), find("2"), find("3"), find("0")],
            [Some(0), Some(1), Some(1), None, None]
        );
    }
}
