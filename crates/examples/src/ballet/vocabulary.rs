//! The words of the phrases.

/// A step or a position of ballet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Word {
    /// Standing in fifth position, arms low.
    Ready,
    /// Bend and stretch of both knees.
    Plie,
    /// A rise onto the balls of the feet with arms overhead.
    Releve,
    /// A leg stretched along the floor, to the front, the side or the back.
    Tendu,
    /// A leg stretched just off the floor, in the same directions.
    Degage,
    /// A leg thrown to hip height, in the same directions: grand battement.
    Battement,
    /// A half circle of the pointed foot.
    RondDeJambe,
    /// The foot at the knee of the standing leg, which is on the ball of the foot.
    Passe,
    /// A leg that unfolds through the passé to hip height.
    Developpe,
    /// A leg raised behind, with the opposite arm in front.
    Arabesque,
    /// A long step onto a bent leg.
    Lunge,
    /// The arms move through their positions with the trunk.
    PortDeBras,
    /// A gliding step to the side.
    Glissade,
    /// Half a turn on the balls of the feet.
    Soutenu,
}

impl Word {
    /// All words except [`Word::Ready`].
    pub const DANCED: [Word; 13] = [
        Word::Plie,
        Word::Releve,
        Word::Tendu,
        Word::Degage,
        Word::Battement,
        Word::RondDeJambe,
        Word::Passe,
        Word::Developpe,
        Word::Arabesque,
        Word::Lunge,
        Word::PortDeBras,
        Word::Glissade,
        Word::Soutenu,
    ];

    /// The name in ground truths.
    pub const fn name(self) -> &'static str {
        match self {
            Word::Ready => "ready",
            Word::Plie => "plié",
            Word::Releve => "relevé",
            Word::Tendu => "tendu",
            Word::Degage => "dégagé",
            Word::Battement => "battement",
            Word::RondDeJambe => "rond de jambe",
            Word::Passe => "passé",
            Word::Developpe => "développé",
            Word::Arabesque => "arabesque",
            Word::Lunge => "lunge",
            Word::PortDeBras => "port de bras",
            Word::Glissade => "glissade",
            Word::Soutenu => "soutenu",
        }
    }

    /// Approximate number of postures.
    pub(super) const fn postures(self) -> usize {
        match self {
            Word::Ready => 1,
            Word::Plie => 4,
            Word::Tendu | Word::Degage | Word::Battement | Word::Passe | Word::Glissade => 8,
            Word::Releve => 9,
            Word::Lunge | Word::RondDeJambe => 10,
            Word::PortDeBras => 9,
            Word::Developpe => 11,
            Word::Arabesque => 13,
            Word::Soutenu => 14,
        }
    }
}
