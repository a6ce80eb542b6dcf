//! A slow, simple second reader for the text fixtures. It computes the pivots of nodes directly from the formula of the format.
//!
//! A node's matrix in its parent is T · Roff · Rp · Rpre · R · Rpost⁻¹ · Rp⁻¹ · Soff · Sp · S · Sp⁻¹ (Autodesk, FBX SDK documentation, "Computing
//! transformation matrices"), and it rotates about the point T + Roff + Rp. Scale is inherited in one of three modes; the default is
//! matrix by matrix. Curves are linear or stepped.

use std::collections::BTreeMap;

use glam::{DMat3, DQuat, DVec3};

use crate::document::Node;

/// Ticks per second.
const TICKS: f64 = 46_186_158_000.0;

/// A scene's nodes and animation stacks.
pub(crate) struct Plain {
    models: BTreeMap<i64, Node>,
    parents: BTreeMap<i64, i64>,
    /// For each stack by name: curves by node, property and axis.
    stacks: Vec<(String, Curves)>,
}

type Curves = BTreeMap<(i64, String, usize), Curve>;

#[derive(Debug, Clone)]
struct Curve {
    times_secs: Vec<f64>,
    values: Vec<f64>,
    is_stepped: bool,
}

impl Curve {
    fn at(&self, secs: f64) -> f64 {
        let last = self.times_secs.iter().rposition(|time| *time <= secs + 1e-6).unwrap_or(0);
        let Some(next) = self.times_secs.get(last + 1) else { return self.values[last] };
        if self.is_stepped {
            return self.values[last];
        }
        let part = ((secs - self.times_secs[last]) / (next - self.times_secs[last])).max(0.0);
        self.values[last] + part * (self.values[last + 1] - self.values[last])
    }
}

/// The transform of a node.
#[derive(Clone, Copy)]
struct NodeTransform {
    linear: DMat3,
    place: DVec3,
    /// Rotation and scale separately, for children that inherit them separately.
    turn: DQuat,
    scale: DVec3,
    /// The scale of the node relative to its parent.
    own_scale: DVec3,
}

/// Reads the nodes and stacks of a tree.
pub(crate) fn read(tree: &[Node]) -> Plain {
    let part = |name: &str| tree.iter().find(|node| node.name == name).unwrap();
    let objects: BTreeMap<i64, &Node> =
        part("Objects").children.iter().map(|object| (object.int(0), object)).collect();
    let links: Vec<(i64, i64, String)> = part("Connections")
        .children
        .iter()
        .map(|link| {
            (link.int(1), link.int(2), link.values.get(3).map_or(String::new(), |_| link.text(3).into()))
        })
        .collect();
    let is = |id: &i64, kind: &str| objects.get(id).is_some_and(|object| object.name == kind);
    let models = objects.iter().filter(|(_, object)| object.name == "Model");
    let mut plain = Plain {
        models: models.map(|(id, object)| (*id, (*object).clone())).collect(),
        parents: BTreeMap::new(),
        stacks: Vec::new(),
    };
    for (child, parent, _) in links.iter().filter(|(child, _, _)| is(child, "Model")) {
        if *parent == 0 || is(parent, "Model") {
            plain.parents.insert(*child, *parent);
        }
    }
    for (id, stack) in objects.iter().filter(|(_, object)| object.name == "AnimationStack") {
        let below = |above: i64, kind: &'static str| {
            let links = links.iter().filter(move |(_, to, _)| *to == above);
            links.filter(move |(from, _, _)| is(from, kind)).map(|(from, _, prop)| (*from, prop.clone()))
        };
        let mut curves = Curves::new();
        for (layer, _) in below(*id, "AnimationLayer") {
            for (curve_node, _) in below(layer, "AnimationCurveNode") {
                let (_, model, prop) =
                    links.iter().find(|(from, to, _)| *from == curve_node && is(to, "Model")).unwrap();
                for (curve, axis) in below(curve_node, "AnimationCurve") {
                    let axis = ["d|X", "d|Y", "d|Z"].iter().position(|name| *name == axis).unwrap();
                    curves.insert((*model, prop.clone(), axis), curve_of(objects[&curve]));
                }
            }
        }
        plain.stacks.push((stack.text(1).replace("AnimStack::", ""), curves));
    }
    plain
}

fn curve_of(node: &Node) -> Curve {
    let array = |name: &str| node.child(name).unwrap().numbers(0);
    Curve {
        times_secs: array("KeyTime").iter().map(|ticks| ticks / TICKS).collect(),
        values: array("KeyValueFloat"),
        is_stepped: array("KeyAttrFlags")[0] == 2.0,
    }
}

impl Plain {
    /// The time of a stack's first key, in seconds.
    pub(crate) fn first_key_secs(&self, stack: &str) -> f64 {
        let curves = self.curves(stack).values();
        curves.map(|curve| curve.times_secs[0]).min_by(f64::total_cmp).unwrap_or(0.0)
    }

    fn curves(&self, stack: &str) -> &Curves {
        static NONE: Curves = Curves::new();
        self.stacks.iter().find(|(name, _)| name == stack).map_or(&NONE, |(_, curves)| curves)
    }

    /// The pivots of nodes by name, in a stack at a time, or in the current pose without a stack.
    pub(crate) fn places(&self, stack: &str, secs: f64) -> BTreeMap<String, DVec3> {
        let mut transforms: BTreeMap<i64, (NodeTransform, DVec3)> = BTreeMap::new();
        for id in self.models.keys() {
            self.transform(*id, stack, secs, &mut transforms);
        }
        let name = |id: &i64| self.models[id].text(1).replace("Model::", "");
        transforms.iter().map(|(id, (_, pivot))| (name(id), *pivot)).collect()
    }

    fn transform(
        &self,
        id: i64,
        stack: &str,
        secs: f64,
        transforms: &mut BTreeMap<i64, (NodeTransform, DVec3)>,
    ) -> NodeTransform {
        if let Some((transform, _)) = transforms.get(&id) {
            return *transform;
        }
        let above = match self.parents.get(&id) {
            Some(parent) if *parent != 0 => self.transform(*parent, stack, secs, transforms),
            _ => NodeTransform {
                linear: DMat3::IDENTITY,
                place: DVec3::ZERO,
                turn: DQuat::IDENTITY,
                scale: DVec3::ONE,
                own_scale: DVec3::ONE,
            },
        };
        let prop = |name: &str, usual: f64| self.property(id, name, usual, stack, secs);
        let vector = |name: &str| prop(name, 0.0);
        let is_active = prop("RotationActive", 1.0).x != 0.0;
        let turned = |name: &str| if is_active { euler(vector(name), 0) } else { DQuat::IDENTITY };
        let order = if is_active { prop("RotationOrder", 0.0).x as usize } else { 0 };
        let turn =
            turned("PreRotation") * euler(vector("Lcl Rotation"), order) * turned("PostRotation").inverse();
        let scale = prop("Lcl Scaling", 1.0);

        let pivot = vector("Lcl Translation") + vector("RotationOffset") + vector("RotationPivot");
        let from_pivot = vector("ScalingOffset") + vector("ScalingPivot") - vector("RotationPivot");
        let unscaled = pivot + turn * from_pivot;
        let origin = unscaled - turn * (scale * vector("ScalingPivot"));

        let world_turn = above.turn * turn;
        let own_scale = scale;
        let inherited = match prop("InheritType", 1.0).x as usize {
            // Excludes the parent's own scale, but includes the scale that it inherits.
            2 => above.scale / above.own_scale,
            _ => above.scale,
        };
        let scale = inherited * own_scale;
        let linear = match prop("InheritType", 1.0).x as usize {
            1 => above.linear * DMat3::from_quat(turn) * DMat3::from_diagonal(own_scale),
            _ => DMat3::from_quat(world_turn) * DMat3::from_diagonal(scale),
        };
        let place = above.place + above.linear * origin;
        let transform = NodeTransform { linear, place, turn: world_turn, scale, own_scale };
        transforms.insert(id, (transform, above.place + above.linear * pivot));
        transform
    }

    fn property(&self, id: i64, name: &str, usual: f64, stack: &str, secs: f64) -> DVec3 {
        let listed = self.models[&id].child("Properties70").unwrap().children.iter();
        let found = listed.filter(|prop| prop.text(0) == name).map(|prop| prop.numbers(4)).next();
        let numbers = found.unwrap_or_else(|| vec![usual; 3]);
        let value = |axis: usize| {
            let curve = self.curves(stack).get(&(id, name.to_owned(), axis));
            curve.map_or(*numbers.get(axis).unwrap_or(&numbers[0]), |curve| curve.at(secs))
        };
        DVec3::new(value(0), value(1), value(2))
    }
}

/// A rotation from angles in degrees, about the axes of an order from the first to the last.
fn euler(degrees: DVec3, order: usize) -> DQuat {
    let [x, y, z] = [
        DQuat::from_rotation_x(degrees.x.to_radians()),
        DQuat::from_rotation_y(degrees.y.to_radians()),
        DQuat::from_rotation_z(degrees.z.to_radians()),
    ];
    match order {
        0 => z * y * x,
        1 => y * z * x,
        2 => x * z * y,
        3 => z * x * y,
        4 => y * x * z,
        5 => x * y * z,
        other => panic!("rotation order {other}"),
    }
}
