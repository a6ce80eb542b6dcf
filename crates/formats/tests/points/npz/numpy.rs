//! Files written by numpy, if it is installed.

use std::process::Command;

use marey_formats::{ReadOptions, read};

use super::fixtures::fixture_set;

const SCRIPT: &str = "
import sys, numpy as np
joints, frames = 22, 3
index = np.arange(joints * 3)[None, :].astype(float)
frame = np.arange(frames)[:, None].astype(float)
poses = 0.3 * np.sin(index * 1.7 + frame)
poses[:, 0] = np.pi / 2
poses[:, 1:3] = 0.1 * frame
trans = np.stack([np.full(frames, 0.5), -0.02 * np.arange(frames), np.full(frames, 0.97)], axis=1)
save = np.savez_compressed if sys.argv[2] == 'compressed' else np.savez
order = np.asfortranarray if sys.argv[2] == 'fortran' else np.ascontiguousarray
save(sys.argv[1], poses=order(poses), trans=trans, mocap_framerate=np.array(60.0), gender=np.array('male'))
";

#[test]
#[expect(clippy::print_stderr, reason = "a skipped test says so")]
fn files_written_by_numpy_contain_the_same_motion() {
    let plain = fixture_set().named("good", "body-only.npz").read().unwrap();
    for how in ["plain", "compressed", "fortran"] {
        let path = std::env::temp_dir().join(format!("marey-numpy-{}-{how}.npz", std::process::id()));
        let run = Command::new("python3").args(["-c", SCRIPT]).arg(&path).arg(how).output();
        if !run.is_ok_and(|output| output.status.success()) {
            eprintln!("skipped: no python3 with numpy");
            return;
        }
        let bytes = std::fs::read(&path).unwrap();
        std::fs::remove_file(&path).unwrap();
        let found = read(&bytes, None, &ReadOptions::default()).unwrap();
        let (found_clip, plain_clip) = (found.take().unwrap().first(), plain.take().unwrap().first());
        for (a, b) in found_clip.world().positions.iter().zip(&plain_clip.world().positions) {
            assert!(a.distance(*b) < 1e-5, "{how}");
        }
        assert_eq!(found.report.codes(), ["npz/default-body", "npz/not-kept"], "{how}");
    }
}
