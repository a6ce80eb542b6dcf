//! `marey corpus add`, `segment` and `label`, killed at any instant: what they said was done is done, and nothing is torn.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use marey::corpus::{Annotation, AnnotationContent, Corpus, Segment, TakeId};

use crate::sandbox::Sandbox;

/// How often a command is killed while it runs, in all.
const KILLS: usize = 300;
/// Corpora that are worked on at once; one for each core of a small machine.
const WORKERS: u64 = 2;
/// After so many kills a command is left alone, so that the next one has its turn.
const MOST_IN_A_ROW: usize = 6;
/// Files that are put into one corpus.
const FILES: usize = 12;

const STAGES: [&str; 3] = ["add", "segment", "label"];

#[test]
fn every_acknowledged_change_survives_three_hundred_kills_of_the_command() {
    let done = std::thread::scope(|scope| {
        let workers: Vec<_> =
            (0..WORKERS).map(|seed| scope.spawn(move || Worker::new(seed).work())).collect();
        workers.into_iter().map(|worker| worker.join().unwrap()).collect::<Vec<Tally>>()
    });
    let kills: [usize; 3] = std::array::from_fn(|stage| done.iter().map(|tally| tally.kills[stage]).sum());
    let acknowledged: usize = done.iter().map(|tally| tally.acknowledged).sum();
    println!(
        "kills of add, segment and label: {kills:?}; {acknowledged} commands acknowledged, nothing lost"
    );
    assert!(kills.iter().sum::<usize>() >= KILLS);
    assert!(kills.iter().all(|kills| *kills >= KILLS / 6), "each must be killed: {kills:?}");
    assert!(acknowledged >= KILLS / 12, "some must come to their end: {acknowledged}");
}

#[derive(Default)]
struct Tally {
    kills: [usize; 3],
    acknowledged: usize,
}

/// One who kills, in a folder of its own.
struct Worker {
    sandbox: Sandbox,
    dice: u64,
    /// What each file becomes where nobody is killed.
    wanted: Vec<Wanted>,
    /// How long each command takes.
    usual: [Duration; 3],
}

/// A take as it is when all is done.
struct Wanted {
    take: marey::motion::Take,
    segments: Vec<Segment>,
    /// What cutting and labelling say, apart.
    cut: Vec<AnnotationContent>,
    labels: Vec<AnnotationContent>,
}

impl Worker {
    fn new(seed: u64) -> Self {
        let sandbox = Sandbox::new(&format!("corpus-kill-{seed}"));
        for file in 0..FILES {
            let number = (100 * seed + file as u64).to_string();
            let name = format!("w{file}.bvh");
            sandbox.ok(&["examples", "walk", &name, "--seed", &number, "--secs", "6", "--rate", "30"]);
        }
        let mut worker = Self { sandbox, dice: seed, wanted: Vec::new(), usual: [Duration::ZERO; 3] };
        worker.sandbox.ok(&["corpus", "new", "wanted.marey"]);
        for file in 0..FILES {
            for (stage, usual) in STAGES.iter().zip(&mut worker.usual) {
                let start = Instant::now();
                let args = command(stage, "wanted.marey", file);
                worker.sandbox.ok(&args.iter().map(String::as_str).collect::<Vec<_>>());
                *usual = if file == 0 { start.elapsed() } else { (*usual).min(start.elapsed()) };
            }
        }
        let corpus = Corpus::open_read_only(&worker.sandbox.path("wanted.marey")).unwrap();
        worker.wanted = (0..FILES).map(|file| Wanted::of(&corpus, file)).collect();
        assert!(worker.wanted.iter().all(|wanted| wanted.segments.len() > 1 && wanted.labels.len() == 2));
        worker
    }

    /// Numbers that look random, the same each time (splitmix64).
    fn roll(&mut self) -> u64 {
        self.dice = self.dice.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.dice;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// Puts files in, cuts and labels them, one after the other, and kills as it goes; a new corpus when all are done.
    fn work(mut self) -> Tally {
        let mut tally = Tally::default();
        for corpus in 0.. {
            let name = format!("c{corpus}.marey");
            self.sandbox.ok(&["corpus", "new", &name]);
            let mut acknowledged = BTreeSet::new();
            for file in 0..FILES {
                for stage in 0..STAGES.len() {
                    tally.kills[stage] += self.until_acknowledged(&name, file, stage, &mut acknowledged);
                    tally.acknowledged += 1;
                }
                if tally.kills.iter().sum::<usize>() >= KILLS / WORKERS as usize {
                    return tally;
                }
            }
        }
        tally
    }

    /// Runs a command again and again, each time with a kill at another instant, until it has come to its end. How often it
    /// was killed.
    fn until_acknowledged(
        &mut self,
        name: &str,
        file: usize,
        stage: usize,
        acknowledged: &mut BTreeSet<(usize, usize)>,
    ) -> usize {
        let args = command(STAGES[stage], name, file);
        let args: Vec<&str> = args.iter().map(String::as_str).collect();
        for kills in 0.. {
            // From the start to a little beyond the usual end.
            let share = (self.roll() % 1300) as f64 / 1000.0;
            let mut child = self.sandbox.command(&args).spawn().unwrap();
            if kills < MOST_IN_A_ROW {
                std::thread::sleep(self.usual[stage].mul_f64(share));
                // SIGKILL, on Unix; nothing where it has ended.
                child.kill().unwrap();
            }
            let status = child.wait().unwrap();
            // What has ended by itself was acknowledged; what was killed has no code.
            assert!(status.code().is_none_or(|code| code == 0), "{args:?}: {status}");
            if status.success() {
                acknowledged.insert((file, stage));
            }
            self.sandbox.ok(&["corpus", "check", name]);
            let corpus = Corpus::open_read_only(&self.sandbox.path(name)).unwrap();
            self.verify(&corpus, acknowledged);
            if status.success() {
                return kills;
            }
        }
        0
    }

    /// Everything acknowledged is there, and what is there is whole.
    fn verify(&self, corpus: &Corpus, acknowledged: &BTreeSet<(usize, usize)>) {
        let takes = corpus.takes().unwrap();
        for (file, wanted) in self.wanted.iter().enumerate() {
            let name = format!("w{file}");
            let is = |stage| acknowledged.contains(&(file, stage));
            let Some(info) = takes.iter().find(|take| take.name == name) else {
                assert!((0..3).all(|stage| !is(stage)), "{name} is lost");
                continue;
            };
            if !is(2) {
                assert_eq!(corpus.take(info.id).unwrap(), wanted.take, "{name} is torn");
            }
            let now = Wanted::of(corpus, file);
            let same = now.segments.len() == wanted.segments.len()
                && now.segments.iter().zip(&wanted.segments).all(|(a, b)| {
                    (&a.frames, &a.name, a.actor, &a.maker) == (&b.frames, &b.name, b.actor, &b.maker)
                });
            let cut = same && now.cut == wanted.cut;
            let uncut = now.segments.is_empty() && now.cut.is_empty();
            assert!(cut || (uncut && !is(1)), "{name}: {:?} {:?}", now.segments, now.cut);
            assert!(
                now.labels == wanted.labels || (now.labels.is_empty() && !is(2)),
                "{name}: {:?}",
                now.labels
            );
        }
    }
}

/// The command of a stage for a file.
fn command(stage: &str, corpus: &str, file: usize) -> Vec<String> {
    let take = format!("w{file}");
    let rest = match stage {
        "add" => vec![format!("{take}.bvh"), "--licence".into(), "CC0-1.0".into()],
        "segment" => vec![take, "--by".into(), "steps".into()],
        _ => vec![take, format!("number={file}"), "mood=gay".into()],
    };
    [vec!["corpus".into(), stage.into(), corpus.into()], rest, vec!["-q".into()]].concat()
}

impl Wanted {
    fn of(corpus: &Corpus, file: usize) -> Self {
        let id: TakeId = corpus.find(&format!("w{file}")).unwrap();
        let said = corpus.annotations(id).unwrap().into_iter().map(|Annotation { what, .. }| what);
        let (labels, cut) = said.partition(|what| matches!(what, AnnotationContent::Label { .. }));
        Self { take: corpus.take(id).unwrap(), segments: corpus.segments_of(id).unwrap(), cut, labels }
    }
}
