//! What somebody does next, and where it is an attack, how the other answers.

use marey_motion::Vec3;

use crate::choices::{Choice, Situation, WIDER_PACE, draw};
use crate::prepare::Wanted;
use crate::session::{Person, Session, observed};
use crate::{Kind, Played, Result};

/// Who goes less deep into the other on their way, beyond what they do in the examples, is clear of them, in metres.
const CLEAR_M: f32 = 0.03;

impl Session<'_> {
    /// Settles what somebody does next, and what the other does where that is an attack or the answer to one.
    pub(crate) fn settle(&mut self, person: usize, at: usize) -> Result<()> {
        let Some(mut people) = self.people.clone().filter(|people| people[person].next.is_none()) else {
            return Ok(());
        };
        let grounds = [0, 1].map(|person| people[person].now.ground_at(at));
        let situation = Situation {
            model: &self.duet.model,
            repertoire: &self.duet.repertoire,
            person,
            from: [0, 1].map(|person| people[person].at(at).group),
            observed: observed(grounds),
            // An answer to an answer would be settled too far ahead.
            free_at: people.each_ref().map(|p| p.next.as_ref().map_or(p.now.end(), |_| usize::MAX)),
            other_attacks: self.commands[1 - person].is_empty(),
            bias: [0, 1].map(|person| {
                let end = people[person].now.end();
                self.bias(person, end, people[person].now.ground_at(end))
            }),
        };
        let wish = self.commands[person].front().copied();
        let place = wish.and_then(|command| command.place).map(|[x, z]| Vec3::new(x, 0.0, z));
        let is_obeyed = match wish {
            Some(_) => self.settle_one_of(situation.choices(wish), &situation, &mut people, place)?,
            None => false,
        };
        if is_obeyed {
            self.commands[person].pop_front();
        } else if !self.settle_one_of(situation.choices(None), &situation, &mut people, None)? {
            // What was commanded cannot be done now: it is tried again after this movement.
            let own = self.next(&people, person, self.anything(person), Kind::Normal, Wanted::default())?;
            people[person].take_on(own);
        }
        self.people = Some(people);
        Ok(())
    }

    /// Draws among choices until one of them can be done, and settles it; whether any could.
    fn settle_one_of(
        &mut self,
        mut choices: Vec<Choice>,
        situation: &Situation<'_>,
        people: &mut [Person; 2],
        place: Option<Vec3>,
    ) -> Result<bool> {
        let person = situation.person;
        let temperature = self.settings.temperature;
        // The one that goes least through the other, of those that do.
        let mut crowded: Option<(f32, Played)> = None;
        while let Some(Choice { group, .. }) = draw(&choices, temperature, &mut self.rng) {
            let kind = self.duet.repertoire.people[person][group].kind;
            let is_settled = match kind {
                Kind::Normal => {
                    let wanted = Wanted { place, ..Wanted::default() };
                    let own = self.next(people, person, group, kind, wanted)?;
                    let depth_m = self.crowds(&own, &people[1 - person]).length();
                    let is_clear = depth_m < CLEAR_M || self.is_bound(person);
                    if is_clear {
                        people[person].take_on(own);
                    } else if crowded.as_ref().is_none_or(|least| depth_m < least.0) {
                        crowded = Some((depth_m, own));
                    }
                    is_clear
                }
                Kind::Offensive => self.attack(situation, people, person, group, None, place)?,
                Kind::Defensive => {
                    // Who chooses to defend leaves it to the other to attack.
                    match draw(&situation.attacks(group), temperature, &mut self.rng) {
                        Some(attack) => {
                            self.attack(situation, people, 1 - person, attack.group, Some(group), place)?
                        }
                        None => false,
                    }
                }
            };
            if is_settled {
                return Ok(true);
            }
            choices.retain(|choice| choice.group != group);
        }
        let is_settled = crowded.is_some();
        if let Some((_, own)) = crowded {
            people[person].take_on(own);
        }
        Ok(is_settled)
    }

    /// Settles an attack and its answer, which is drawn where it is not said; whether there is one in time. Where to go is for who
    /// chooses.
    fn attack(
        &mut self,
        situation: &Situation<'_>,
        people: &mut [Person; 2],
        striker: usize,
        attack: usize,
        answer: Option<usize>,
        place: Option<Vec3>,
    ) -> Result<bool> {
        let other = 1 - striker;
        let place_of = |person: usize| place.filter(|_| person == situation.person);
        let wanted = Wanted { place: place_of(striker), ..Wanted::default() };
        let attacks = self.next(people, striker, attack, Kind::Offensive, wanted)?;
        let Some(touch) = attacks.touch else { return Ok(false) };
        let answer = match answer {
            Some(answer) => Some(answer).filter(|&own| situation.in_time(other, own, touch, &WIDER_PACE)),
            None => {
                let answers = situation.answers(striker, attack, touch);
                draw(&answers, self.settings.temperature, &mut self.rng).map(|answer| answer.group)
            }
        };
        let Some(answer) = answer else { return Ok(false) };
        let wanted = Wanted {
            touch_at: Some(touch),
            place: place_of(other),
            height_m: Some(attacks.height_m),
            // A limb reaches as far as it did.
            apart_m: attacks.meets().then_some(attacks.apart_m),
        };
        people[striker].take_on(attacks);
        let mut answers = self.next(people, other, answer, Kind::Defensive, wanted)?;
        let is_bound = [striker, other].map(|person| self.is_bound(person));
        if let Some(attacks) = &mut people[striker].next {
            let Self { duet, settings, .. } = self;
            let shapes = &duet.repertoire.shapes;
            // Who has to be somewhere stays there: else it is who defends that makes room, and who strikes that comes nearer.
            let make_room = |attacks: &mut Played, answers: &mut Played| {
                let away = attacks.crowds(answers, shapes);
                if is_bound[1] { attacks.step_on(-away) } else { answers.step_on(away) }
            };
            make_room(attacks, &mut answers)?;
            let short = attacks.reach_for(&answers, shapes, settings.most_reach_m as f32)?;
            if is_bound[0] {
                answers.step_on(-short)?
            } else {
                attacks.step_on(short)?
            }
            make_room(attacks, &mut answers)?;
        }
        people[other].take_on(answers);
        Ok(true)
    }
}
