//! The games: where the checkers stand at the start, and which points of the two players are the same.
//!
//! All but long nardi are played with the moves of backgammon; see `engine.rs` for the two sets of rules.

/// The game: where the checkers stand at the start, how many there are, and by which rules they move.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub enum Variant {
    /// 24:2 13:5 8:3 6:5.
    #[default]
    Backgammon,
    /// 24:2 23:2 13:4 8:3 6:4.
    Nackgammon,
    /// One checker each on 24, 23 and 22, three in all.
    Hypergammon,
    /// All fifteen on 24.
    Longgammon,
    /// Long nardi: all fifteen on 24, both players in the same direction, no hits.
    LongNardi,
}

impl Variant {
    /// All variants, the standard game first.
    pub const ALL: [Variant; 5] = [
        Variant::Backgammon,
        Variant::Nackgammon,
        Variant::Hypergammon,
        Variant::Longgammon,
        Variant::LongNardi,
    ];

    /// The games that are played with the moves of backgammon, in the order in which file formats number them.
    pub const OF_BACKGAMMON: [Variant; 4] = [
        Variant::Backgammon,
        Variant::Nackgammon,
        Variant::Hypergammon,
        Variant::Longgammon,
    ];

    /// The name in options and in the JSON output.
    pub fn name(self) -> &'static str {
        match self {
            Variant::Backgammon => "backgammon",
            Variant::Nackgammon => "nackgammon",
            Variant::Hypergammon => "hypergammon",
            Variant::Longgammon => "longgammon",
            Variant::LongNardi => "long-nardi",
        }
    }

    /// The variant that a tag names, whatever the case, with the `(3)` that GNU Backgammon adds to
    /// Hypergammon, and long nardi also as `LongNardi`, `Long Nardi` or `Nardi`. `None` for a game that is not known, Hypergammon with fewer than three checkers included.
    pub fn by_name(name: &str) -> Option<Variant> {
        let name = name.trim().to_ascii_lowercase();
        let name = name.strip_suffix("(3)").unwrap_or(&name).trim_end();
        if ["longnardi", "long nardi", "nardi"].contains(&name) {
            return Some(Variant::LongNardi);
        }
        Variant::ALL
            .into_iter()
            .find(|variant| variant.name() == name)
    }

    /// Checkers a side.
    pub fn checkers(self) -> u8 {
        match self {
            Variant::Hypergammon => 3,
            _ => 15,
        }
    }

    /// One side's checkers at the start by place, in the own numbering.
    pub fn start(self) -> [u8; 26] {
        let places: &[(usize, u8)] = match self {
            Variant::Backgammon => &[(24, 2), (13, 5), (8, 3), (6, 5)],
            Variant::Nackgammon => &[(24, 2), (23, 2), (13, 4), (8, 3), (6, 4)],
            Variant::Hypergammon => &[(24, 1), (23, 1), (22, 1)],
            Variant::Longgammon | Variant::LongNardi => &[(24, 15)],
        };
        let mut side = [0; 26];
        for &(place, checkers) in places {
            side[place] = checkers;
        }
        side
    }

    /// The opponent's number of a point, 1 to 24 both ways.
    ///
    /// In long nardi both players go round the board in the same direction, half of it apart.
    #[inline]
    pub const fn opposite(self, point: u8) -> u8 {
        match self {
            Variant::LongNardi => (point + 11) % 24 + 1,
            _ => 25 - point,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tags_name_long_nardi_in_several_ways() {
        for name in ["LongNardi", "Long Nardi", "long-nardi", " nardi "] {
            assert_eq!(Variant::by_name(name), Some(Variant::LongNardi), "{name}");
        }
        assert_eq!(Variant::by_name("short nardi"), None);
    }

    #[test]
    fn a_point_seen_from_both_sides_is_one_point() {
        for variant in Variant::ALL {
            for point in 1..=24 {
                let there = variant.opposite(point);
                assert_eq!(variant.opposite(there), point, "{variant:?}");
            }
        }
        // The head of one player is the twelfth point of the other.
        assert_eq!(Variant::LongNardi.opposite(24), 12);
    }

    #[test]
    fn hypergammon_has_three_checkers_a_side() {
        for variant in Variant::ALL {
            let side = variant.start();
            assert_eq!(side.iter().sum::<u8>(), variant.checkers(), "{variant:?}");
        }
        assert_eq!(Variant::Hypergammon.checkers(), 3);
    }
}
