//! Identities, names and connections of the objects of a file.

use super::records::{Records, Value};

/// The root of the scene.
pub(super) const SCENE: i64 = 0;

/// The first identity of an object.
const FIRST_ID: i64 = 1000;

/// Hands out identities, and collects connections.
pub(super) struct Objects {
    next: i64,
    connections: Vec<Connection>,
}

/// A connection from an object to another, or to one of its properties.
struct Connection {
    from: i64,
    to: i64,
    property: Option<&'static str>,
}

impl Objects {
    pub(super) fn new() -> Self {
        Self { next: FIRST_ID, connections: Vec::new() }
    }

    pub(super) fn id(&mut self) -> i64 {
        self.next += 1;
        self.next
    }

    pub(super) fn connect(&mut self, from: i64, to: i64) {
        self.connections.push(Connection { from, to, property: None });
    }

    pub(super) fn connect_property(&mut self, from: i64, to: i64, property: &'static str) {
        self.connections.push(Connection { from, to, property: Some(property) });
    }

    pub(super) fn write_connections(&self, records: &mut Records) {
        records.record("Connections", &[], |list| {
            for Connection { from, to, property } in &self.connections {
                let ends = [Value::I64(*from), Value::I64(*to)];
                match property {
                    None => list.leaf("C", &[&[Value::Text("OO")][..], &ends].concat()),
                    Some(property) => {
                        list.leaf("C", &[&[Value::Text("OP")][..], &ends, &[Value::Text(property)]].concat());
                    }
                }
            }
        });
    }
}

/// The number of objects of each type.
#[derive(Debug, Default)]
pub(super) struct ObjectCounts {
    pub(super) models: usize,
    pub(super) attributes: usize,
    pub(super) geometries: usize,
    pub(super) materials: usize,
    pub(super) deformers: usize,
    pub(super) poses: usize,
    pub(super) curve_nodes: usize,
}

impl ObjectCounts {
    pub(super) fn types(&self) -> [(&'static str, usize); 10] {
        [
            ("Model", self.models),
            ("NodeAttribute", self.attributes),
            ("Geometry", self.geometries),
            ("Material", self.materials),
            ("Deformer", self.deformers),
            ("Pose", self.poses),
            ("AnimationStack", 1),
            ("AnimationLayer", 1),
            ("AnimationCurveNode", self.curve_nodes),
            ("AnimationCurve", 3 * self.curve_nodes),
        ]
    }
}

impl Records {
    /// An object with its identity, name, class and kind.
    pub(super) fn object(
        &mut self,
        record: &str,
        id: i64,
        [name, class, kind]: [&str; 3],
        content: impl FnOnce(&mut Records),
    ) {
        let name = format!("{name}\0\x01{class}");
        self.record(record, &[Value::I64(id), Value::Text(&name), Value::Text(kind)], content);
    }
}
