//! The words of the phrases.

/// A step or a position of ballet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Word {
    /// Standing in fifth position, arms low.
    Ready,
    /// Both knees bend and stretch.
    Plie,
    /// Up onto the balls of the feet, arms overhead, and down.
    Releve,
    /// A leg stretched along the floor, to the front, the side or the back.
    Tendu,
    /// The same, just off the floor.
    Degage,
    /// The same, to the height of the hip: grand battement.
    Battement,
    /// The pointed foot draws a half circle.
    RondDeJambe,
    /// The foot to the knee of the standing leg, on the ball of the foot.
    Passe,
    /// The leg unfolds through the passé to the height of the hip.
    Developpe,
    /// A leg raised behind, the arm of the other side ahead.
    Arabesque,
    /// A long step onto a bent leg.
    Lunge,
    /// The arms through their positions, the trunk with them.
    PortDeBras,
    /// A gliding step to the side.
    Glissade,
    /// Half a turn on the balls of the feet.
    Soutenu,
}

impl Word {
    /// All but [`Word::Ready`].
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

    /// The word in a truth.
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

    /// About how many postures it takes.
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
