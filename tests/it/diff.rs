//! `tawla diff`: equal records in any format, and where others differ.

use crate::support::command::tawla;
use crate::support::folder::Folder;
use crate::support::matches::{cells, random_match, rows};
use crate::support::rng::Rng;

#[test]
fn the_same_match_in_two_formats_is_equal() {
    let mut rng = Rng::new(77);
    let folder = Folder::new("diff_formats");
    for number in 0..4 {
        let mat = folder.write(
            &format!("{number}.mat"),
            random_match(&mut rng).text.as_bytes(),
        );
        for format in ["sgf", "json", "ogxm", "xg"] {
            let other = format!("{}/{number}.{format}", folder.path());
            let ran = tawla(&["convert", "-q", &mat, "-t", format, "-o", &other]);
            assert_eq!(ran.status, 0, "{}", ran.err);
            let ran = tawla(&["diff", &mat, &other]);
            assert_eq!(
                (ran.status, ran.out.as_str()),
                (0, ""),
                "{format}: {}",
                ran.err
            );
        }
    }
}

#[test]
fn the_first_difference_is_shown_and_where_the_records_meet_again() {
    let ran = tawla(&[
        "diff",
        "fixtures/slips/wrong-digit.mat",
        "fixtures/slips/as-played.mat",
    ]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(
        ran.out.contains("- line 8: Ayla 35: 9/3 8/3"),
        "{}",
        ran.out
    );
    assert!(
        ran.out.contains("+ line 8: Ayla 35: 8/3 6/3"),
        "{}",
        ran.out
    );
    assert!(ran.out.contains("+13-14-15-16-17-18-+"), "{}", ran.out);
    let again = "one action differs; they say the same again in line 8 and line 8";
    assert!(ran.out.contains(again), "{}", ran.out);
}

#[test]
fn a_turn_that_one_record_lacks_is_one_difference() {
    let mut rng = Rng::new(78);
    // A dance is lacking, so that the positions are the same behind it.
    let (made, dance) = loop {
        let made = random_match(&mut rng);
        let cells = cells(&made.games[0]);
        let dance = cells.iter().position(|(_, cell)| cell.len() == 3);
        if let Some(dance) = dance.filter(|&at| at + 1 < cells.len()) {
            break (made, dance);
        }
    };
    let game = &made.games[0];
    let before = rows(&cells(game), game.winner, game.points);
    let mut lacking = cells(game);
    lacking.remove(dance);
    let after = rows(&lacking, game.winner, game.points);
    let folder = Folder::new("diff_turn");
    let one = folder.write("one.mat", made.text.as_bytes());
    let other = folder.write(
        "other.mat",
        made.text.replacen(&before, &after, 1).as_bytes(),
    );
    let ran = tawla(&["diff", &one, &other]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(
        ran.out
            .contains("one action differs; they meet again in line"),
        "{}",
        ran.out
    );
}

#[test]
fn a_game_that_one_record_lacks_does_not_shift_the_others() {
    let mut rng = Rng::new(79);
    let made = loop {
        let made = random_match(&mut rng);
        if made.games.len() > 2 {
            break made;
        }
    };
    let folder = Folder::new("diff_game");
    let one = folder.write("one.mat", made.text.as_bytes());
    let start = made.text.find("\n Game 2\n").expect("a second game");
    let end = made.text.find("\n Game 3\n").expect("a third one");
    let lacking = format!("{}{}", &made.text[..start], &made.text[end..]);
    let other = folder.write("other.mat", lacking.as_bytes());
    let ran = tawla(&["diff", &one, &other]);
    assert_eq!(ran.status, 1, "{}", ran.err);
    assert!(ran.out.contains("- game 2: only here"), "{}", ran.out);
    assert_eq!(ran.out.matches("actions differ").count(), 0, "{}", ran.out);
}

#[test]
fn the_players_may_stand_in_the_other_order() {
    let mut rng = Rng::new(80);
    let made = random_match(&mut rng);
    let mut turned = made.clone();
    turned.names = made.names.clone().swapped();
    for game in &mut turned.games {
        game.before = game.before.swapped();
        game.winner = !game.winner;
        for (player, _) in &mut game.actions {
            *player = !*player;
        }
    }
    let text = crate::support::matches::text(&turned);
    let folder = Folder::new("diff_order");
    let one = folder.write("one.mat", made.text.as_bytes());
    let other = folder.write("other.mat", text.as_bytes());
    let ran = tawla(&["diff", &one, &other]);
    assert_eq!((ran.status, ran.out.as_str()), (0, ""), "{}", ran.err);
}
