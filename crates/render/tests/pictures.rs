//! Pictures as a user gets them: encoded bytes, decoded again.

#[path = "support/person.rs"]
mod person;

use std::sync::Arc;

use marey_motion::{Actor, Clip, ClipParts, Coded, Ground, Joint, LocalPose, Quat, Skeleton, Take, Vec3};
use marey_render::{Animation, Background, SceneOptions, Sheet, View};

type Rgb = [u8; 3];

/// A decoded picture.
struct Picture {
    width: usize,
    pixels: Vec<Rgb>,
}

impl Picture {
    fn of_png(bytes: &[u8]) -> Picture {
        let mut reader = png::Decoder::new(std::io::Cursor::new(bytes)).read_info().unwrap();
        let mut data = vec![0; reader.output_buffer_size().unwrap()];
        let info = reader.next_frame(&mut data).unwrap();
        assert_eq!((info.color_type, info.bit_depth), (png::ColorType::Rgb, png::BitDepth::Eight));
        let pixels: Vec<Rgb> = data.chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
        assert_eq!(pixels.len(), info.width as usize * info.height as usize);
        Picture { width: info.width as usize, pixels }
    }

    fn height(&self) -> usize {
        self.pixels.len() / self.width
    }

    /// The mean column of the pixels of a kind below the header, and their number.
    fn mean_column(&self, kind: fn(Rgb) -> bool) -> (f64, usize) {
        let below_header = self.pixels.iter().enumerate().skip(30 * self.width);
        let columns: Vec<usize> = below_header.filter(|p| kind(*p.1)).map(|p| p.0 % self.width).collect();
        (columns.iter().sum::<usize>() as f64 / columns.len().max(1) as f64, columns.len())
    }
}

fn is_left([r, g, b]: Rgb) -> bool {
    b > r.saturating_add(70) && b > g.saturating_add(20)
}

fn is_right([r, g, b]: Rgb) -> bool {
    r > b.saturating_add(70) && r > g.saturating_add(40)
}

/// The content of a GIF: every complete picture, and its delay in hundredths of a second.
fn play(bytes: &[u8]) -> (Vec<Picture>, Vec<u16>) {
    let mut options = gif::DecodeOptions::new();
    options.set_color_output(gif::ColorOutput::Indexed);
    let mut decoder = options.read_info(std::io::Cursor::new(bytes)).unwrap();
    let (width, height) = (usize::from(decoder.width()), usize::from(decoder.height()));
    let palette: Vec<Rgb> =
        decoder.global_palette().unwrap().chunks_exact(3).map(|p| [p[0], p[1], p[2]]).collect();
    let mut screen = vec![[0; 3]; width * height];
    let (mut pictures, mut delays) = (Vec::new(), Vec::new());
    while let Some(frame) = decoder.read_next_frame().unwrap() {
        assert!(frame.palette.is_none(), "one palette for all");
        for (i, &index) in frame.buffer.iter().enumerate() {
            let (x, y) = (i % usize::from(frame.width), i / usize::from(frame.width));
            if Some(index) != frame.transparent {
                screen[(y + usize::from(frame.top)) * width + x + usize::from(frame.left)] =
                    palette[usize::from(index)];
            }
        }
        delays.push(frame.delay);
        pictures.push(Picture { width, pixels: screen.clone() });
    }
    (pictures, delays)
}

fn walk() -> Take {
    Take::solo("walk", person::walking(75, 60.0))
}

fn small(scene: SceneOptions) -> Animation {
    Animation { scene, width_px: 120, height_px: 90, ..Animation::default() }
}

fn code(error: impl Coded) -> &'static str {
    error.code().id
}

#[test]
fn a_sheet_has_the_size_of_its_panels_and_a_header() {
    let sheet = Sheet { poses: Some(4), columns: Some(3), supersample: 1, ..Sheet::default() };
    let picture = Picture::of_png(&sheet.png(&walk()).unwrap());
    assert_eq!((picture.width, picture.height()), (3 * 240, 2 * 300 + 25));
    let few = Take::solo("two", person::standing(2));
    let picture = Picture::of_png(&sheet.png(&few).unwrap());
    assert_eq!(picture.width, 2 * 240, "no more poses than frames");
}

#[test]
fn by_default_a_sheet_has_more_poses_the_longer_it_lasts() {
    let panels = |frames| {
        let clip = person::walking(frames, 30.0);
        let picture = Picture::of_png(&Sheet::default().png(&Take::solo("walk", clip)).unwrap());
        (picture.width / 240, picture.height() / 300)
    };
    assert_eq!(panels(30), (6, 1));
    assert_eq!(panels(120), (4, 2));
    assert_eq!(panels(600), (5, 2));
}

#[test]
fn left_and_right_are_on_their_sides() {
    let sides = |view: View, turn_rad: f32| {
        let clip = person::standing(1).moved(Ground::new(3.0, -2.0, turn_rad));
        let sheet = Sheet { scene: SceneOptions { view, ..SceneOptions::default() }, ..Sheet::default() };
        let picture = Picture::of_png(&sheet.png(&Take::solo("stand", clip)).unwrap());
        let (left, right) = (picture.mean_column(is_left), picture.mean_column(is_right));
        assert!(left.1 > 100 && right.1 > 100, "both sides are visible");
        left.0 - right.0
    };
    for turn_rad in [0.0, 1.0, 3.0, -2.0] {
        assert!(sides(View::Front, turn_rad) > 20.0, "from the front, the left side is on the right");
        assert!(sides(View::Top, turn_rad) < -20.0, "from above, the left side is on the left");
    }
}

#[test]
fn the_same_take_gives_the_same_bytes_on_any_number_of_threads() {
    let draw = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            (Sheet::default().png(&walk()).unwrap(), small(SceneOptions::default()).gif(&walk()).unwrap())
        })
    };
    let one = draw(1);
    assert!(one == draw(1) && one == draw(2) && one == draw(8));
}

#[test]
fn an_animation_shows_every_picture_and_lasts_as_long_as_the_motion() {
    for (fps, follow) in [(30.0, true), (25.0, false), (12.5, true), (50.0, false)] {
        let animation = Animation { fps, ..small(SceneOptions { follow, ..SceneOptions::default() }) };
        let (pictures, delays) = play(&animation.gif(&walk()).unwrap());
        assert_eq!(pictures.len(), (75.0 / 60.0 * fps + 1e-6) as usize);
        let total_secs = delays.iter().map(|&delay| f64::from(delay)).sum::<f64>() / 100.0;
        assert!((total_secs / 1.25 - 1.0).abs() < 0.01, "{fps}: {total_secs}");
        for picture in &pictures {
            assert_eq!((picture.width, picture.height()), (120, 90));
            assert!(picture.mean_column(is_left).1 > 10 && picture.mean_column(is_right).1 > 10);
        }
    }
}

#[test]
fn static_and_following_cameras() {
    let travel = |follow| {
        let scene = SceneOptions { follow, view: View::Side, ..SceneOptions::default() };
        let (pictures, _) = play(&small(scene).gif(&walk()).unwrap());
        let column = |picture: &Picture| picture.mean_column(is_right).0;
        column(&pictures[pictures.len() - 1]) - column(&pictures[0])
    };
    assert!(travel(false) > 30.0);
    assert!(travel(true).abs() < 20.0);
}

#[test]
fn frame_ranges_are_drawn_or_rejected() {
    let scene = |frames| SceneOptions { frames: Some(frames), ..SceneOptions::default() };
    let (pictures, delays) = play(&small(scene(15..45)).gif(&walk()).unwrap());
    assert_eq!((pictures.len(), delays.iter().sum::<u16>()), (15, 50));
    let sheet = Sheet { scene: scene(70..76), ..Sheet::default() };
    assert_eq!(code(sheet.png(&walk()).unwrap_err()), "motion/range");
}

#[test]
fn dark_backgrounds_and_actor_colours() {
    let pair = |turn| person::standing(1).moved(Ground::new(turn, 0.0, turn));
    let actors = ["a", "b"].map(|name| {
        let clip = pair(if name == "a" { 0.0 } else { 1.0 });
        Actor { name: name.into(), clip }
    });
    let take = Take::new("pair", actors.to_vec()).unwrap();
    let sheet = |background| Sheet {
        scene: SceneOptions { background, ..SceneOptions::default() },
        ..Sheet::default()
    };
    let light = Picture::of_png(&sheet(Background::Light).png(&take).unwrap());
    let dark = Picture::of_png(&sheet(Background::Dark).png(&take).unwrap());
    let brightness = |p: &Picture| p.pixels.iter().flatten().map(|&v| u64::from(v)).sum::<u64>();
    assert!(brightness(&dark) * 2 < brightness(&light));
    let is_purple = |[r, g, b]: Rgb| b > g.saturating_add(40) && r > g.saturating_add(10);
    assert!(light.mean_column(is_purple).1 > 200, "the second torso");
    let alone = Picture::of_png(&sheet(Background::Light).png(&Take::solo("a", pair(0.0))).unwrap());
    assert_eq!(alone.mean_column(is_purple).1, 0);
}

#[test]
fn a_chain_of_two_joints_is_drawn_as_sticks() {
    let joints = vec![Joint::new("root", None, Vec3::ZERO), Joint::new("top", Some(0), Vec3::Y)];
    let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
    let clip = Clip::still(skeleton.clone(), 30.0, LocalPose::rest(&skeleton)).unwrap();
    let picture = Picture::of_png(&Sheet::default().png(&Take::solo("post", clip)).unwrap());
    let is_ink = |[r, g, b]: Rgb| r < 120 && g < 120 && b < 120;
    assert!(picture.mean_column(is_ink).1 > 50);
    assert_eq!(picture.mean_column(is_left).1, 0);
}

#[test]
fn oversized_pictures_are_rejected() {
    let take = walk();
    let sheet = Sheet { panel_width_px: 4096, panel_height_px: 4096, poses: Some(50), ..Sheet::default() };
    assert_eq!(code(sheet.png(&take).unwrap_err()), "render/too-large");
    let sheet = Sheet { supersample: 1, ..sheet };
    assert_eq!(code(sheet.png(&take).unwrap_err()), "render/too-large");
    let animation = Animation { width_px: 4096, height_px: 4096, ..Animation::default() };
    assert_eq!(code(animation.gif(&take).unwrap_err()), "render/too-large");
    for rate_hz in [1e-6, 1e-300] {
        let long = Take::solo("long", person::standing(2).with_rate(rate_hz).unwrap());
        assert_eq!(code(Animation::default().gif(&long).unwrap_err()), "render/too-large");
        assert!(Sheet::default().png(&long).is_ok());
    }

    let sheet = Sheet::default;
    for bad in [
        Sheet { poses: Some(0), ..sheet() },
        Sheet { poses: Some(1001), ..sheet() },
        Sheet { columns: Some(0), ..sheet() },
        Sheet { panel_width_px: 0, ..sheet() },
        Sheet { panel_height_px: u32::MAX, ..sheet() },
        Sheet { supersample: 0, ..sheet() },
    ] {
        assert_eq!(code(bad.png(&take).unwrap_err()), "render/option");
    }
    let animation = Animation::default;
    for bad in [
        Animation { fps: 0.5, ..animation() },
        Animation { fps: f64::NAN, ..animation() },
        Animation { fps: 60.0, ..animation() },
        Animation { width_px: 47, ..animation() },
        Animation { height_px: 5000, ..animation() },
        Animation { supersample: 5, ..animation() },
    ] {
        assert_eq!(code(bad.gif(&take).unwrap_err()), "render/option");
    }
}

#[test]
fn joints_too_far_away_are_named() {
    let joints = vec![Joint::new("root", None, Vec3::ZERO), Joint::new("far", Some(0), Vec3::X * 3e38)];
    let skeleton = Arc::new(Skeleton::new(joints, vec![]).unwrap());
    let parts = ClipParts { rotations: vec![Quat::IDENTITY; 2], positions: vec![Vec3::X * 3e38] };
    let clip = Clip::new(skeleton, 30.0, parts).unwrap();
    let error = Sheet::default().png(&Take::solo("far", clip)).unwrap_err();
    assert_eq!(error.code().id, "render/too-far");
    assert_eq!(error.place().frame, Some(0));
}
