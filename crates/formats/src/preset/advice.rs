//! How to open files in a tool.

use super::Tool;
use crate::Format;

impl Tool {
    /// Instructions for opening a file in the tool, if it opens the format.
    pub fn advice(self, format: Format) -> Option<&'static str> {
        match format {
            Format::Glb | Format::Gltf => Some(self.glb_advice()),
            Format::Fbx => Some(self.fbx_advice()),
            Format::Bvh => self.bvh_advice(),
            Format::Usda => self.usda_advice(),
            Format::Vrma => (self == Tool::Three).then_some(
                "three.js: load character and file with the plug-ins of @pixiv/three-vrm and @pixiv/three-vrm-animation; \
                 createVRMAnimationClip(gltf.userData.vrmAnimations[0], vrm) makes the clip.",
            ),
            _ => None,
        }
    }

    fn glb_advice(self) -> &'static str {
        match self {
            Tool::Blender => {
                "Blender: File > Import > glTF 2.0 (.glb/.gltf); Bone Dir: Temperance; leave the rest. The figure faces -Y, the \
                 front view. The scene's frame rate must be the motion's."
            }
            Tool::Unreal => {
                "Unreal: drag the file into the Content Browser; Interchange imports a skeletal mesh and its animation, metres become \
                 centimetres by themselves. In the animation, turn on Enable Root Motion. Bones are named as the mannequin's: an IK \
                 Retargeter maps them at once."
            }
            Tool::Unity => {
                "Unity: install the package com.unity.cloud.gltfast, then put the file under Assets; Animation Method: Mecanim. The importer \
                 makes no humanoid avatar: write a .fbx for one."
            }
            Tool::Godot => {
                "Godot: put the file under res://; Advanced Import > Skeleton3D > Retarget > Bone Map: SkeletonProfileHumanoid maps every \
                 bone by name. Travel is on the bone Root: AnimationMixer > Root Motion > Track: Skeleton3D:Root."
            }
            Tool::Three => {
                "three.js: new GLTFLoader().load(url, gltf => …); play gltf.animations[0] with an AnimationMixer on gltf.scene. Metres, Y up, \
                 facing +Z, as three.js has it."
            }
        }
    }

    fn fbx_advice(self) -> &'static str {
        match self {
            Tool::Blender => {
                "Blender: File > Import > FBX (.fbx); leave the settings. The scene takes the frame rate of the file."
            }
            Tool::Unreal => {
                "Unreal: drag the file into the Content Browser; import as a skeletal mesh with its animation. In the animation, turn on \
                 Enable Root Motion. Bones are named as the mannequin's: an IK Retargeter maps them at once."
            }
            Tool::Unity => {
                "Unity: put the file under Assets; Rig > Animation Type: Humanoid, Avatar Definition: Create From This Model. Bones are named \
                 as humanoid bones, so that Automap finds them all. The file is in centimetres: leave Convert Units on."
            }
            Tool::Godot => {
                "Godot: put the file under res://; Advanced Import > Skeleton3D > Retarget > Bone Map: SkeletonProfileHumanoid maps every \
                 bone by name. Travel is on the bone Root: AnimationMixer > Root Motion > Track: Skeleton3D:Root."
            }
            Tool::Three => {
                "three.js: new FBXLoader().load(url, group => …); play group.animations[0] with an AnimationMixer on group. Centimetres: \
                 group.scale.setScalar(0.01)."
            }
        }
    }

    fn bvh_advice(self) -> Option<&'static str> {
        match self {
            Tool::Blender => Some(
                "Blender: File > Import > Motion Capture (.bvh); Scale 1.0 (the file is in metres), Forward -Z, Up Y, Rotation: \
                 Quaternion; turn on Scale FPS or set the scene's frame rate to the motion's.",
            ),
            Tool::Three => {
                Some("three.js: new BVHLoader().load(url, …); the file is in metres, Y up, facing +Z.")
            }
            Tool::Unreal | Tool::Unity | Tool::Godot => None,
        }
    }

    fn usda_advice(self) -> Option<&'static str> {
        match self {
            Tool::Blender => Some(
                "Blender: File > Import > Universal Scene Description (.usd*); set the scene's frame rate to the motion's.",
            ),
            Tool::Unreal => Some(
                "Unreal: turn on the plug-in USD Importer; File > Import Into Level, or open a USD Stage.",
            ),
            Tool::Unity | Tool::Godot | Tool::Three => None,
        }
    }
}
