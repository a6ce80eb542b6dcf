//! A movement made ready: which of its group are blended, where it leads, and when it ends.

use marey_motion::{Ground, Vec3};
use rand::RngExt;

use crate::movement::{Start, Timing};
use crate::observation::wrapped;
use crate::repertoire::Repertoire;
use crate::session::Session;
use crate::steering::Aim;
use crate::{Kind, Played, Result, Way};

/// How much of a wrong distance a movement that strikes nobody puts right.
const LOOSE: f32 = 0.5;
/// How much of its time a movement may be stretched by so that both end together.
const TOGETHER: f64 = 0.25;
/// How far from a way a movement may lead before it is half as likely or so, in metres.
const OFF_WAY_M: f64 = 0.06;

/// What a movement is asked for beside its group.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Wanted {
    /// When the two touch.
    pub(crate) touch_at: Option<usize>,
    /// Where to end.
    pub(crate) place: Option<Vec3>,
    /// At what height they touch, and how far apart they are then, in metres.
    pub(crate) height_m: Option<f64>,
    pub(crate) apart_m: Option<f32>,
}

impl Session<'_> {
    /// Whether somebody goes along a way.
    pub(crate) fn is_bound(&self, person: usize) -> bool {
        self.way.as_ref().is_some_and(|way| way.person == person)
    }

    /// What is added to the scores of somebody's groups: those that lead away from their way are less likely.
    pub(crate) fn bias(&self, person: usize, at: usize, ground: Ground) -> Vec<f64> {
        let Repertoire { people, followers, .. } = &self.duet.repertoire;
        let is_follower = self.duet.model.in_unison && person == 1;
        let groups = if is_follower { followers.iter() } else { people[person].iter() };
        let Some(way) = self.way.as_ref().filter(|way| way.person == person) else {
            return groups.map(|_| 0.0).collect();
        };
        let off = groups.map(|group| {
            let (travel, frames) = group.travel();
            let wished = way.at((at as f64 + frames) / self.duet.rate_hz());
            -0.5 * (f64::from(ground.point(travel).distance(wished)) / OFF_WAY_M).powi(2)
        });
        off.collect()
    }

    /// Blends and places a movement after another. `other` says where the other is in a frame, and `other_ends` when they end what they do:
    /// who touches nobody ends with them, where that is near.
    pub(crate) fn prepare(
        &mut self,
        start: Start,
        other: &dyn Fn(usize) -> Vec3,
        before: Option<&Played>,
        other_ends: Option<usize>,
        wanted: Wanted,
    ) -> Result<Played> {
        let group = &self.duet.repertoire.people[start.person][start.group];
        let rate_hz = self.duet.rate_hz();
        // Equation 24: the height by chance, the speed as before, the turn as the other asks for.
        let point = group.touch_frame().unwrap_or_else(|| group.travel().1).round() as usize;
        let to_other = other(start.frame + point) - start.ground.point(group.travel().0);
        let wished = group.other_at();
        let turn = to_other.x.atan2(to_other.z) - wished.x.atan2(wished.z) - start.ground.yaw_rad;
        let by_chance = group.parameter(0, self.rng.random::<f64>());
        let height_m = wanted.height_m.map_or(by_chance, |wish| group.nearest_parameter(0, wish));
        let turn = group.nearest_parameter(2, wrapped(f64::from(turn)));
        // A couple turns as it likes.
        let in_unison = self.duet.model.in_unison;
        let turn = if in_unison { group.parameter(2, self.rng.random::<f64>()) } else { turn };
        let speed_mps = before.map_or(0.0, Played::end_speed_mps);
        let parameters = [height_m, group.nearest_parameter(1, speed_mps), turn];
        let groups = &self.duet.repertoire.people[start.person];
        let ended = before.map(|before| groups[before.group].ends(&before.weights));
        let blended = group.blend(&group.weights(parameters, ended)?, rate_hz)?;
        let slack = self.settings.touch_slack as usize;
        let touch_at = wanted
            .touch_at
            .filter(|touch| blended.touch.is_some_and(|own| (start.frame + own).abs_diff(*touch) > slack));
        let own_end = start.frame + blended.frames;
        let is_near = |end: &usize| end.abs_diff(own_end) as f64 <= TOGETHER * blended.frames as f64;
        let end_at = other_ends.filter(|end| start.kind == Kind::Normal && is_near(end));
        let end = match (end_at, touch_at.zip(blended.touch)) {
            (Some(end), _) => end,
            (None, Some((at, touch))) => at + blended.frames - touch,
            (None, None) => own_end,
        };
        let way = self.way.as_ref().filter(|way| way.person == start.person || in_unison);
        let line = |way: &Way| -> Result<Vec<Vec3>> {
            let pace = (end - start.frame) as f64 / blended.frames as f64;
            let secs = |frame: usize| (start.frame as f64 + pace * frame as f64) / rate_hz;
            let mut line: Vec<Vec3> = (0..=blended.frames).map(|frame| way.at(secs(frame))).collect();
            if way.person != start.person {
                self.as_the_leader_goes(&mut line, &start, &blended)?;
            }
            Ok(line)
        };
        let line = way.filter(|_| wanted.place.is_none()).map(line).transpose()?.unwrap_or_default();
        let aim = Aim {
            other: other(start.frame + blended.touch.unwrap_or(blended.frames)),
            place: wanted.place,
            line,
            closeness: match blended.touch {
                _ if in_unison => 0.0,
                Some(_) => 1.0,
                None => LOOSE,
            },
            apart_m: wanted.apart_m.filter(|_| blended.meets()),
            most_turn_rad: if in_unison { 0.0 } else { self.settings.most_turn_rad as f32 },
            most_shift_m: self.settings.most_shift_m as f32,
        };
        Played::new(start, blended, &aim, Timing { touch_at, end_at })
    }
}
