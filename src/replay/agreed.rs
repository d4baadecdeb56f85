//! The rules that a match is held against: what flags, tags, a `tawla.toml` and the named set say of each option.

use crate::board::{Length, Player, Plays, Position, Setup, Variant, legal_plays};
use crate::record::{Action, MatchRecord, WrittenPlay};
use crate::ruleset::{Clock, NamedSet, Origin, RuleOptions, RuleSet};
use crate::source::Span;

/// The rules that hold for a match: options before tags before the named set.
pub fn rules_for(record: &MatchRecord, options: &RuleOptions) -> RuleSet {
    let length = record.length.map(|length| length.value);
    let file = options.file.as_deref().and_then(|file| file.options.rules);
    let (named, named_by) = match (options.rules, file) {
        (Some(named), _) => (named, Origin::Option),
        (None, Some(named)) => (named, Origin::File),
        (None, None) => (NamedSet::for_length(length), Origin::Set),
    };
    let mut rules = RuleSet::named(named);
    rules.named_by = named_by;
    let by = Origin::Tag;
    if length == Some(Length::Money) {
        let switch = |name: &str| record.switch(name).map(|(on, _)| Some(on));
        rules.jacoby.offer(switch("Jacoby"), by);
        rules
            .beavers
            .offer(switch("Beaver").or(switch("Beavers")), by);
        rules
            .raccoons
            .offer(switch("Raccoon").or(switch("Raccoons")), by);
    } else {
        rules
            .crawford
            .offer(record.switch("Crawford").map(|(on, _)| on), by);
    }
    match record
        .tag("CubeLimit")
        .and_then(|tag| tag.value.trim().parse::<u32>().ok())
    {
        Some(1) => rules.cube.offer(Some(false), by),
        Some(limit @ 2..) => rules.cube_limit.offer(Some(Some(limit)), by),
        _ => {}
    }
    rules.variant.offer(variant(record), by);
    if rules.variant.origin == Origin::Set {
        rules.variant.offer(variant_shown(record), Origin::Record);
    }
    let clock = record.tag("Clock").and_then(|tag| Clock::parse(&tag.value));
    rules.clock.offer(clock.map(Some), by);
    rules.apply(options);
    rules
}

fn variant(record: &MatchRecord) -> Option<Variant> {
    match &record.variation {
        Some(variation) => Variant::by_name(&variation.value),
        None => Variant::by_name(&record.tag("Variation")?.value),
    }
}

/// The game that the first position of a match shows, if it is not backgammon and no other fits: the start
/// that is stated, or, where the format cannot state one, the position that stands in the place of the first
/// play (DailyGammon writes Nackgammon so).
fn variant_shown(record: &MatchRecord) -> Option<Variant> {
    let game = record.games.first()?;
    let others = || {
        Variant::OF_BACKGAMMON
            .into_iter()
            .filter(|other| *other != Variant::Backgammon)
    };
    if let Some(start) = &game.start {
        let is_start = |variant: &Variant| {
            let side = variant.start();
            Player::BOTH
                .iter()
                .all(|&player| start.value.checkers[player][1..] == side[1..])
        };
        return others().find(is_start);
    }
    let first = game.entries.first()?;
    let Action::Play {
        roll,
        play: WrittenPlay::NotRecorded,
    } = first.action
    else {
        return None;
    };
    let stated = first.extra.as_deref()?.position_after.as_ref()?;
    let roll = roll.roll()?;
    let leads_there = |variant: &Variant| {
        let reached = Position::new(&Setup {
            variant: *variant,
            ..stated.value.clone()
        });
        let mut plays = Plays::new();
        legal_plays(&Position::start(*variant), first.player, roll, &mut plays);
        reached.is_ok_and(|reached| plays.leading_to(&reached).is_some())
    };
    let mut fits = Variant::OF_BACKGAMMON.into_iter().filter(leads_there);
    match (fits.next(), fits.next()) {
        (Some(variant), None) if variant != Variant::Backgammon => Some(variant),
        _ => None,
    }
}

/// The variation as written if it is none that is known.
pub(super) fn unknown_variation(record: &MatchRecord, rules: &RuleSet) -> Option<(String, Span)> {
    if rules.variant.origin > Origin::Tag || variant(record).is_some() {
        return None;
    }
    let tag = record.tag("Variation")?;
    (!tag.value.trim().is_empty()).then(|| (tag.value.clone(), tag.span))
}
