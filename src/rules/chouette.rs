//! The rules of a chouette that a session log can break. Who finds them is the module that judges the logs;
//! they stand here so that one table holds every rule.

use crate::diagnostic::{Level, Rule};

/// Somebody sits where the rotation puts somebody else.
pub static WRONG_SEAT: Rule = Rule {
    code: "wrong-seat",
    subject: "chouette",
    level: Level::Error,
    title: "a seat that the rotation does not give",
    explain: "If the box wins, it stays and the captain goes to the end of the queue; if the team wins, the \
        captain takes the box and the old box goes to the end. The next in the queue becomes captain. A captain \
        who passes a double that others take goes to the end at once. Who joins sits at the end, and where \
        somebody leaves the others move up. Before the first game, and whenever it is rolled for, the highest \
        roll takes the box. The game is judged with the seats as written.",
    example: "seats: Ayla, Burak, Ceren, Deniz\nresult: box wins\nseats: Ayla, Burak, Ceren, Deniz",
};

/// A turn of the cube by the team without the consent of all.
pub static CONSENT_MISSING: Rule = Rule {
    code: "consent-missing",
    subject: "chouette",
    level: Level::Error,
    title: "the team turned the cube without the consent of all",
    explain: "There is one cube for the whole team: the captain turns it, and every member who is still in the \
        game must agree, because all of them play for twice as much. Who has passed is out and is not asked. \
        The double is followed as recorded.",
    example: "seats: Ayla, Burak, Ceren, Deniz\ndouble: Burak to 2, Ceren agrees, Ayla takes",
};

/// A member who says nothing to the box's double, while others answer.
pub static ANSWER_MISSING: Rule = Rule {
    code: "answer-missing",
    subject: "chouette",
    level: Level::Error,
    title: "a member has not answered the double",
    explain: "A double of the box is taken or passed by each member alone, and one of them has no answer while \
        others do. It counts as taken, as the member plays on. If nobody has answered, that is \
        double-unanswered.",
    example: "seats: Ayla, Burak, Ceren, Deniz\ndouble: Ayla to 2, Burak takes, Deniz passes",
};

/// An answer that is not asked for.
pub static ANSWER_WITHOUT_RIGHT: Rule = Rule {
    code: "answer-without-right",
    subject: "chouette",
    level: Level::Error,
    title: "an answer by somebody who is not asked",
    explain: "A double of the box is answered by the members who are still in the game, each once; a double of \
        the team by the box alone, after the members have agreed. Who has passed is out for the rest of the \
        game, and nobody answers the own double. The answer changes nothing.",
    example: "double: Ayla to 2, Burak takes, Ceren passes\ndouble: Burak to 4, Ceren agrees, Ayla takes",
};

/// A result that the cube does not allow.
pub static CONTRADICTORY_RESULT: Rule = Rule {
    code: "contradictory-result",
    subject: "chouette",
    level: Level::Error,
    title: "the stated result is not what the game was worth",
    explain: "Each member who is still in wins or loses once, twice or three times the cube; under the Jacoby \
        rule only once while nobody has doubled. After a pass the game is worth the cube before the double, \
        and the side that doubled has won. The points are those of one member, not of all together. If the \
        result says which kind of win it was, the points follow from that; if not, the stated points count.",
    example: "double: Ayla to 2, Burak takes, Ceren takes\nresult: box wins, 3 points",
};

/// A settlement or a total that differs from the computed one.
pub static WRONG_SETTLEMENT: Rule = Rule {
    code: "wrong-settlement",
    subject: "chouette",
    level: Level::Error,
    title: "a stated settlement is not the computed one",
    explain: "The box pays each remaining member, or collects from each; who passed has paid the box the value \
        before that double. So plus and minus add up to zero. A line with the total is right if it follows \
        from the first game on, or from the lines before it.",
    example: "seats: Ayla, Burak, Ceren\nresult: box wins, 1 point\nsettlement: Ayla +1, Burak -1, Ceren -1",
};

/// Somebody who comes or goes while a game is being played.
pub static CHANGE_DURING_GAME: Rule = Rule {
    code: "change-during-game",
    subject: "chouette",
    level: Level::Warning,
    title: "somebody joins or leaves during a game",
    explain: "Players join and leave between games: the payments of a game are among those who sat down to it. \
        The change is made when the game is over.",
    example: "seats: Ayla, Burak, Ceren\njoin: Deniz\nresult: box wins",
};

/// A name that nobody has who plays.
pub static UNKNOWN_PLAYER: Rule = Rule {
    code: "unknown-player",
    subject: "chouette",
    level: Level::Error,
    title: "a name that nobody at the table has",
    explain: "Names are compared letter by letter. One that differs in a single letter from the name of a \
        player is taken for a slip and read as that name; any other is left out.",
    example: "seats: Ayla, Burak, Ceren\ndouble: Alya to 2, Burak takes, Ceren takes",
};

/// Fewer than three at the table.
pub static TOO_FEW_PLAYERS: Rule = Rule {
    code: "too-few-players",
    subject: "chouette",
    level: Level::Warning,
    title: "fewer than three players are no chouette",
    explain: "A chouette needs a box, a captain and at least one more. Two play on as in money play, and the \
        settlement is computed all the same.",
    example: "seats: Ayla, Burak",
};

/// The rules of this subject.
pub(super) const RULES: &[&Rule] = &[
    &WRONG_SEAT,
    &CONSENT_MISSING,
    &ANSWER_MISSING,
    &ANSWER_WITHOUT_RIGHT,
    &CONTRADICTORY_RESULT,
    &WRONG_SETTLEMENT,
    &CHANGE_DURING_GAME,
    &UNKNOWN_PLAYER,
    &TOO_FEW_PLAYERS,
];
