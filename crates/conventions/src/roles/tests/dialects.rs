//! Every dialect, with its full joint list: every joint must get its role, and no other.

use super::drawing::{Drawing, draw, fingers};
use crate::roles::{RoleEvidence, detect};

const LEFT_RIGHT: [&str; 2] = ["Left", "Right"];
const PINKY: [&str; 5] = ["Thumb", "Index", "Middle", "Ring", "Pinky"];
const COUNT: [&str; 3] = ["1", "2", "3"];

#[track_caller]
fn assert_read(drawing: &Drawing, dialect: &'static str) {
    let guess = detect(&drawing.skeleton);
    assert_eq!(drawing.wrong(), [], "{}", guess.reason);
    assert_eq!(guess.evidence, RoleEvidence::Names(dialect));
    assert!(guess.confidence > 0.95, "{} {}", guess.confidence, guess.reason);
}

/// Every drawing of this file.
pub(super) fn all() -> Vec<Drawing> {
    vec![
        cmu_bvh(),
        cmu_asf(),
        mixamo("mixamorig:"),
        motionbuilder("Character1_"),
        lafan1(),
        perception_neuron("Robot_"),
        bandai(),
        vrm(["Metacarpal", "Proximal", "Distal"]),
        vroid(),
        smpl(["L_", "R_"]),
        smpl_h(),
        rokoko(),
        unreal(),
        biovision(),
        biovision_example(),
        biped(),
        poser(),
        daz(),
        xsens(),
        makehuman(),
        makehuman_default(),
        rigify(),
        everyday(),
    ]
}

pub(super) fn cmu_bvh() -> Drawing {
    draw(
        LEFT_RIGHT,
        "Hips@Hips(
            LHipJoint(LeftUpLeg@LeftUpperLeg(LeftLeg@LeftLowerLeg(LeftFoot@LeftFoot(LeftToeBase@LeftToes)))),
            RHipJoint(RightUpLeg@RightUpperLeg(RightLeg@RightLowerLeg(RightFoot@RightFoot(RightToeBase@RightToes)))),
            LowerBack@Spine(Spine@Chest(Spine1@UpperChest(
                Neck@Neck(Neck1(Head@Head)),
                LeftShoulder@LeftShoulder(LeftArm@LeftUpperArm(LeftForeArm@LeftLowerArm(LeftHand@LeftHand(
                    LeftFingerBase(LeftHandIndex1@LeftIndexProximal), LThumb@LeftThumbMetacarpal)))),
                RightShoulder@RightShoulder(RightArm@RightUpperArm(RightForeArm@RightLowerArm(RightHand@RightHand(
                    RightFingerBase(RightHandIndex1@RightIndexProximal), RThumb@RightThumbMetacarpal))))))))",
    )
}

fn cmu_asf() -> Drawing {
    draw(
        ["l", "r"],
        "root@Hips(
            {*hipjoint(*femur@*UpperLeg(*tibia@*LowerLeg(*foot@*Foot(*toes@*Toes))))}
            lowerback@Spine(upperback@Chest(thorax@UpperChest(
                lowerneck@Neck(upperneck(head@Head)),
                {*clavicle@*Shoulder(*humerus@*UpperArm(*radius@*LowerArm(*wrist@*Hand(
                    *hand(*fingers@*IndexProximal), *thumb@*ThumbMetacarpal))))}))))",
    )
}

/// The skeleton that descendants of MotionBuilder's share, with different necks, toes and hands.
fn motionbuilder_like(prefix: &str, spine: [&str; 2], neck: &str, toes: &str, hand: &str) -> Drawing {
    let [open, close] = spine;
    let text = format!(
        "Hips@Hips(
            {{*UpLeg@*UpperLeg(*Leg@*LowerLeg(*Foot@*Foot{toes}))}}
            {open}
                {neck},
                {{*Shoulder@*Shoulder(*Arm@*UpperArm(*ForeArm@*LowerArm(*Hand@*Hand{hand})))}}
            {close})"
    );
    draw(LEFT_RIGHT, &text)
        .map(|_, joint| marey_motion::Joint { name: format!("{prefix}{}", joint.name), ..joint })
}

const THREE_SPINES: [&str; 2] = ["Spine@Spine(Spine1@Chest(Spine2@UpperChest(", ")))"];
const FOUR_SPINES: [&str; 2] = ["Spine@Spine(Spine1(Spine2@Chest(Spine3@UpperChest(", "))))"];

pub(super) fn mixamo(prefix: &str) -> Drawing {
    let hand = fingers(PINKY, COUNT, COUNT, |finger, joint| format!("*Hand{finger}{joint}"));
    let hand = format!("({})", hand.replace("3@*ThumbDistal", "3@*ThumbDistal(*HandThumb4)"));
    let head = "Neck@Neck(Head@Head(HeadTop_End, {*Eye@*Eye}))";
    motionbuilder_like(prefix, THREE_SPINES, head, "(*ToeBase@*Toes(*Toe_End))", &hand)
}

fn motionbuilder(prefix: &str) -> Drawing {
    let four = fingers(PINKY, COUNT, COUNT, |finger, joint| format!("*Hand{finger}{joint}"));
    let hand = format!("(*InHandIndex, {})", four.replace("3@*LittleDistal", "3@*LittleDistal(*HandPinky4)"));
    motionbuilder_like(prefix, THREE_SPINES, "Neck@Neck(Head@Head)", "(*ToeBase@*Toes)", &hand)
}

fn lafan1() -> Drawing {
    motionbuilder_like("", THREE_SPINES, "Neck@Neck(Head@Head)", "(*Toe@*Toes)", "")
}

fn perception_neuron(prefix: &str) -> Drawing {
    let thumb_first = fingers(PINKY, COUNT, COUNT, |finger, joint| format!("*Hand{finger}{joint}"));
    let (thumb, others) = thumb_first.split_once(",*HandIndex").unwrap();
    let hand =
        format!("({thumb}, *InHandIndex(*HandIndex{others}), *InHandMiddle, *InHandRing, *InHandPinky)");
    motionbuilder_like(prefix, FOUR_SPINES, "Neck@Neck(Head@Head)", "", &hand)
}

pub(super) fn bandai() -> Drawing {
    draw(
        ["L", "R"],
        "joint_Root(Hips@Hips(
            Spine@Spine(Chest@Chest(
                Neck@Neck(Head@Head),
                {Shoulder_*@*Shoulder(UpperArm_*@*UpperArm(LowerArm_*@*LowerArm(Hand_*@*Hand)))})),
            {UpperLeg_*@*UpperLeg(LowerLeg_*@*LowerLeg(Foot_*@*Foot(Toes_*@*Toes)))}))",
    )
}

fn vrm(thumb: [&str; 3]) -> Drawing {
    let names = ["Thumb", "Index", "Middle", "Ring", "Little"];
    let others = ["Proximal", "Intermediate", "Distal"];
    let hand = fingers(names, thumb, others, |finger, joint| format!("*{finger}{joint}"));
    let text = format!(
        "Root(hips@Hips(
            spine@Spine(chest@Chest(upperChest@UpperChest(
                neck@Neck(head@Head(jaw@Jaw, {{*Eye@*Eye}})),
                {{*Shoulder@*Shoulder(*UpperArm@*UpperArm(*LowerArm@*LowerArm(*Hand@*Hand({hand}))))}}))),
            {{*UpperLeg@*UpperLeg(*LowerLeg@*LowerLeg(*Foot@*Foot(*Toes@*Toes)))}}))"
    );
    draw(["left", "right"], &text)
}

fn vroid() -> Drawing {
    let names = ["Thumb", "Index", "Middle", "Ring", "Little"];
    let hand = fingers(names, COUNT, COUNT, |finger, joint| format!("J_Bip_*_{finger}{joint}"));
    let text = format!(
        "Root(J_Bip_C_Hips@Hips(
            J_Bip_C_Spine@Spine(J_Bip_C_Chest@Chest(J_Bip_C_UpperChest@UpperChest(
                {{J_Sec_*_Bust1}}
                J_Bip_C_Neck@Neck(J_Bip_C_Head@Head({{J_Adj_*_FaceEye@*Eye}})),
                {{J_Bip_*_Shoulder@*Shoulder(J_Bip_*_UpperArm@*UpperArm(J_Bip_*_LowerArm@*LowerArm(
                    J_Bip_*_Hand@*Hand({hand}))))}}))),
            {{J_Bip_*_UpperLeg@*UpperLeg(J_Bip_*_LowerLeg@*LowerLeg(
                J_Bip_*_Foot@*Foot(J_Bip_*_ToeBase@*Toes)))}}))"
    );
    draw(["L", "R"], &text)
}

fn smpl(sides: [&str; 2]) -> Drawing {
    draw(
        sides,
        "Pelvis@Hips(
            {*Hip@*UpperLeg(*Knee@*LowerLeg(*Ankle@*Foot(*Foot@*Toes)))}
            Spine1@Spine(Spine2@Chest(Spine3@UpperChest(
                Neck@Neck(Head@Head),
                {*Collar@*Shoulder(*Shoulder@*UpperArm(*Elbow@*LowerArm(*Wrist@*Hand(*Hand))))}))))",
    )
}

fn smpl_h() -> Drawing {
    let names = ["thumb", "index", "middle", "ring", "pinky"];
    let hand = fingers(names, COUNT, COUNT, |finger, joint| format!("*_{finger}{joint}"));
    let text = format!(
        "pelvis@Hips(
            {{*_hip@*UpperLeg(*_knee@*LowerLeg(*_ankle@*Foot(*_foot@*Toes)))}}
            spine1@Spine(spine2@Chest(spine3@UpperChest(
                neck@Neck(head@Head(jaw@Jaw, {{*_eye_smplhf@*Eye}})),
                {{*_collar@*Shoulder(*_shoulder@*UpperArm(*_elbow@*LowerArm(*_wrist@*Hand({hand}))))}}))))"
    );
    draw(["left", "right"], &text)
}

fn rokoko() -> Drawing {
    let thumb = ["Metacarpal", "Proximal", "Distal"];
    let others = ["Proximal", "Medial", "Distal"];
    let numbers = ["1", "2", "3", "4", "5"];
    let hand = fingers(numbers, thumb, others, |finger, joint| format!("*Finger{finger}{joint}"));
    let text = format!(
        "Root(Hips@Hips(
            Spine1@Spine(Spine2(Spine3@Chest(Spine4@UpperChest(
                Neck@Neck(Head@Head),
                {{*Shoulder@*Shoulder(*Arm@*UpperArm(*ForeArm@*LowerArm(*Hand@*Hand(*Finger2Metacarpal, {hand}))))}}
            )))),
            {{*Thigh@*UpperLeg(*Shin@*LowerLeg(*Foot@*Foot(*Toe@*Toes(*ToeTip))))}}))"
    );
    draw(LEFT_RIGHT, &text)
}

fn unreal() -> Drawing {
    let names = ["thumb", "index", "middle", "ring", "pinky"];
    let count = ["01", "02", "03"];
    let hand = fingers(names, count, count, |finger, joint| format!("{finger}_{joint}_*"));
    let text = format!(
        "root(
            pelvis@Hips(
                spine_01@Spine(spine_02(spine_03(spine_04@Chest(spine_05@UpperChest(
                    neck_01@Neck(neck_02(head@Head)),
                    {{clavicle_*@*Shoulder(upperarm_*@*UpperArm(upperarm_twist_01_*, lowerarm_*@*LowerArm(
                        lowerarm_twist_01_*, hand_*@*Hand(index_metacarpal_*, {hand}))))}}))))),
                {{thigh_*@*UpperLeg(thigh_twist_01_*, calf_*@*LowerLeg(calf_twist_01_*, foot_*@*Foot(ball_*@*Toes)))}}),
            ik_foot_root({{ik_foot_*}}), ik_hand_root(ik_hand_gun({{ik_hand_*}})))"
    );
    draw(["l", "r"], &text)
}

pub(super) fn biovision() -> Drawing {
    draw(
        LEFT_RIGHT,
        "Hips@Hips(
            Chest@Spine(Chest2@Chest(
                Neck@Neck(Head@Head),
                {*Collar@*Shoulder(*Shoulder@*UpperArm(*Elbow@*LowerArm(*Wrist@*Hand)))})),
            {*Hip@*UpperLeg(*Knee@*LowerLeg(*Ankle@*Foot(*Toe@*Toes)))})",
    )
}

pub(super) fn biovision_example() -> Drawing {
    draw(
        LEFT_RIGHT,
        "Hips@Hips(
            Chest@Spine(
                Neck@Neck(Head@Head),
                {*Collar@*Shoulder(*UpArm@*UpperArm(*LowArm@*LowerArm(*Hand@*Hand)))}),
            {*UpLeg@*UpperLeg(*LowLeg@*LowerLeg(*Foot@*Foot))})",
    )
}

/// The collar bones hang from the neck, as Biped has it.
fn biped() -> Drawing {
    let hand = fingers(["0", "1", "2", "3", "4"], ["", "1", "2"], ["", "1", "2"], |finger, joint| {
        format!("Bip01 * Finger{finger}{joint}")
    });
    let text = format!(
        "Bip01(Bip01 Footsteps, Bip01 Pelvis@Hips(
            Bip01 Spine@Spine(Bip01 Spine1@Chest(Bip01 Neck@Neck(
                Bip01 Head@Head(Bip01 HeadNub),
                {{Bip01 * Clavicle@*Shoulder(Bip01 * UpperArm@*UpperArm(Bip01 * Forearm@*LowerArm(
                    Bip01 * Hand@*Hand({hand}))))}}))),
            {{Bip01 * Thigh@*UpperLeg(Bip01 * Calf@*LowerLeg(Bip01 * Foot@*Foot(
                Bip01 * Toe0@*Toes(Bip01 * Toe0Nub))))}}))"
    );
    draw(["L", "R"], &text)
}

fn poser() -> Drawing {
    let names = ["Thumb", "Index", "Mid", "Ring", "Pinky"];
    let hand = fingers(names, COUNT, COUNT, |finger, joint| format!("*{finger}{joint}"));
    let text = format!(
        "hip@Hips(
            {{*Buttock(*Thigh@*UpperLeg(*Shin@*LowerLeg(*Foot@*Foot(*Toe@*Toes))))}}
            abdomen@Spine(chest@Chest(
                neck@Neck(head@Head(leftEye@LeftEye, rightEye@RightEye)),
                {{*Collar@*Shoulder(*Shldr@*UpperArm(*ForeArm@*LowerArm(*Hand@*Hand({hand}))))}})))"
    );
    draw(["l", "r"], &text)
}

/// The legs hang from a pelvis beside the spine; the hip above both is the hips.
fn daz() -> Drawing {
    draw(
        ["l", "r"],
        "hip@Hips(
            pelvis({*ThighBend@*UpperLeg(*ThighTwist(*Shin@*LowerLeg(*Foot@*Foot(*Metatarsals(*Toe@*Toes)))))}),
            abdomenLower@Spine(abdomenUpper(chestLower@Chest(chestUpper@UpperChest(
                neckLower@Neck(neckUpper(head@Head(lowerJaw@Jaw))),
                {*Collar@*Shoulder(*ShldrBend@*UpperArm(*ShldrTwist(*ForearmBend@*LowerArm(
                    *ForearmTwist(*Hand@*Hand)))))})))))",
    )
}

fn xsens() -> Drawing {
    draw(
        LEFT_RIGHT,
        "Pelvis@Hips(
            L5@Spine(L3(T12@Chest(T8@UpperChest(
                Neck@Neck(Head@Head),
                {*Shoulder@*Shoulder(*UpperArm@*UpperArm(*ForeArm@*LowerArm(*Hand@*Hand)))})))),
            {*UpperLeg@*UpperLeg(*LowerLeg@*LowerLeg(*Foot@*Foot(*Toe@*Toes)))})",
    )
}

/// `Hips` carries only the legs: the joint where legs and spine meet is `Root`.
fn makehuman() -> Drawing {
    let hand = fingers(PINKY, COUNT, COUNT, |finger, joint| format!("{finger}{joint}_*"));
    let text = format!(
        "Root@Hips(
            Spine1@Spine(Spine2@Chest(Spine3@UpperChest(
                Neck@Neck(Head@Head(__Jaw(Jaw@Jaw(Tongue1)), {{__Eye_*(Eye_*@*Eye)}})),
                {{__Clavicle_*(Clavicle_*@*Shoulder(UpArm_*@*UpperArm(LoArm_*@*LowerArm(
                    Hand_*@*Hand(__Thumb1_*, {hand})))))}}))),
            Hips({{__UpLeg_*(UpLeg_*@*UpperLeg(LoLeg_*@*LowerLeg(Foot_*@*Foot(Toe_*@*Toes))))}}))"
    );
    draw(["L", "R"], &text)
}

fn makehuman_default() -> Drawing {
    let numbers = ["1", "2", "3", "4", "5"];
    let hand = fingers(numbers, COUNT, COUNT, |finger, joint| format!("finger{finger}-{joint}.*"));
    let text = format!(
        "root@Hips(
            {{pelvis.*(upperleg01.*@*UpperLeg(upperleg02.*(lowerleg01.*@*LowerLeg(lowerleg02.*(foot.*@*Foot)))))}}
            spine05@Spine(spine04(spine03(spine02@Chest(spine01@UpperChest(
                neck01@Neck(neck02(neck03(head@Head({{eye.*@*Eye}})))),
                {{clavicle.*@*Shoulder(shoulder01.*(upperarm01.*@*UpperArm(upperarm02.*(lowerarm01.*@*LowerArm(
                    lowerarm02.*(wrist.*@*Hand({hand})))))))}}))))))"
    );
    draw(["L", "R"], &text)
}

fn rigify() -> Drawing {
    let names = ["thumb", "f_index", "f_middle", "f_ring", "f_pinky"];
    let count = ["01", "02", "03"];
    let hand = fingers(names, count, count, |finger, joint| format!("{finger}.{joint}.*"));
    let text = format!(
        "spine@Hips(
            {{pelvis.*}}
            spine.001@Spine(spine.002@Chest(spine.003@UpperChest(
                spine.004@Neck(spine.005(spine.006@Head)),
                {{breast.*, shoulder.*@*Shoulder(upper_arm.*@*UpperArm(forearm.*@*LowerArm(hand.*@*Hand({hand}))))}}))),
            {{thigh.*@*UpperLeg(shin.*@*LowerLeg(foot.*@*Foot(toe.*@*Toes, heel.02.*)))}})"
    );
    draw(["L", "R"], &text)
}

fn everyday() -> Drawing {
    draw(
        LEFT_RIGHT,
        "Armature(Pelvis@Hips(
            Torso@Spine(Chest@Chest(
                Neck@Neck(Head@Head),
                {*Clavicle@*Shoulder(*Upper_Arm@*UpperArm(*Elbow@*LowerArm(*Wrist@*Hand)))})),
            {*Thigh@*UpperLeg(*Knee@*LowerLeg(*Ankle@*Foot(*Toes@*Toes)))}))",
    )
}

#[test]
fn cmu() {
    assert_read(&cmu_bvh(), "CMU (BVH)");
    assert_read(&cmu_asf(), "CMU (ASF)");
}

#[test]
fn mixamo_with_any_prefix() {
    for prefix in ["mixamorig:", "mixamorig1:", "mixamorig_", "mixamorig", ""] {
        assert_read(&mixamo(prefix), "Mixamo");
    }
}

#[test]
fn motionbuilder_and_its_descendants() {
    for prefix in ["Character1_", "Ctrl:", ""] {
        assert_read(&motionbuilder(prefix), "MotionBuilder");
    }
    assert_read(&lafan1(), "LAFAN1");
    assert_read(&perception_neuron("Robot_"), "Perception Neuron");
    assert_read(&perception_neuron(""), "Perception Neuron");
}

#[test]
fn bandai_namco() {
    assert_read(&bandai(), "Bandai-Namco");
}

#[test]
fn vrm_of_both_versions_and_vroid() {
    assert_read(&vrm(["Metacarpal", "Proximal", "Distal"]), "VRM");
    assert_read(&vrm(["Proximal", "Intermediate", "Distal"]), "VRM 0");
    assert_read(&vroid(), "VRoid");
}

#[test]
fn smpl_and_its_hands() {
    assert_read(&smpl(["L_", "R_"]), "SMPL");
    assert_read(&smpl(["left_", "right_"]), "SMPL");
    assert_read(&smpl_h(), "SMPL");
}

#[test]
fn rokoko_suit() {
    assert_read(&rokoko(), "Rokoko");
}

#[test]
fn unreal_mannequin() {
    assert_read(&unreal(), "Unreal");
}

#[test]
fn biovision_and_its_example() {
    assert_read(&biovision(), "Biovision");
    assert_read(&biovision_example(), "Biovision example");
}

#[test]
fn max_biped() {
    assert_read(&biped(), "3ds Max Biped");
}

/// With a triangle pelvis the thighs hang from the first spine joint, which so is where legs and spine meet.
#[test]
fn max_biped_with_a_triangle_pelvis() {
    let drawing = draw(
        ["L", "R"],
        "Bip01(Bip01 Pelvis(Bip01 Spine@Hips(
            {Bip01 * Thigh@*UpperLeg(Bip01 * Calf@*LowerLeg(Bip01 * Foot@*Foot(Bip01 * Toe0@*Toes)))}
            Bip01 Spine1@Spine(Bip01 Neck@Neck(
                Bip01 Head@Head,
                {Bip01 * Clavicle@*Shoulder(Bip01 * UpperArm@*UpperArm(Bip01 * Forearm@*LowerArm(
                    Bip01 * Hand@*Hand)))})))))",
    );
    assert_read(&drawing, "3ds Max Biped");
}

#[test]
fn poser_and_daz() {
    assert_read(&poser(), "Poser and DAZ");
    assert_read(&daz(), "Poser and DAZ");
}

#[test]
fn xsens_suit() {
    assert_read(&xsens(), "Xsens");
}

#[test]
fn makehuman_rigs() {
    assert_read(&makehuman(), "MakeHuman");
    assert_read(&makehuman_default(), "MakeHuman");
}

#[test]
fn blender_rigify() {
    assert_read(&rigify(), "Rigify");
}

#[test]
fn a_rig_of_everyday_words() {
    assert_read(&everyday(), "everyday words");
}

#[test]
fn the_phrase_says_what_was_read() {
    let guess = detect(&mixamo("mixamorig:").skeleton);
    assert_eq!(guess.reason, "names as in Mixamo, 59 of 59 joints");
}
