//! The games that are played with the same moves from another start.

/// The game: where the checkers stand at the start, and how many there are.
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
}

impl Variant {
    /// All variants, the standard game first.
    pub const ALL: [Variant; 4] = [
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
        }
    }

    /// The variant that a tag names, whatever the case and with the `(3)` that GNU Backgammon adds to
    /// Hypergammon. `None` for a game that is not known, Hypergammon with fewer than three checkers included.
    pub fn by_name(name: &str) -> Option<Variant> {
        let name = name.trim().to_ascii_lowercase();
        let name = name.strip_suffix("(3)").unwrap_or(&name).trim_end();
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
            Variant::Longgammon => &[(24, 15)],
        };
        let mut side = [0; 26];
        for &(place, checkers) in places {
            side[place] = checkers;
        }
        side
    }
}
