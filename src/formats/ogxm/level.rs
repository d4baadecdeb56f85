//! How deep something was looked at.

use super::cursor::Cursor;

/// How deep something was looked at; what is not stated is that of the whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Level {
    preset: Option<String>,
    checker: Option<u32>,
    cube: Option<u32>,
    /// Whether it was rolled out, and with how many trials.
    rollout: Option<Option<u32>>,
}

impl Level {
    pub(super) fn read(cursor: &mut Cursor<'_>) -> Option<Level> {
        let (mut body, fields) = cursor.record()?;
        let mut level = Level::default();
        if fields.has(0) {
            level.preset = Some(body.text()?);
        }
        if fields.has(1) {
            level.checker = Some(body.varint()?);
        }
        if fields.has(2) {
            level.cube = Some(body.varint()?);
        }
        if fields.has(3) {
            let (mut body, fields) = body.record()?;
            let trials = if fields.has(0) {
                Some(body.varint()?)
            } else {
                None
            };
            level.rollout = Some(trials);
        }
        Some(level)
    }

    pub(super) fn within(self, whole: &Level) -> Level {
        let whole = whole.clone();
        Level {
            preset: self.preset.or(whole.preset),
            checker: self.checker.or(whole.checker),
            cube: self.cube.or(whole.cube),
            rollout: self.rollout.or(whole.rollout),
        }
    }

    /// The level in words; empty if nothing is stated.
    pub(super) fn text(&self, of_cube: bool) -> String {
        let plies = if of_cube {
            self.cube.or(self.checker)
        } else {
            self.checker
        };
        let depth = self
            .preset
            .clone()
            .or(plies.map(|plies| format!("{plies}-ply")));
        let rollout = self.rollout.map(|trials| match trials {
            Some(trials) => format!("rollout of {trials} trials"),
            None => "rollout".to_owned(),
        });
        let parts: Vec<String> = depth.into_iter().chain(rollout).collect();
        parts.join(", ")
    }
}
