//! Identifiers that are known to mean something, and random ones that must come back.

use super::*;
use crate::board::{ByPlayer, Cube, Length, Player, Position, Roll, Setup, Variant};

/// Tells every wrong orientation: the player on roll has 6:5 8:4 13:4 24:1 and one on the bar.
const TEST_BOARD: [i8; 26] = [
    0, -2, 0, 0, 0, 0, 5, 0, 4, 0, 0, 0, -5, 4, 0, 0, 0, -2, 0, -4, 0, 0, -2, 0, 1, 1,
];

fn state(id: &str) -> IdState {
    decode(id)
        .unwrap_or_else(|faults| panic!("{id}: {faults:?}"))
        .state
}

fn errors(id: &str) -> Vec<(Option<u32>, String)> {
    let faults = decode(id).expect_err(id);
    let errors = faults
        .into_iter()
        .filter(|fault| fault.level == Level::Error);
    errors.map(|fault| (fault.column, fault.message)).collect()
}

fn warnings(id: &str) -> Vec<String> {
    let decoded = decode(id).unwrap_or_else(|faults| panic!("{id}: {faults:?}"));
    decoded
        .faults
        .into_iter()
        .map(|fault| fault.message)
        .collect()
}

fn convert(id: &str, kind: Kind) -> Result<String, NotEncodable> {
    encode(kind, &state(id))
}

fn written(id: &str, kind: Kind) -> String {
    convert(id, kind).unwrap_or_else(|why| panic!("{id}: {why}"))
}

#[test]
fn a_position_id_holds_long_nardi_and_other_kinds_do_not() {
    // The opponent's 5 is the own 20 in backgammon and the own 17 in long nardi.
    let mut sides = ByPlayer::new([0; 26], [0; 26]);
    (sides.one[24], sides.one[20]) = (14, 1);
    (sides.two[24], sides.two[5]) = (14, 1);
    let setup = Setup {
        checkers: sides,
        variant: Variant::LongNardi,
        turn: None,
        roll: None,
        cube: None,
    };
    let position = Position::new(&setup).expect("a position");
    let id = position_id(&position, Player::One);
    let decoded = decode_in(Variant::LongNardi, &id).expect("a position");
    assert_eq!(decoded.state.board, Some(sides));
    assert!(decode(&id).is_err(), "both on one point of backgammon");
    let start = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:0:0:0:7:10";
    assert!(decode_in(Variant::LongNardi, start).is_err());
    assert!(decode_in(Variant::Backgammon, start).is_ok());
}

#[test]
fn every_kind_sees_the_test_board_from_the_right_side() {
    for id in [
        "jGfwATDg8+ABUA",
        "IMGHPAABDAOAPDOAABFA",
        "jGfwATDg8+ABUA:cAkAAAAAAAAE",
        "XGID=-b----E-D---eD---b-d--b-AA:0:0:1:00:0:0:0:0:10",
        "xgid=aa-B--D-B---dE---d-e----B-:0:0:-1:00:0:0:0:0:10",
        "0;1;0;1;1;Bob;Alice;0;0;0;1;0;0;-2;0;0;0;0;5;0;4;0;0;0;-5;4;0;0;0;-2;0;-4;0;0;-2;0;1;1;0;0;",
    ] {
        let state = state(id);
        assert_eq!(state.numbers(state.viewer()), Some(TEST_BOARD), "{id}");
        assert_eq!(
            encode(Kind::PositionId, &state).as_deref(),
            Ok("jGfwATDg8+ABUA")
        );
    }
}

#[test]
fn an_xgid_is_written_as_gnu_backgammon_reads_it() {
    // Position and match ID as GNU Backgammon 1.07 shows them.
    for (xgid, position, matched) in [
        (
            "XGID=-b----E-C---eE---c-e----B-:3:1:1:00:0:0:0:25:10",
            "4HPwATDgc/ABMA",
            "UwkgAwAAAAAE",
        ),
        (
            "XGID=-a-B--E-B-a-dDB--b-bcb----:1:1:-1:63:0:0:0:3:8",
            "jM/gDQDYzeAJIA",
            "QQlvAAAAAAAE",
        ),
    ] {
        assert_eq!(written(xgid, Kind::PositionId), position);
        assert_eq!(written(xgid, Kind::MatchId), matched);
        assert_eq!(written(xgid, Kind::Xgid), xgid);
    }
}

#[test]
fn a_match_id_comes_back() {
    for id in [
        "MAEAAAAAAAAA",
        "cAkFAAAAAAAA",
        "cInmAAAAAAAE",
        "cInmAAAAAAAA",
        "QYkqASAAIAAE",
        "8ImtACAAIAAE",
        "MBmgAAAAAAAE",
        "UREgARAAEAAE",
        "EUmgAAAAAAAE",
        "cCGgAAAAAAAE",
        "cGEAAAAAAAAA",
        "cAugACAAAAAE",
        "cAygABAAAAAE",
    ] {
        assert_eq!(written(id, Kind::MatchId), id);
    }
}

#[test]
fn the_resigner_is_not_the_player_to_decide() {
    let state = state("EUmgAAAAAAAE");
    assert_eq!(state.to_act(), Some(Player::Two));
    assert_eq!(
        state.pending,
        Some(Pending::Resignation {
            by: Player::One,
            win: crate::board::Win::Gammon
        })
    );
}

#[test]
fn the_colour_of_an_ogid_is_that_of_the_player_who_acted_last() {
    let id = "17ccccehhhjjjjj:55566688dddddmo:N0N:16:B:R:2:6:0:3";
    assert_eq!(state(id).turn, Some(Player::One));
    assert_eq!(written(id, Kind::PositionId), "cGfwASTgc+RBIA");
    assert_eq!(written(id, Kind::Ogid), id);
    let opening = "11ccccchhhjjjjj:66666888dddddoo:N0N::W:IW:0:0:1:0";
    assert_eq!(state(opening).turn, Some(Player::One));
}

#[test]
fn an_ogid_that_cannot_be_settled_says_so() {
    let begun = "11ccccchhhjjjjj:66666888dddddoo:N0N:12:W:IB:0:0:5:0";
    assert!(warnings(begun)[0].contains("ambiguous"));
    let short = "11ccccchhhjjjjj:66666888dddddoo:N0N:12:W";
    assert!(warnings(short)[0].starts_with("no state"));
    let doubled = "11ccceehhjjllmm:666668888dddddf:B1O::W:D:2:5:7:5";
    assert_eq!(
        warnings(doubled),
        ["a double by the player who does not own the cube"]
    );
}

#[test]
fn the_doubler_of_an_ogid_is_on_roll_and_the_other_sees_the_board() {
    let state = state("11ccceehhjjllmm:666668888dddddf:N0O::W:D:2:5:7:5");
    assert_eq!(state.turn, Some(Player::One));
    assert_eq!(state.to_act(), Some(Player::Two));
    assert_eq!(state.viewer(), Player::Two);
}

/// A FIBS board at the start, 62 to play.
fn fibs(length: u32, score: &str, cube: &str, did_crawford: u8) -> String {
    format!(
        "board:You:Opp:{length}:{score}:0:-2:0:0:0:0:5:0:3:0:0:0:-5:5:0:0:0:-3:0:-5:0:0:0:0:2:0:\
         1:6:2:0:0:{cube}:0:1:-1:0:25:0:0:0:0:2:0:{did_crawford}:0"
    )
}

#[test]
fn the_crawford_game_of_fibs_follows_from_score_and_cube() {
    let crawford = |length, score, cube, did| state(&fibs(length, score, cube, did)).crawford;
    assert_eq!(crawford(7, "6:3", "1:0:0", 0), Some(true));
    assert_eq!(crawford(7, "6:3", "1:1:1", 0), Some(true));
    assert_eq!(crawford(7, "6:3", "1:1:1", 1), Some(false));
    assert_eq!(crawford(7, "5:3", "1:1:1", 0), Some(false));
    assert_eq!(crawford(7, "6:6", "1:1:1", 0), Some(false));
    assert_eq!(crawford(7, "6:3", "2:1:0", 0), Some(false));
    assert_eq!(crawford(9999, "9998:3", "1:0:0", 0), Some(false));
    assert_eq!(
        state(&fibs(9999, "3:3", "1:1:1", 0)).length,
        Some(Length::Money)
    );
}

#[test]
fn a_fibs_board_has_no_owned_cube_at_1() {
    let mut state = state(&fibs(7, "0:0", "1:1:1", 0));
    state.cube = Some(Cube {
        value: 1,
        owner: Some(Player::Two),
    });
    assert_eq!(encode(Kind::Fibs, &state), Err(NotEncodable::OwnedAtOne));
}

#[test]
fn a_fibs_board_is_written_again_as_it_was() {
    // Three checkers each, of which FIBS knows nothing; dice behind the end of a game, where nobody moves.
    for id in [
        "1cc:o:N0N:31:W:IW::0:330:3308:3",
        "4HPwATDgc/ABMA:CAAaAAAkAAAA",
    ] {
        let board = written(id, Kind::Fibs);
        assert_eq!(written(&board, Kind::Fibs), board);
        assert_eq!(warnings(&board), [""; 0]);
    }
}

#[test]
fn a_fibs_player_may_move_either_way() {
    let id = "board:P1:P2:5:1:2:-1:-1:0:0:2:0:4:3:1:1:0:0:-4:3:0:0:0:-1:0:-4:-2:0:-2:0:1:0:\
              -1:3:2:0:0:1:1:1:0:-1:1:25:0:0:0:1:0:2:0:0:0";
    assert_eq!(written(id, Kind::PositionId), "mHeFAyDMnuABUA");
    assert_eq!(state(id).turn, Some(Player::One));
    assert_eq!(state(id).dice, Roll::new(3, 2));
    assert_eq!(warnings(id), [""; 0]);
}

#[test]
fn all_reasons_are_named_with_their_places() {
    let id = " XGID=-b----Q-C---eE---c-e----B-:0:2:0:07:0:0:2:7:10";
    let found = errors(id);
    let columns: Vec<_> = found.iter().filter_map(|(column, _)| *column).collect();
    assert_eq!(columns, [13, 36, 38, 40], "{found:?}");
}

#[test]
fn what_cannot_be_is_refused() {
    for (id, reason) in [
        ("4HPwATDgc_ABMA", "does not occur"),
        ("4HPwATDgc/ABMB", "ends in A, Q, g or w"),
        ("4HPwATDgc/ABM", "14 characters"),
        ("4P8HAADw/w8AAA", "the player on roll has 16 checkers"),
        ("AAAcAA4AAAAAAA", "both players on one point"),
        ("27YBAHDbtgEAcA", "nobody can ever move"),
        ("MIGhAAAAAAAE", "one is rolled, the other is not"),
        ("IAGgAAAAAAAE", "owner of the cube"),
        ("MAGgAAAAAAAc", "last five bits"),
        ("MAGgAGAAAAAE", "the score is 6-0 in a match to 5"),
        (
            "XGID=-b----F-C---eE---c-e----B-:0:0:1:00:0:0:0:7:10",
            "the bottom player has 16",
        ),
        (
            "XGID=-a----E-C---eE---c-e----Ba:0:0:1:00:0:0:0:7:10",
            "bar of the bottom player",
        ),
        (
            "XGID=-b----E-C---eE---c-e----B-:99:0:1:00:0:0:0:7:10",
            "cube is 99",
        ),
        (
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:7:0:0:7:10",
            "is 7 in a match to 7",
        ),
        ("-b----E-C---eE---c-e----B-", "only the board"),
        (
            "16jjjjjhhhccccc:ooddddd88866666:N0N::W:IW:0:0:1:0",
            "both players on one point",
        ),
        (
            "11jjjjjhhhccccc:0oddddd88866666:N0N::W:IW:0:0:1:0",
            "bar of White",
        ),
        ("", "empty"),
        ("a transcript", "no known kind"),
    ] {
        let found = errors(id);
        assert!(
            found.iter().any(|(_, message)| message.contains(reason)),
            "{id}: {found:?}"
        );
    }
}

#[test]
fn what_contradicts_itself_is_read_and_named() {
    for (id, reason) in [
        (
            "4AMAAAAAAAAAAA",
            "the player on roll has no checkers: the game is over",
        ),
        (
            "MAEgCAAAAAAE",
            "a match to 65: GNU Backgammon takes no more than 64",
        ),
        (
            "sAGgAAAAAAAE",
            "the Crawford game, but no player is one point short",
        ),
        ("gQGgAEAAAAAE", "the Crawford game with a turned cube"),
        ("MQGgAAAAAAAE", "a cube of 2 in the middle of a match"),
        (
            "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:7",
            "the tenth field, the highest cube, is missing",
        ),
        (
            "XGID=--------------------------:0:0:1:00:0:0:0:7:10",
            "the top player has no checkers: the game is over",
        ),
    ] {
        let found = warnings(id);
        assert!(
            found.iter().any(|message| message == reason),
            "{id}: {found:?}"
        );
    }
}

#[test]
fn numbers_that_do_not_fit_are_refused() {
    let id = "XGID=-b----E-C---eE---c-e----B-:0:0:1:31:32768:0:0:40000:10";
    assert_eq!(
        convert(id, Kind::MatchId),
        Err(NotEncodable::TooLarge {
            what: "match length",
            value: 40000,
            most: 32767
        })
    );
    assert_eq!(written(id, Kind::Xgid), id);
    assert_eq!(
        convert("cAkAAAAAAAAE", Kind::Xgid),
        Err(NotEncodable::NoBoard)
    );
    assert_eq!(
        convert("4HPwATDgc/ABMA:MBmgAAAAAAAE", Kind::Snowie),
        Err(NotEncodable::Pending("double"))
    );
}

#[test]
fn both_identifiers_are_found_among_their_labels() {
    let id = "Position ID: jGfwATDg8+ABUA Match ID: cAkAAAAAAAAE";
    assert_eq!(written(id, Kind::GnubgId), "jGfwATDg8+ABUA:cAkAAAAAAAAE");
    assert_eq!(
        written("cAkAAAAAAAAE:jGfwATDg8+ABUA", Kind::PositionId),
        "jGfwATDg8+ABUA"
    );
    assert_eq!(
        decode("Match ID: cAkAAAAAAAAE").map(|decoded| decoded.kind),
        Ok(Kind::MatchId)
    );
}

#[test]
fn the_names_of_the_kinds_are_known() {
    for kind in Kind::ALL {
        assert_eq!(Kind::by_name(kind.name()), Some(kind));
    }
    assert_eq!(Kind::by_name("Position-ID"), Some(Kind::PositionId));
    assert_eq!(Kind::by_name("mat"), None);
}

/// Marsaglia's xorshift with 64 bits.
struct Random(u64);

impl Random {
    fn seeded(seed: u64) -> Random {
        Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15))
    }

    fn below(&mut self, most: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % most
    }

    fn chance(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }

    fn player(&mut self) -> Player {
        if self.chance(2) {
            Player::One
        } else {
            Player::Two
        }
    }

    fn position(&mut self) -> Position {
        loop {
            let mut checkers = ByPlayer::new([0u8; 26], [0u8; 26]);
            for player in Player::BOTH {
                let number = if self.chance(3) {
                    1 + self.below(15)
                } else {
                    15
                };
                for _ in 0..number {
                    checkers[player][1 + self.below(25) as usize] += 1;
                }
                // What stands where the first player already is.
                for point in 1..=24 {
                    if checkers.one[point] > 0 {
                        checkers.two[25 - point] = 0;
                    }
                }
            }
            let setup = Setup {
                checkers,
                variant: Variant::Backgammon,
                turn: None,
                roll: None,
                cube: None,
            };
            if let Ok(position) = Position::new(&setup)
                && position.winner().is_none()
            {
                return position;
            }
        }
    }

    fn state(&mut self) -> IdState {
        let position = self.position();
        let length = [0, 1, 3, 7, 25][self.below(5) as usize];
        let points = if length == 0 { 40 } else { u64::from(length) };
        let score = ByPlayer::new(self.below(points) as u32, self.below(points) as u32);
        let is_crawford =
            crate::board::is_match_point(score, length) && score.one != score.two && self.chance(2);
        let exponent = if is_crawford { 0 } else { self.below(7) };
        let turn = self.player();
        let owner = (exponent > 0).then(|| self.player());
        let may_double = !is_crawford && owner.is_none_or(|owner| owner == turn);
        let pending = (may_double && self.chance(6)).then_some(Pending::Double);
        let is_rolled = pending.is_none() && self.chance(2);
        let roll = Roll::new(1 + self.below(6) as u8, 1 + self.below(6) as u8);
        let is_money = length == 0;
        let mut board = ByPlayer::new(*position.side(Player::One), *position.side(Player::Two));
        board.one[0] = 0;
        board.two[0] = 0;
        IdState {
            board: Some(board),
            turn: Some(turn),
            dice: roll.filter(|_| is_rolled),
            cube: Some(Cube {
                value: 1 << exponent,
                owner,
            }),
            pending,
            length: Some(if is_money {
                Length::Money
            } else {
                Length::Points(length)
            }),
            score: Some(score),
            crawford: Some(is_crawford),
            jacoby: is_money.then(|| self.chance(2)),
            ..IdState::default()
        }
    }

    fn text(&mut self) -> String {
        const PARTS: [&str; 24] = [
            "XGID=",
            "board:",
            ":",
            ";",
            "-",
            "0",
            "1",
            "-1",
            "9999999999999",
            "A",
            "p",
            "Q",
            "N0N",
            "IW",
            "+/",
            "4HPwATDgc/ABMA",
            "cAkAAAAAAAAE",
            " ",
            "\u{e4}",
            "\u{1f3b2}",
            "\n",
            "=",
            "?",
            "W",
        ];
        (0..self.below(70))
            .map(|_| PARTS[self.below(24) as usize])
            .collect()
    }
}

/// What all kinds but the position ID carry.
fn common(state: &IdState) -> impl PartialEq + fmt::Debug {
    let dice = state.dice.map(|roll| (roll.high(), roll.low()));
    (
        state.board,
        state.turn,
        dice,
        state.cube,
        state.pending,
        state.length,
        state.score,
        state.crawford,
    )
}

#[test]
fn random_states_come_back_from_every_kind() {
    for seed in 1..=2000 {
        let mut random = Random::seeded(seed);
        let state = random.state();
        for kind in Kind::ALL {
            let Ok(id) = encode(kind, &state) else {
                // What cannot be said: a double in a Snowie line, the own double in a FIBS line.
                assert!(state.pending.is_some() && matches!(kind, Kind::Snowie | Kind::Fibs));
                continue;
            };
            let decoded =
                decode(&id).unwrap_or_else(|faults| panic!("seed {seed}, {id}: {faults:?}"));
            assert_eq!(decoded.kind, kind, "seed {seed}, {id}");
            assert_eq!(decoded.faults, [], "seed {seed}, {id}");
            assert_eq!(
                encode(kind, &decoded.state).as_ref(),
                Ok(&id),
                "seed {seed}"
            );
            let mut expected = state.clone();
            match kind {
                Kind::PositionId => continue,
                Kind::MatchId => expected.board = None,
                _ => {}
            }
            assert_eq!(
                common(&decoded.state),
                common(&expected),
                "seed {seed}, {id}"
            );
        }
    }
}

#[test]
fn the_fast_writers_agree_with_the_slow_one() {
    for seed in 1..=500 {
        let mut random = Random::seeded(seed);
        let position = random.position();
        let turn = random.player();
        let cube = Cube {
            value: 4,
            owner: Some(turn),
        };
        let score = ByPlayer::new(3, 1);
        let roll = Roll::new(3, 1).filter(|_| random.chance(2));
        let is_doubled = roll.is_none() && random.chance(2);
        let fast = xgid(&position, turn, roll, cube, score, 5, 0, is_doubled);
        let state = IdState {
            board: Some(ByPlayer::new(
                *position.side(Player::One),
                *position.side(Player::Two),
            )),
            turn: Some(turn),
            dice: roll,
            cube: Some(cube),
            pending: is_doubled.then_some(Pending::Double),
            length: Some(Length::Points(5)),
            score: Some(score),
            ..IdState::default()
        };
        assert_eq!(Ok(fast), encode(Kind::Xgid, &state), "seed {seed}");
        let id = position_id(&position, turn);
        assert_eq!(Ok(id), encode(Kind::PositionId, &state), "seed {seed}");
    }
}

#[test]
fn no_text_is_too_strange() {
    let mut random = Random(0x5eed);
    let valid = [
        "XGID=-b----E-D---eD---b-d--b-AA:0:0:1:00:0:0:0:0:10".to_owned(),
        "jGfwATDg8+ABUA:cAkAAAAAAAAE".to_owned(),
        "11ccceehhjjllmm:666668888dddddf:N0O::W:D:2:5:7:5".to_owned(),
        fibs(7, "6:3", "1:0:0", 0),
        "0;1;0;1;1;Bob;Alice;0;0;0;1;0;0;-2;0;0;0;0;5;0;4;0;0;0;-5;4;0;0;0;-2;0;-4;0;0;-2;0;1;1;0;0;"
            .to_owned(),
    ];
    for _ in 0..20_000 {
        let mut text = random.text();
        if random.chance(2) {
            // One character of a good one replaced.
            let good = &valid[random.below(5) as usize];
            let place = random.below(good.len() as u64) as usize;
            text = format!("{}{}{}", &good[..place], text, &good[place + 1..]);
        }
        for kind in Kind::ALL {
            let read = [decode(&text), decode_as(kind, &text)];
            for result in read {
                match result {
                    Ok(decoded) => {
                        for kind in Kind::ALL {
                            let _ = encode(kind, &decoded.state);
                        }
                    }
                    Err(faults) => assert!(!faults.is_empty(), "{text:?}"),
                }
            }
        }
    }
}
