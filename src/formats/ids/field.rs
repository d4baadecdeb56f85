//! Parts of an identifier that know where they stand, and what is found wrong with them.

use std::ops::RangeInclusive;

use crate::board::{ByPlayer, Cube, Player, Roll, Setup, SetupFault, Variant};
use crate::diagnostic::Level;

use super::IdFault;

/// A part of the input and the column, from 1, where it starts.
#[derive(Debug, Clone, Copy)]
pub(super) struct Field<'a> {
    pub(super) text: &'a str,
    pub(super) column: u32,
}

impl<'a> Field<'a> {
    /// The input without white space around it.
    pub(super) fn whole(text: &'a str) -> Field<'a> {
        Field { text, column: 1 }.trim()
    }

    /// Without white space around it.
    pub(super) fn trim(self) -> Field<'a> {
        let text = self.text.trim_start();
        let skipped = &self.text[..self.text.len() - text.len()];
        Field {
            text: text.trim_end(),
            column: self.column + count(skipped),
        }
    }

    /// What comes after the first `bytes`, which end at a character.
    pub(super) fn after(self, bytes: usize) -> Field<'a> {
        let (skipped, text) = self.text.split_at(bytes);
        Field {
            text,
            column: self.column + count(skipped),
        }
    }

    /// Without a prefix, whatever its case.
    pub(super) fn without_prefix(self, prefix: &str) -> Option<Field<'a>> {
        let start = self.text.get(..prefix.len())?;
        start
            .eq_ignore_ascii_case(prefix)
            .then(|| self.after(prefix.len()))
    }

    /// The parts between separators.
    pub(super) fn split(self, is_separator: impl Fn(char) -> bool) -> Vec<Field<'a>> {
        let mut column = self.column;
        self.text
            .split(is_separator)
            .map(|text| {
                let field = Field { text, column };
                column += count(text) + 1;
                field
            })
            .collect()
    }

    /// The characters with their columns.
    pub(super) fn characters(self) -> impl Iterator<Item = (u32, char)> + use<'a> {
        (self.column..).zip(self.text.chars())
    }

    /// A whole number within bounds.
    pub(super) fn number(
        self,
        what: &str,
        bounds: RangeInclusive<i64>,
        faults: &mut Faults,
    ) -> Option<i64> {
        let digits = self.text.strip_prefix('-').unwrap_or(self.text);
        let is_number = !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit());
        if !is_number {
            faults.error(
                self.column,
                format!("the {what} is {:?}, not a number", self.text),
            );
            return None;
        }
        let number = self.text.parse().ok();
        let within = number.filter(|number| bounds.contains(number));
        if within.is_none() {
            faults.error(
                self.column,
                format!(
                    "the {what} is {}, it must be {} to {}",
                    self.text,
                    bounds.start(),
                    bounds.end()
                ),
            );
        }
        within
    }

    /// A number that is not negative.
    pub(super) fn count(self, what: &str, faults: &mut Faults) -> Option<u32> {
        let number = self.number(what, 0..=i64::from(u32::MAX), faults)?;
        u32::try_from(number).ok()
    }

    /// A value of the cube, up to 32768.
    pub(super) fn cube(self, faults: &mut Faults) -> Option<u32> {
        let value = self.count("cube", faults)?;
        let is_cube = Cube::exponent(value).is_some_and(|exponent| exponent <= 15);
        if !is_cube {
            faults.error(
                self.column,
                format!("the cube is {value}: 1, 2, 4 and so on"),
            );
        }
        is_cube.then_some(value)
    }
}

fn count(text: &str) -> u32 {
    u32::try_from(text.chars().count()).unwrap_or(u32::MAX / 2)
}

/// What was found wrong so far.
#[derive(Debug, Default)]
pub(super) struct Faults {
    list: Vec<IdFault>,
    /// The game that the checkers are held against.
    variant: Variant,
}

impl Faults {
    /// None so far, in a position of this game.
    pub(super) fn of(variant: Variant) -> Faults {
        Faults {
            variant,
            ..Faults::default()
        }
    }

    /// The text means no position.
    pub(super) fn error(&mut self, column: impl Into<Option<u32>>, message: impl Into<String>) {
        self.push(Level::Error, column.into(), message.into(), false);
    }

    /// The text can be read, but something is odd.
    pub(super) fn warning(&mut self, column: impl Into<Option<u32>>, message: impl Into<String>) {
        self.push(Level::Warning, column.into(), message.into(), false);
    }

    /// The text means a position that cannot exist.
    pub(super) fn impossible(&mut self, column: u32, message: impl Into<String>) {
        self.push(Level::Error, Some(column), message.into(), true);
    }

    fn push(&mut self, level: Level, column: Option<u32>, message: String, impossible: bool) {
        self.list.push(IdFault {
            level,
            message,
            column,
            impossible,
        });
    }

    /// In the order of their places.
    pub(super) fn into_list(mut self) -> Vec<IdFault> {
        self.list.sort_by_key(|fault| fault.column);
        self.list
    }

    /// Says what is wrong with where the checkers stand. `names` are what this kind calls the players.
    pub(super) fn check_board(
        &mut self,
        board: &ByPlayer<[u8; 26]>,
        names: ByPlayer<&str>,
        column: u32,
    ) {
        let setup = Setup {
            checkers: *board,
            variant: self.variant,
            turn: None,
            roll: None,
            cube: None,
        };
        for fault in setup.faults() {
            match fault {
                SetupFault::TooMany {
                    player,
                    checkers,
                    most,
                } => self.impossible(
                    column,
                    format!(
                        "{} has {checkers} checkers, at most {most} exist",
                        names[player]
                    ),
                ),
                SetupFault::BothOnPoint(point) => self.impossible(
                    column,
                    format!(
                        "both players on one point: {} of {}, {} of {}",
                        point.one,
                        names[Player::One],
                        point.two,
                        names[Player::Two]
                    ),
                ),
                SetupFault::NoCheckers(player) => self.warning(
                    column,
                    format!("{} has no checkers: the game is over", names[player]),
                ),
                SetupFault::NobodyCanMove | SetupFault::OnBar(_) => {
                    self.impossible(column, fault.to_string());
                }
            }
        }
    }
}

/// Two dice, both rolled or, as `Some(None)`, neither. `None` after naming the fault.
pub(super) fn roll(
    first: Field<'_>,
    second: Field<'_>,
    faults: &mut Faults,
) -> Option<Option<Roll>> {
    let a = first.number("first die", 0..=6, faults);
    let b = second.number("second die", 0..=6, faults);
    match (u8::try_from(a?).ok()?, u8::try_from(b?).ok()?) {
        (0, 0) => Some(None),
        (a, b) => {
            let roll = Roll::new(a, b);
            if roll.is_none() {
                faults.error(
                    first.column,
                    format!("the dice are {a} and {b}: one is rolled, the other is not"),
                );
            }
            roll.map(Some)
        }
    }
}
