//! Chooses a person's next movement and, if it is an attack, the partner's defence.

use marey_motion::Vec3;

use crate::choices::{Choice, EXACT_PACE, Situation, draw};
use crate::movement_goal::MovementGoal;
use crate::session::{DuetSession, PersonTimeline, observed};
use crate::{InteractionKind, PlacedMovement, Result};

/// Additional overlap below this counts as clear, in metres.
const CLEARANCE_M: f32 = 0.03;

impl DuetSession<'_> {
    /// Chooses a person's next movement. If it is an attack or a defence, also chooses the
    /// partner's part.
    pub(crate) fn choose_next(&mut self, person: usize, at: usize) -> Result<()> {
        let Some(mut people) = self.people.clone().filter(|people| people[person].next.is_none()) else {
            return Ok(());
        };
        let grounds = [0, 1].map(|person| people[person].current.ground_at(at));
        let situation = Situation {
            model: &self.duet.model,
            repertoire: &self.duet.repertoire,
            person,
            from: [0, 1].map(|person| people[person].at(at).group),
            observed: observed(grounds),
            // A person with a next movement is not available: planning further ahead would make
            // runs inflexible.
            free_at: people.each_ref().map(|p| p.next.as_ref().map_or(p.current.end(), |_| usize::MAX)),
            partner_can_attack: self.commands[1 - person].is_empty(),
            bias: [0, 1].map(|person| {
                let end = people[person].current.end();
                self.path_bias(person, end, people[person].current.ground_at(end))
            }),
        };
        let command = self.commands[person].front().copied();
        let place = command.and_then(|command| command.place).map(|[x, z]| Vec3::new(x, 0.0, z));
        let is_executed = match command {
            Some(_) => self.try_choices(situation.choices(command), &situation, &mut people, place)?,
            None => false,
        };
        if is_executed {
            self.commands[person].pop_front();
        } else if !self.try_choices(situation.choices(None), &situation, &mut people, None)? {
            // The command cannot be executed now. It stays in the queue until after this movement.
            let own = self.next(
                &people,
                person,
                self.fallback_group(person),
                InteractionKind::Normal,
                MovementGoal::default(),
            )?;
            people[person].set_next(own);
        }
        self.people = Some(people);
        Ok(())
    }

    /// Draws from the choices until one is possible and adopts it. Returns whether any was.
    fn try_choices(
        &mut self,
        mut choices: Vec<Choice>,
        situation: &Situation<'_>,
        people: &mut [PersonTimeline; 2],
        place: Option<Vec3>,
    ) -> Result<bool> {
        let person = situation.person;
        let temperature = self.settings.temperature;
        // The choice with the least overlap, used if all of them overlap.
        let mut fallback: Option<(f32, PlacedMovement)> = None;
        while let Some(Choice { group, .. }) = draw(&choices, temperature, &mut self.rng) {
            let kind = self.duet.repertoire.people[person][group].kind;
            let is_possible = match kind {
                InteractionKind::Normal => {
                    let goal = MovementGoal { place, ..MovementGoal::default() };
                    let own = self.next(people, person, group, kind, goal)?;
                    let depth_m = self.clearance_shift(&own, &people[1 - person]).length();
                    let is_clear = depth_m < CLEARANCE_M || self.follows_path(person);
                    if is_clear {
                        people[person].set_next(own);
                    } else if fallback.as_ref().is_none_or(|best| depth_m < best.0) {
                        fallback = Some((depth_m, own));
                    }
                    is_clear
                }
                InteractionKind::Offensive => {
                    self.choose_attack(situation, people, person, group, None, place)?
                }
                InteractionKind::Defensive => {
                    // A person who defends needs an attack of the partner.
                    match draw(&situation.attacks(group), temperature, &mut self.rng) {
                        Some(attack) => self.choose_attack(
                            situation,
                            people,
                            1 - person,
                            attack.group,
                            Some(group),
                            place,
                        )?,
                        None => false,
                    }
                }
            };
            if is_possible {
                return Ok(true);
            }
            choices.retain(|choice| choice.group != group);
        }
        let is_possible = fallback.is_some();
        if let Some((_, own)) = fallback {
            people[person].set_next(own);
        }
        Ok(is_possible)
    }

    /// Adopts an attack and a defence, drawn if none is given. Returns false if no defence is in
    /// time. `place` applies to the person who chooses.
    fn choose_attack(
        &mut self,
        situation: &Situation<'_>,
        people: &mut [PersonTimeline; 2],
        striker: usize,
        attack: usize,
        defence: Option<usize>,
        place: Option<Vec3>,
    ) -> Result<bool> {
        let other = 1 - striker;
        let place_of = |person: usize| place.filter(|_| person == situation.person);
        let goal = MovementGoal { place: place_of(striker), ..MovementGoal::default() };
        let attacking = self.next(people, striker, attack, InteractionKind::Offensive, goal)?;
        let Some(contact) = attacking.contact_frame else { return Ok(false) };
        let defence = match defence {
            Some(defence) => situation.can_defend_at(other, defence, contact, &EXACT_PACE).then_some(defence),
            None => {
                let defences = situation.defences(striker, attack, contact);
                draw(&defences, self.settings.temperature, &mut self.rng).map(|defence| defence.group)
            }
        };
        let Some(defence) = defence else { return Ok(false) };
        let goal = MovementGoal {
            contact_at: Some(contact),
            place: place_of(other),
            contact_height_m: Some(attacking.contact_height_m),
            // The limb reaches as far as in the recording.
            separation_m: attacking.makes_contact().then_some(attacking.separation_m),
        };
        people[striker].set_next(attacking);
        let mut defending = self.next(people, other, defence, InteractionKind::Defensive, goal)?;
        let on_path = [striker, other].map(|person| self.follows_path(person));
        if let Some(attacking) = &mut people[striker].next {
            let Self { duet, settings, .. } = self;
            let shapes = &duet.repertoire.shapes;
            // A person on a path stays on it. Otherwise the defender makes room and the attacker
            // comes closer.
            let make_room = |attacking: &mut PlacedMovement, defending: &mut PlacedMovement| {
                let away = attacking.clearance_shift(defending, shapes);
                if on_path[1] {
                    attacking.shift_until_contact(-away)
                } else {
                    defending.shift_until_contact(away)
                }
            };
            make_room(attacking, &mut defending)?;
            let missing = attacking.reach_target(&defending, shapes, settings.max_reach_m as f32)?;
            if on_path[0] {
                defending.shift_until_contact(-missing)?
            } else {
                attacking.shift_until_contact(missing)?
            }
            make_room(attacking, &mut defending)?;
        }
        people[other].set_next(defending);
        Ok(true)
    }
}
