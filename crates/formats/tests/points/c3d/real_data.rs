//! C3D files of capture systems, if they are available.

use marey_conventions::PointRecording;
use marey_formats::{ReadOptions, read};

use marey_capture::{bytes, files, folder};

fn points(path: &std::path::Path) -> PointRecording {
    let import = read(&bytes(path), None, &ReadOptions::default());
    import.unwrap_or_else(|error| panic!("{}: {error}", path.display())).points().unwrap().clone()
}

#[test]
#[expect(clippy::print_stderr, reason = "the counts are what the test shows")]
fn real_data_files_are_read() {
    let Some(folder) = folder("conformance/c3d") else { return };
    let files = files(&folder, "c3d");
    assert!(files.len() >= 9, "{}", files.len());
    for path in &files {
        let points = points(path);
        let (clip, found) = (&points.clip, &points.detected);
        let heights = clip.flat().iter().map(|p| p.y);
        let (low, high) = heights.fold((f32::MAX, f32::MIN), |(low, high), y| (low.min(y), high.max(y)));
        eprintln!(
            "{}: {} markers, {} frames at {} Hz, {} missing, heights {low:.2} to {high:.2} m, {}, {} up",
            path.file_name().unwrap().display(),
            clip.labels().len(),
            clip.frames(),
            clip.rate_hz(),
            clip.missing(),
            found.unit.value,
            found.up_axis.value,
        );
        // The range is from the feet to a club swung overhead. One studio has its origin at table height.
        assert!(low > -0.8 && (0.6..3.0).contains(&(high - low)), "{}: {low} to {high}", path.display());
    }
}

/// One recording in four encodings.
#[test]
fn real_data_processors_agree() {
    let Some(folder) = folder("conformance/c3d/btkdata/c3d.org/sample01") else { return };
    let all =
        ["Eb015pi", "Eb015pr", "Eb015si", "Eb015vr"].map(|name| points(&folder.join(format!("{name}.c3d"))));
    let [first, others @ ..] = &all;
    assert_eq!((first.clip.labels().len(), first.clip.frames()), (26, 450));
    for other in others {
        assert_eq!(first.clip.labels(), other.clip.labels());
        for frame in 0..450 {
            for label in 0..26 {
                let (a, b) = (first.clip.get(frame, label), other.clip.get(frame, label));
                let near = a.zip(b).map_or(a == b, |(a, b)| a.distance(b) < 1e-6);
                assert!(near, "{frame}, {label}: {a:?} {b:?}");
            }
        }
        let near = |a: &f32, b: &f32| (a.is_nan() && b.is_nan()) || (a - b).abs() < 1e-7;
        assert!(first.residuals_m.iter().zip(&other.residuals_m).all(|(a, b)| near(a, b)));
        let (a, b) = (first.analog.as_ref().unwrap(), other.analog.as_ref().unwrap());
        assert_eq!((&a.labels, a.rate_hz), (&b.labels, b.rate_hz));
        assert!(a.samples.iter().zip(&b.samples).all(|(a, b)| (a - b).abs() <= 1e-3 * a.abs().max(1.0)));
    }
}
