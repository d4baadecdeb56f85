use super::super::test_support::{actions, codes, read_text};
use super::*;
use crate::board::{ByPlayer, Length};

const GAME: &str =
    "The score (after 2 games) is: Ann, the first 3, Bob 4 (match to 5 points), Crawford game

Match Information:
Bob's rating: 1801
Date: 11/29/26
Event: Club night
Comments: one line
another line

Move number 1:  Bob to play 42

 GNU Backgammon  Position ID: 4HPwATDgc/ABMA
                 Match ID   : cAiqAAAAAAAE
 | O           X    |   | X     X        O |     0 points

* Bob moves 8/4 6/4

Rolled 42:
*    1. Cubeful 2-ply    8/4 6/4                    Eq.: +0.166 (-0.010)

Annotation:
a good one
* Ann moves nothing here

Move number 2:  Ann, the first to play 31

 GNU Backgammon  Position ID: mGfwATDgc/ABMA
                 Match ID   : MIGlAAAAAAAE

* Ann, the first moves 8/5 6/5

Bob wins a gammon and 2 points

Game statistics for game 3

Bob wins everything
";

#[test]
fn a_game_is_read_with_all_that_belongs_to_it() {
    let (matches, found) = read_text(&FORMAT, GAME);
    // The identifiers are those of another score.
    assert_eq!(codes(&found), ["bad-header"]);
    let record = &matches[0];
    let names = ByPlayer::new("Ann, the first".to_owned(), "Bob".to_owned());
    assert_eq!((matches.len(), &record.names), (1, &names));
    assert_eq!(record.length.map(|l| l.value), Some(Length::Points(5)));
    assert_eq!(record.ratings.two.as_deref(), Some("1801"));
    assert_eq!(record.comments.len(), 2);
    let game = &record.games[0];
    assert_eq!(game.number.map(|n| n.value), Some(3));
    assert_eq!(game.crawford.map(|c| c.value), Some(true));
    assert_eq!(actions(game), ["2 42: 8/4 6/4", "1 31: 8/5 6/5"]);
    let extra = game.entries[0].extra.as_deref().expect("more");
    assert_eq!(
        extra.comment.as_deref(),
        Some("a good one\n* Ann moves nothing here")
    );
    assert_eq!(extra.analysis.len(), 2);
    assert!(extra.position_after.is_some());
    let result = game.result.expect("a result").value;
    assert_eq!(
        (result.winner, result.points),
        (Some(crate::board::Player::Two), Some(2))
    );
}

const HEAD: &str = "The score (after 0 games) is: Ann 0, Bob 0 (money session with Jacoby rule)\n";

#[test]
fn who_doubles_behind_a_double_beavers() {
    let text = format!(
        "{HEAD}Move number 3:  Ann on roll, cube decision?\n* Ann doubles\n\
         Move number 4:  Ann doubles to 2\n* Bob doubles\n\
         Move number 5:  Bob doubles to 4\n* Ann accepts\n"
    );
    let (matches, found) = read_text(&FORMAT, &text);
    assert!(found.is_empty());
    assert_eq!(
        actions(&matches[0].games[0]),
        ["1 double", "2 beaver { to: some(4) }", "1 take"]
    );
    assert_eq!(matches[0].switch("Jacoby").map(|(on, _)| on), Some(true));
}

#[test]
fn the_roll_may_stand_behind_the_play() {
    let text = format!(
        "{HEAD}Move number 1:  Ann on roll, cube decision?\n* Ann moves 24/14\nRolled 64:\n"
    );
    let (matches, _) = read_text(&FORMAT, &text);
    assert_eq!(actions(&matches[0].games[0]), ["1 64: 24/14"]);
    let (matches, found) = read_text(&FORMAT, &text.replace("Rolled 64:", ""));
    assert_eq!(codes(&found), ["unreadable-line"]);
    assert_eq!(matches[0].games[0].comments[0].value, "Ann 24/14");
}

#[test]
fn what_cannot_be_read_is_reported() {
    for (line, plies) in [
        ("* Ann moves 8//5", 1),
        ("* Cy moves 8/5", 0),
        ("* Ann juggles", 1),
    ] {
        let text = format!("{HEAD}Move number 1:  Ann to play 31\n{line}\n");
        let (matches, found) = read_text(&FORMAT, &text);
        assert_eq!(codes(&found), ["unreadable-line"], "{line}");
        assert_eq!(matches[0].games[0].entries.len(), plies, "{line}");
    }
}

#[test]
fn the_terms_of_a_game_have_several_forms() {
    for (terms, length, crawford) in [
        ("", Some(Length::Money), None),
        (
            " (money session, with Jacoby rule).",
            Some(Length::Money),
            None,
        ),
        (" (match to 1 point)", Some(Length::Points(1)), None),
        (
            " (match to 5 points), post-Crawford play",
            Some(Length::Points(5)),
            Some(false),
        ),
        (
            " (match to 5 points, Crawford game)",
            Some(Length::Points(5)),
            Some(true),
        ),
        (" (match to 0 points)", Some(Length::Money), None),
    ] {
        let text = format!("The score (after 1 game) is: A (x) 0, B, C 4{terms}\n");
        let (matches, found) = read_text(&FORMAT, &text);
        let record = &matches[0];
        assert!(found.is_empty(), "{found:?}");
        assert_eq!(
            record.names,
            ByPlayer::new("A (x)".to_owned(), "B, C".to_owned())
        );
        assert_eq!(record.length.map(|length| length.value), length, "{terms}");
        assert_eq!(
            record.games[0].crawford.map(|c| c.value),
            crawford,
            "{terms}"
        );
    }
}

#[test]
fn html_says_the_same() {
    let html = "<!DOCTYPE html>\n<html>\n<head><meta name=\"generator\" content=\"GNU Backgammon 1\"/>\n\
        <title>The score (after 0 games) is: Ann 0, Bob <x> 0 (match to 3 points)</title></head>\n<body>\n\
        <h2>The score (after 0 games) is: Ann 0, Bob <x> 0 (match to 3 points)</h2>\n\
        <tr><td>Event</td><td>A &amp; B</td></tr>\n\
        <tr><td>Comment</td><td>one<br/>\ntwo<br/>\n</td></tr>\n</table>\n\
        <p><b><a name=\"g\">Move number 1:</a></b> Bob <x> to play 31</p>\n\
        <span>Position ID: <tt>4HPwATDgc/ABMA</tt> Match ID: <tt>cIllAAAAAAAE</tt><br/>\n\
        <p>&bull; Bob <x> moves 8/5 6/5</p>\n<div class=\"h\">Annotation</div>\n\
        <div class=\"comment\">so<br/>\nand so</div>\n<p class=\"result\">Bob <x> wins 1 point</p>\n";
    let source = Source::new("x", html.into(), None).expect("a source");
    assert_eq!(sniff(&source), Likely::Yes);
    let (matches, _) = read_text(&FORMAT, html);
    let record = &matches[0];
    assert_eq!(record.games.len(), 1);
    assert_eq!(
        record.tag("Event").map(|tag| tag.value.as_str()),
        Some("A & B")
    );
    assert_eq!(record.comments.len(), 2);
    let game = &record.games[0];
    assert_eq!(actions(game), ["2 31: 8/5 6/5"]);
    let comment = game.entries[0]
        .extra
        .as_deref()
        .and_then(|extra| extra.comment.as_deref());
    assert_eq!(comment, Some("so\nand so"));
    assert!(game.result.is_some());
}
