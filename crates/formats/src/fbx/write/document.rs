//! The parts of a file around its objects: header, settings, definitions.

use super::objects::ObjectCounts;
use super::records::{Records, VERSION, Value};

/// The program that wrote the file.
const CREATOR: &str = "Marey";

/// Readers may check that the identity, this time and the footer belong together, so all are constant.
const FILE_ID: [u8; 16] =
    [0x28, 0xb3, 0x2a, 0xeb, 0xb6, 0x24, 0xcc, 0xc2, 0xbf, 0xc8, 0xb0, 0x2a, 0xa9, 0x2b, 0xfc, 0xf1];
const CREATION_TIME: &str = "1970-01-01 10:00:00:000";

/// The identity of the only document.
const DOCUMENT_ID: i64 = 1;

/// Units of time in a second.
const TICKS_PER_SEC: f64 = 46_186_158_000.0;

/// Frame rates with a number of their own; all others are custom.
const TIME_MODES: [(f64, i32); 9] = [
    (120.0, 1),
    (100.0, 2),
    (60.0, 3),
    (50.0, 4),
    (48.0, 5),
    (30.0, 6),
    (25.0, 10),
    (24.0, 11),
    (1000.0, 12),
];
const CUSTOM_TIME_MODE: i32 = 14;

/// Converts frames to the format's time.
#[derive(Debug, Clone, Copy)]
pub(super) struct FrameTimes {
    pub(super) rate_hz: f64,
    pub(super) frames: usize,
}

impl FrameTimes {
    pub(super) fn ticks(&self, frame: usize) -> i64 {
        (frame as f64 / self.rate_hz * TICKS_PER_SEC).round() as i64
    }

    /// The time of the last frame.
    pub(super) fn last(&self) -> i64 {
        self.ticks(self.frames.saturating_sub(1))
    }
}

/// Writes everything before the objects.
pub(super) fn begin(records: &mut Records, times: &FrameTimes, take: &str, counts: &ObjectCounts) {
    records.record("FBXHeaderExtension", &[], |header| {
        header.leaf("FBXHeaderVersion", &[Value::I32(1003)]);
        header.leaf("FBXVersion", &[Value::I32(VERSION as i32)]);
        header.leaf("EncryptionType", &[Value::I32(0)]);
        header.leaf("Creator", &[Value::Text(CREATOR)]);
    });
    records.leaf("FileId", &[Value::Bytes(&FILE_ID)]);
    records.leaf("CreationTime", &[Value::Text(CREATION_TIME)]);
    records.leaf("Creator", &[Value::Text(CREATOR)]);
    records.record("GlobalSettings", &[], |settings| {
        settings.leaf("Version", &[Value::I32(1000)]);
        properties(settings, |properties| write_settings(properties, times));
    });
    records.record("Documents", &[], |documents| {
        documents.leaf("Count", &[Value::I32(1)]);
        let values = [Value::I64(DOCUMENT_ID), Value::Text("Scene"), Value::Text("Scene")];
        documents.record("Document", &values, |document| {
            properties(document, |properties| {
                properties.property("SourceObject", ["object", ""], "", &[]);
                properties.property("ActiveAnimStackName", ["KString", ""], "", &[Value::Text(take)]);
            });
            document.leaf("RootNode", &[Value::I64(0)]);
        });
    });
    records.record("References", &[], |_| {});
    records.record("Definitions", &[], |definitions| {
        definitions.leaf("Version", &[Value::I32(100)]);
        let types = [("GlobalSettings", 1)].into_iter().chain(counts.types()).filter(|(_, count)| *count > 0);
        definitions.leaf("Count", &[Value::I32(types.clone().map(|(_, count)| count as i32).sum())]);
        for (name, count) in types {
            definitions.record("ObjectType", &[Value::Text(name)], |object| {
                object.leaf("Count", &[Value::I32(count as i32)]);
            });
        }
    });
}

/// Right-handed axes with Y up, facing +Z; centimetres; the frame rate and duration.
fn write_settings(properties: &mut Records, times: &FrameTimes) {
    let axes = [
        ("UpAxis", 1),
        ("UpAxisSign", 1),
        ("FrontAxis", 2),
        ("FrontAxisSign", 1),
        ("CoordAxis", 0),
        ("CoordAxisSign", 1),
        ("OriginalUpAxis", 1),
        ("OriginalUpAxisSign", 1),
    ];
    for (name, value) in axes {
        properties.property(name, ["int", "Integer"], "", &[Value::I32(value)]);
    }
    for name in ["UnitScaleFactor", "OriginalUnitScaleFactor"] {
        properties.property(name, ["double", "Number"], "", &[Value::F64(1.0)]);
    }
    let mode = TIME_MODES.iter().find(|(rate_hz, _)| *rate_hz == times.rate_hz).map(|(_, mode)| *mode);
    properties.property("TimeMode", ["enum", ""], "", &[Value::I32(mode.unwrap_or(CUSTOM_TIME_MODE))]);
    properties.property("TimeSpanStart", ["KTime", "Time"], "", &[Value::I64(0)]);
    properties.property("TimeSpanStop", ["KTime", "Time"], "", &[Value::I64(times.last())]);
    properties.property("CustomFrameRate", ["double", "Number"], "", &[Value::F64(times.rate_hz)]);
}

/// Writes the list of takes, which old readers use.
pub(super) fn write_takes(records: &mut Records, times: &FrameTimes, take: &str) {
    records.record("Takes", &[], |takes| {
        takes.leaf("Current", &[Value::Text(take)]);
        takes.record("Take", &[Value::Text(take)], |one| {
            one.leaf("FileName", &[Value::Text(&format!("{take}.tak"))]);
            let span = [Value::I64(0), Value::I64(times.last())];
            one.leaf("LocalTime", &span);
            one.leaf("ReferenceTime", &span);
        });
    });
}

/// A list of properties.
pub(super) fn properties(records: &mut Records, list: impl FnOnce(&mut Records)) {
    records.record("Properties70", &[], list);
}

impl Records {
    /// A property with its type and subtype. The flag `A` marks animated properties.
    pub(super) fn property(&mut self, name: &str, kind: [&str; 2], flags: &str, values: &[Value<'_>]) {
        let [kind, subkind] = kind.map(Value::Text);
        let all = [&[Value::Text(name), kind, subkind, Value::Text(flags)], values].concat();
        self.leaf("P", &all);
    }

    /// A property of three numbers.
    pub(super) fn vector(&mut self, name: &str, kind: [&str; 2], flags: &str, vector: [f64; 3]) {
        self.property(name, kind, flags, &vector.map(Value::F64));
    }
}
