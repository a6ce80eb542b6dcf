//! Parses the joint tree of a BVH, iteratively and leniently.

use std::collections::HashMap;

use glam::Vec3;

use super::channel::Channel;
use super::codes;
use super::scan::{Scanner, is_word};
use crate::FormatsError;

/// A ROOT, JOINT or End Site.
#[derive(Debug, Clone)]
pub(super) struct Node {
    pub(super) name: String,
    /// Offset of its name in the text.
    pub(super) at: usize,
    pub(super) parent: Option<usize>,
    pub(super) offset: Vec3,
    pub(super) channels: Vec<Channel>,
    /// An End Site without channels or children: the end of a bone, not a joint.
    pub(super) is_tip: bool,
}

/// Nodes in the order of the file, parents before children.
#[derive(Debug)]
pub(super) struct Hierarchy {
    pub(super) nodes: Vec<Node>,
    /// Whether the tree ends with the word MOTION. The scanner is after it.
    pub(super) has_motion: bool,
}

impl Hierarchy {
    /// Number of values per frame.
    pub(super) fn channels(&self) -> usize {
        self.nodes.iter().map(|n| n.channels.len()).sum()
    }
}

/// State of the parser.
struct Parser<'s, 'a> {
    scan: &'s mut Scanner<'a>,
    nodes: Vec<Node>,
    /// Nodes whose brace is open, outermost first.
    open: Vec<usize>,
    /// A node that waits for its brace, with the offset of its name.
    pending: Option<(usize, usize)>,
    /// Whether each node has an OFFSET.
    has_offset: Vec<bool>,
    channels: usize,
}

/// Reads the tree up to and including the word MOTION.
pub(super) fn read(scan: &mut Scanner<'_>) -> Result<Hierarchy, FormatsError> {
    if is_word(scan.peek_word(), "HIERARCHY") {
        scan.word();
    } else if matches!(scan.peek_word(), w if is_word(w, "ROOT") || is_word(w, "JOINT")) {
        let at = scan.at();
        scan.warn(&codes::NO_HIERARCHY_KEYWORD, at, || "the file starts with a joint".into());
    } else {
        let found = String::from_utf8_lossy(scan.peek_word()).chars().take(20).collect::<String>();
        return scan.refuse(&codes::NO_HIERARCHY, scan.at(), format!("the file starts with {found:?}"));
    }
    let mut parser = Parser {
        scan,
        nodes: Vec::new(),
        open: Vec::new(),
        pending: None,
        has_offset: Vec::new(),
        channels: 0,
    };
    let has_motion = parser.run()?;
    let mut nodes = parser.nodes;
    make_names_unique(scan, &mut nodes);
    Ok(Hierarchy { nodes, has_motion })
}

impl Parser<'_, '_> {
    /// Reads word by word until MOTION (true) or the end of the file (false).
    fn run(&mut self) -> Result<bool, FormatsError> {
        loop {
            self.scan.skip_blank();
            let at = self.scan.at();
            let word = self.scan.word();
            if let Some((_, named_at)) = self.pending
                && !matches!(word, b"{" | b"")
            {
                let message = format!("{} is not followed by an opening brace", self.last_name());
                return self.scan.refuse(&codes::MISSING_BRACE, named_at, message);
            }
            match word {
                b"" => return self.end_of_file(at).map(|()| false),
                b"{" => self.open_brace(at)?,
                b"}" => self.close_brace(at),
                w if is_word(w, "ROOT") => self.joint(at, true)?,
                w if is_word(w, "JOINT") => self.joint(at, false)?,
                w if is_word(w, "End") || is_word(w, "EndSite") => self.end_site(at)?,
                w if is_word(w, "OFFSET") => self.offset(at)?,
                w if is_word(w, "CHANNELS") => self.channels(at)?,
                w if is_word(w, "MOTION") => return self.motion(at).map(|()| true),
                _ => {
                    let name = String::from_utf8_lossy(word).chars().take(40).collect::<String>();
                    self.scan.warn(&codes::UNKNOWN_KEYWORD, at, || format!("skipped {name:?}"));
                    self.scan.skip_line();
                }
            }
        }
    }

    fn last_name(&self) -> &str {
        self.nodes.last().map_or("", |n| n.name.as_str())
    }

    fn end_of_file(&mut self, at: usize) -> Result<(), FormatsError> {
        if self.nodes.is_empty() {
            return self.scan.refuse(&codes::NO_HIERARCHY, at, "the file ends without a joint");
        }
        if self.pending.is_some() {
            let message = format!("the file ends after the name of {}", self.last_name());
            return self.scan.refuse(&codes::TRUNCATED_HIERARCHY, at, message);
        }
        if !self.open.is_empty() {
            let message = format!("{} braces are open at the end of the file", self.open.len());
            return self.scan.refuse(&codes::TRUNCATED_HIERARCHY, at, message);
        }
        Ok(())
    }

    fn motion(&mut self, at: usize) -> Result<(), FormatsError> {
        if self.nodes.is_empty() {
            return self.scan.refuse(&codes::NO_HIERARCHY, at, "the motion starts without a joint");
        }
        if !self.open.is_empty() {
            let count = self.open.len();
            self.scan
                .warn(&codes::UNCLOSED, at, || format!("{count} braces are open at the start of the motion"));
        }
        Ok(())
    }

    fn open_brace(&mut self, at: usize) -> Result<(), FormatsError> {
        match self.pending.take() {
            Some((node, _)) => {
                self.open.push(node);
                let depth = self.scan.limits().depth;
                if self.open.len() > depth {
                    return self.scan.refuse(&codes::LIMIT, at, format!("more than {depth} joints deep"));
                }
                Ok(())
            }
            None => self.scan.refuse(&codes::MISSING_BRACE, at, "an opening brace without a joint before it"),
        }
    }

    fn close_brace(&mut self, at: usize) {
        let Some(node) = self.open.pop() else {
            self.scan.warn(&codes::EXTRA_BRACE, at, || "a closing brace without an open one".into());
            return;
        };
        if self.has_offset.get(node) == Some(&false) {
            let name = self.nodes.get(node).map(|n| n.name.clone()).unwrap_or_default();
            self.scan.warn(&codes::OFFSET_VALUES, at, || format!("{name} has no OFFSET"));
        }
    }

    fn joint(&mut self, at: usize, is_root: bool) -> Result<(), FormatsError> {
        let bytes = self.scan.rest_of_line()?;
        let mut name = self.scan.name(bytes, at);
        if name.is_empty() {
            name = format!("joint{}", self.nodes.len());
            self.scan.warn(&codes::UNNAMED_JOINT, at, || format!("named {name}"));
        }
        if is_root != self.open.is_empty() {
            let place = if is_root { "inside another joint" } else { "outside every joint" };
            self.scan.warn(&codes::JOINT_AS_ROOT, at, || format!("{name} is {place}"));
        }
        self.add(at, name, false)
    }

    fn end_site(&mut self, at: usize) -> Result<(), FormatsError> {
        self.scan.rest_of_line()?;
        let Some(parent) = self.open.last().and_then(|&p| self.nodes.get(p)) else {
            return self.scan.refuse(&codes::NO_HIERARCHY, at, "an End Site outside every joint");
        };
        // A short name, so that many End Sites below a joint of a long name stay small.
        let name = parent.name.chars().take(MAX_END_NAME).chain("_end".chars()).collect();
        self.add(at, name, true)
    }

    fn add(&mut self, at: usize, name: String, is_tip: bool) -> Result<(), FormatsError> {
        if self.nodes.len() >= self.scan.limits().joints {
            let message = format!("more than {} joints", self.scan.limits().joints);
            return self.scan.refuse(&codes::LIMIT, at, message);
        }
        if let Some(&parent) = self.open.last() {
            self.keep_as_joint(parent, at);
        }
        self.pending = Some((self.nodes.len(), at));
        let parent = self.open.last().copied();
        self.nodes.push(Node { name, at, parent, offset: Vec3::ZERO, channels: Vec::new(), is_tip });
        self.has_offset.push(false);
        Ok(())
    }

    /// An End Site with channels or children is a joint.
    fn keep_as_joint(&mut self, node: usize, at: usize) {
        if let Some(node) = self.nodes.get_mut(node).filter(|n| n.is_tip) {
            node.is_tip = false;
            let name = node.name.clone();
            self.scan.warn(&codes::END_SITE_JOINT, at, || format!("kept as the joint {name}"));
        }
    }

    fn offset(&mut self, at: usize) -> Result<(), FormatsError> {
        let mut values = Vec::new();
        while values.len() < 8
            && let Some(value) = self.scan.number()
        {
            values.push(value as f32);
        }
        let Some(&node) = self.open.last() else {
            self.scan.warn(&codes::UNKNOWN_KEYWORD, at, || "an OFFSET outside every joint".into());
            return Ok(());
        };
        let next = self.scan.peek_word();
        let is_followed_correctly = if values.is_empty() { next.is_empty() } else { is_tree_word(next) };
        if values.len() < 3 && !is_followed_correctly {
            let found = String::from_utf8_lossy(next).chars().take(20).collect::<String>();
            let message = format!("an OFFSET is followed by {found:?}");
            return self.scan.refuse(&codes::BAD_NUMBER, self.scan.at(), message);
        }
        let [x, y, z] = [0, 1, 2].map(|i| values.get(i).copied().unwrap_or(0.0));
        let offset = Vec3::new(x, y, z);
        if !offset.is_finite() {
            return self.scan.refuse(&codes::NOT_FINITE, at, "an OFFSET is not finite");
        }
        if offset.abs().max_element() > MAX_LENGTH {
            return self.scan.refuse(&codes::OUT_OF_RANGE, at, format!("the OFFSET is {x} {y} {z}"));
        }
        let again = self.has_offset.get_mut(node).is_some_and(|has| std::mem::replace(has, true));
        if again || values.len() != 3 {
            let count = values.len();
            let what = if again {
                "a second OFFSET; the last one was used".into()
            } else {
                format!("{count} numbers")
            };
            self.scan.warn(&codes::OFFSET_VALUES, at, || what);
        }
        if let Some(node) = self.nodes.get_mut(node) {
            node.offset = offset;
        }
        Ok(())
    }

    /// Whether the open node already has a channel.
    fn has(&self, channel: Channel) -> bool {
        self.open.last().and_then(|&node| self.nodes.get(node)).is_some_and(|n| n.channels.contains(&channel))
    }

    fn channels(&mut self, at: usize) -> Result<(), FormatsError> {
        let announced = self.scan.number();
        let mut channels = Vec::new();
        loop {
            self.scan.skip_blank();
            let word_at = self.scan.at();
            let word = self.scan.peek_word();
            let channel = match Channel::parse(word) {
                Some(channel) => channel,
                // An unknown name is a channel if another one was announced and the name is not a keyword.
                None if announced.is_some_and(|n| (channels.len() as f64) < n) && !is_tree_word(word) => {
                    Channel::Other
                }
                None => break,
            };
            if channel == Channel::Other {
                let name = String::from_utf8_lossy(word).chars().take(40).collect::<String>();
                self.scan.warn(&codes::UNKNOWN_CHANNEL, word_at, || format!("the channel {name:?}"));
            }
            if matches!(channel, Channel::Position(_)) && (channels.contains(&channel) || self.has(channel)) {
                return self.scan.refuse(
                    &codes::DUPLICATE_CHANNEL,
                    word_at,
                    "a position channel is repeated",
                );
            }
            self.scan.word();
            channels.push(channel);
            self.channels += 1;
            // A joint usually has up to six channels.
            if self.channels > self.scan.limits().joints.saturating_mul(16) {
                return self.scan.refuse(&codes::LIMIT, word_at, "too many channels");
            }
        }
        if announced != Some(channels.len() as f64) {
            let (announced, found) = (announced.map_or("none".into(), |n| n.to_string()), channels.len());
            self.scan.warn(&codes::CHANNEL_COUNT, at, || format!("{announced} announced, {found} named"));
        }
        let Some(&node) = self.open.last() else {
            self.scan.warn(&codes::UNKNOWN_KEYWORD, at, || "CHANNELS outside every joint".into());
            return Ok(());
        };
        if !channels.is_empty() {
            self.keep_as_joint(node, at);
        }
        if let Some(node) = self.nodes.get_mut(node) {
            node.channels.append(&mut channels);
        }
        Ok(())
    }
}

/// Largest plausible length, in any unit.
pub(super) const MAX_LENGTH: f32 = 1e9;

/// Number of characters that the name of an End Site takes from its parent.
const MAX_END_NAME: usize = 100;

/// Whether a word is a keyword of the tree, and therefore not the name of a channel.
fn is_tree_word(word: &[u8]) -> bool {
    word.is_empty()
        || matches!(word, b"{" | b"}")
        || ["ROOT", "JOINT", "End", "EndSite", "OFFSET", "CHANNELS", "MOTION", "Frames:", "Frames", "Frame"]
            .iter()
            .any(|k| is_word(word, k))
}

/// Renames joints with a duplicate name, figure by figure.
fn make_names_unique(scan: &mut Scanner<'_>, nodes: &mut [Node]) {
    // For each name in use, the next number to append.
    let mut taken: HashMap<String, usize> = HashMap::new();
    for node in nodes {
        if node.parent.is_none() {
            taken.clear();
        }
        if node.is_tip {
            continue;
        }
        if let Some(&next) = taken.get(&node.name) {
            let mut number = next;
            while taken.contains_key(&format!("{}_{number}", node.name)) {
                number += 1;
            }
            taken.insert(node.name.clone(), number + 1);
            let renamed = format!("{}_{number}", node.name);
            scan.warn(&codes::DUPLICATE_NAME, node.at, || {
                format!("{:?} is repeated; renamed {renamed:?}", node.name)
            });
            node.name = renamed;
        }
        taken.insert(node.name.clone(), 2);
    }
}
