//! How motion is exported: for a tool, and with the options of each format.

use std::path::Path;

use marey_conventions::Unit;
use marey_motion::{Actor, Take};
use marey_ops::keyframes::KeyTolerance;
use marey_ops::root::RootMotion;
use serde::{Deserialize, Serialize};

use crate::bvh::{BvhOptions, RotationOrder};
#[cfg(feature = "fbx")]
use crate::fbx::FbxOptions;
use crate::gltf::{GltfOptions, Shape};
use crate::preset::Tool;
use crate::usd::UsdOptions;
use crate::{Format, FormatsError, WriteOptions};

/// How motion is exported.
#[derive(Debug, Clone, Copy, PartialEq, Serialize, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct ExportOptions {
    /// The tool that opens the files: sets bone names, the root bone and the unit; default none.
    pub tool: Option<Tool>,
    /// BVH: order of the rotation channels; default `zxy`.
    pub order: RotationOrder,
    /// BVH: decimals, 1 to 9; default 6.
    pub decimals: usize,
    /// BVH: unit of length; default that of the tool, else centimetres.
    #[serde(with = "unit_text")]
    pub unit: Option<Unit>,
    /// Formats with meshes: the body that shows the motion; default a mannequin.
    pub shape: Shape,
    /// Where the travel of a figure is; default on a root bone if the tool needs one, else kept.
    pub root: Option<RootMotion>,
    /// glTF: removes keyframes within this error; default every frame is a keyframe.
    pub reduce: Option<KeyTolerance>,
}

impl Default for ExportOptions {
    fn default() -> Self {
        let (bvh, gltf) = (BvhOptions::default(), GltfOptions::default());
        let (order, decimals, shape) = (bvh.order, bvh.decimals, gltf.shape);
        Self { tool: None, order, decimals, unit: None, shape, root: None, reduce: None }
    }
}

impl ExportOptions {
    /// The options of a format. `None` if Marey can only read it.
    pub fn write_options(&self, format: Format) -> Option<WriteOptions> {
        Some(match WriteOptions::for_format(format)? {
            WriteOptions::Bvh(_) => {
                let unit = self.unit.unwrap_or(self.tool.map_or(Unit::Centimetre, Tool::bvh_unit));
                WriteOptions::Bvh(BvhOptions { order: self.order, decimals: self.decimals, unit })
            }
            WriteOptions::Gltf(defaults) => {
                WriteOptions::Gltf(GltfOptions { shape: self.shape, reduce: self.reduce, ..defaults })
            }
            WriteOptions::Vrma => WriteOptions::Vrma,
            #[cfg(feature = "fbx")]
            WriteOptions::Fbx(_) => WriteOptions::Fbx(FbxOptions { shape: self.shape }),
            #[cfg(feature = "npz")]
            WriteOptions::Npz => WriteOptions::Npz,
            WriteOptions::Usda(_) => WriteOptions::Usda(UsdOptions { shape: self.shape }),
        })
    }

    /// The take with its travel where it was asked for, and with the joint names of the tool.
    pub fn prepare(&self, take: Take) -> Result<Take, FormatsError> {
        let bone = self.tool.and_then(Tool::root);
        let root = self.root.unwrap_or(if bone.is_some() { RootMotion::Bone } else { RootMotion::Keep });
        let name = take.name().to_owned();
        let move_travel =
            |actor: Actor| Ok(Actor { clip: root.apply(actor.clip, bone.unwrap_or("root"))?, ..actor });
        let actors = take.into_actors().into_iter().map(move_travel).collect::<Result<_, FormatsError>>()?;
        let take = Take::new(name, actors)?;
        match self.tool {
            Some(tool) => tool.rename(take),
            None => Ok(take),
        }
    }
}

impl WriteOptions {
    /// The formats that Marey writes.
    pub const FORMATS: &[Format] = &[
        Format::Bvh,
        Format::Glb,
        Format::Gltf,
        #[cfg(feature = "fbx")]
        Format::Fbx,
        Format::Vrma,
        Format::Usda,
        #[cfg(feature = "npz")]
        Format::Npz,
    ];

    /// The endings of the formats that Marey writes, as text: `.bvh, .glb, …`.
    pub fn endings() -> String {
        Self::FORMATS.iter().map(|format| format!(".{format}")).collect::<Vec<_>>().join(", ")
    }

    /// The format that a file name ending selects for writing, and its default options. Some formats are read with more
    /// endings than they are written with.
    pub fn for_path(path: &Path) -> Option<(Format, Self)> {
        let ending = path.extension()?.to_str()?;
        let format = Self::FORMATS.iter().find(|format| ending.eq_ignore_ascii_case(format.ending()))?;
        Some((*format, Self::for_format(*format)?))
    }
}

/// A unit as text: `cm`.
mod unit_text {
    use marey_conventions::Unit;
    use serde::{Deserialize, Deserializer, Serialize, Serializer, de::Error};

    pub(super) fn serialize<S: Serializer>(unit: &Option<Unit>, to: S) -> Result<S::Ok, S::Error> {
        unit.map(|unit| unit.to_string()).serialize(to)
    }

    pub(super) fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<Option<Unit>, D::Error> {
        let text = Option::<String>::deserialize(from)?;
        text.map(|text| text.parse::<Unit>().map_err(D::Error::custom)).transpose()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_read_back_and_the_tool_sets_the_unit() {
        let options = ExportOptions { tool: Some(Tool::Blender), ..ExportOptions::default() };
        let Some(WriteOptions::Bvh(bvh)) = options.write_options(Format::Bvh) else { panic!("not a BVH") };
        assert_eq!(bvh.unit, Unit::Metre);
        let options = ExportOptions { unit: Some(Unit::Inch), ..options };
        let Some(WriteOptions::Bvh(bvh)) = options.write_options(Format::Bvh) else { panic!("not a BVH") };
        assert_eq!(bvh.unit, Unit::Inch);
        let text = serde_json::to_string(&options).unwrap();
        assert_eq!(serde_json::from_str::<ExportOptions>(&text).unwrap(), options);
        assert!(options.write_options(Format::C3d).is_none());
    }

    #[test]
    fn only_endings_that_are_written_select_a_format() {
        let format = |path: &str| WriteOptions::for_path(Path::new(path)).map(|(format, _)| format);
        assert_eq!(format("a/b.GLB"), Some(Format::Glb));
        for bad in ["a", "a.c3d", "a.asf", "a.vrm"] {
            assert_eq!(format(bad), None, "{bad}");
        }
    }
}
