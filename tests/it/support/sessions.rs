//! Random sessions of a chouette with what they come to, played by rules of their own: seats are turned, and
//! payments made, while the session is made up, and share no code with `tawla::chouette`.

use serde_json::{Value, json};

use super::rng::Rng;

/// Who may sit down; no two are alike but for a letter.
pub(crate) const NAMES: [&str; 8] = [
    "Ayla", "Burak", "Ceren", "Deniz", "Emre Can", "Figen", "G\u{fc}l", "Hakan",
];

/// A made event. Players are indices into [`NAMES`].
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Made {
    Seats(Vec<usize>),
    Automatic(u32),
    /// `double`, `beaver` or `raccoon`, by whom, to what, and what each says.
    Turn(&'static str, usize, u32, Vec<(String, &'static str)>),
    /// Winner, kind, points.
    Result(&'static str, Option<&'static str>, Option<u32>),
    Settlement(Vec<(usize, i64)>),
    Total(Vec<(usize, i64)>),
    Join(usize),
    Leave(usize),
    /// A line that is none.
    Noise,
}

/// What is special about a made event, for tests that break one.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mark {
    /// The game, from 0.
    pub(crate) game: usize,
    /// Who is out when it happens.
    pub(crate) out: Vec<usize>,
    /// Who is still in, the captain first.
    pub(crate) team: Vec<usize>,
    /// The value of the cube before it.
    pub(crate) cube: u32,
    /// Whether the first captain of the game has passed or will.
    pub(crate) has_other_captain: bool,
}

/// A session and what it comes to.
#[derive(Debug, Clone)]
pub(crate) struct MadeSession {
    /// The rules as the text form writes them.
    pub(crate) rules: Rules,
    /// What happened.
    pub(crate) events: Vec<(Made, Mark)>,
    /// What each of [`NAMES`] has won or lost after each game.
    pub(crate) totals: Vec<[i64; 8]>,
}

/// What was agreed.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Rules {
    jacoby: bool,
    backgammon_counts: u32,
}

const KINDS: [&str; 3] = ["single", "gammon", "backgammon"];

struct Table<'a> {
    rng: &'a mut Rng,
    rules: Rules,
    seats: Vec<usize>,
    out: Vec<usize>,
    cube: u32,
    owner: Option<bool>,
    is_turned: bool,
    paid: [i64; 8],
    winner_is_box: Option<bool>,
    game: usize,
    events: Vec<(Made, Mark)>,
}

/// A random session.
pub(crate) fn random_session(rng: &mut Rng) -> MadeSession {
    let rules = Rules {
        jacoby: rng.once_in(2),
        backgammon_counts: 3 - u32::from(rng.once_in(4)),
    };
    let mut seats: Vec<usize> = (0..NAMES.len()).collect();
    rng.shuffle(&mut seats);
    seats.truncate(3 + rng.below(4));
    let mut total = [0; 8];
    let mut totals = Vec::new();
    let games = 1 + rng.below(6);
    let mut table = Table {
        rng,
        rules,
        seats,
        out: Vec::new(),
        cube: 1,
        owner: None,
        is_turned: false,
        paid: [0; 8],
        winner_is_box: None,
        game: 0,
        events: Vec::new(),
    };
    for game in 0..games {
        table.game = game;
        table.play();
        for (sum, paid) in total.iter_mut().zip(table.paid) {
            *sum += paid;
        }
        totals.push(total);
        if table.rng.once_in(3) {
            let first = table.seats[0];
            let list = listed(&total, |player| total[player] != 0 || player == first);
            table.push(Made::Total(list));
        }
        table.change_seats();
    }
    MadeSession {
        rules,
        events: table.events,
        totals,
    }
}

fn listed(points: &[i64; 8], of: impl Fn(usize) -> bool) -> Vec<(usize, i64)> {
    let players = (0..8).filter(|&player| of(player));
    players.map(|player| (player, points[player])).collect()
}

impl Table<'_> {
    fn push(&mut self, event: Made) {
        let mark = Mark {
            game: self.game,
            out: self.out.clone(),
            team: self.team(),
            cube: self.cube,
            has_other_captain: false,
        };
        self.events.push((event, mark));
    }

    /// Who is still in, the captain first.
    fn team(&self) -> Vec<usize> {
        let team = self.seats[1..].iter().copied();
        team.filter(|player| !self.out.contains(player)).collect()
    }

    fn play(&mut self) {
        (self.cube, self.owner, self.is_turned) = (1, None, false);
        (self.paid, self.winner_is_box) = ([0; 8], None);
        self.out.clear();
        let (first, captain) = (self.events.len(), self.seats[1]);
        self.push(Made::Seats(self.seats.clone()));
        for _ in 0..2 {
            if self.rng.once_in(6) {
                self.push(Made::Automatic(self.cube * 2));
                self.cube *= 2;
            }
        }
        for _ in 0..self.rng.below(4) {
            if self.winner_is_box.is_none() {
                self.double();
            }
        }
        if self.winner_is_box.is_none() {
            self.finish();
        }
        let has_other_captain = self.seats[1] != captain;
        for (_, mark) in &mut self.events[first..] {
            mark.has_other_captain = has_other_captain;
        }
        if self.rng.once_in(2) {
            let paid = self.paid;
            let seats = self.seats.clone();
            let list = listed(&paid, |player| paid[player] != 0 || seats.contains(&player));
            self.push(Made::Settlement(list));
        }
        let loser = usize::from(self.winner_is_box == Some(true));
        let player = self.seats.remove(loser);
        self.seats.push(player);
    }

    fn double(&mut self) {
        let by_box = self.owner.unwrap_or_else(|| self.rng.once_in(2));
        self.turn("double", by_box);
        if self.winner_is_box.is_none() && self.rng.once_in(5) {
            self.turn("beaver", !by_box);
            if self.winner_is_box.is_none() && self.rng.once_in(3) {
                self.turn("raccoon", by_box);
            }
        }
    }

    /// Turns the cube and lets everybody speak.
    fn turn(&mut self, kind: &'static str, by_box: bool) {
        let (team, before) = (self.team(), self.cube);
        let mut said = Vec::new();
        let mut passed = Vec::new();
        let say = |player: usize, word| (NAMES[player].to_owned(), word);
        if by_box {
            for &player in &team {
                let passes = self.rng.once_in(4);
                said.push(say(player, if passes { "passes" } else { "takes" }));
                if passes {
                    passed.push(player);
                }
            }
        } else {
            said.extend(team[1..].iter().map(|&player| say(player, "agrees")));
            let passes = self.rng.once_in(5);
            said.push(say(self.seats[0], if passes { "passes" } else { "takes" }));
            if passes {
                passed.push(self.seats[0]);
            }
        }
        let by = if by_box { self.seats[0] } else { team[0] };
        self.push(Made::Turn(kind, by, before * 2, said));
        self.is_turned = true;
        (self.cube, self.owner) = match kind {
            "double" => (before * 2, Some(!by_box)),
            "beaver" => (before * 2, Some(by_box)),
            _ => (before * 2, Some(!by_box)),
        };
        if !by_box {
            if !passed.is_empty() {
                for player in team {
                    self.pay(self.seats[0], player, before);
                }
                self.winner_is_box = Some(false);
            }
            return;
        }
        for &player in &passed {
            self.pay(player, self.seats[0], before);
        }
        self.out.extend(&passed);
        let left = self.team();
        if left.is_empty() {
            self.winner_is_box = Some(true);
        } else if self.out.contains(&self.seats[1]) {
            let old = self.seats.remove(1);
            self.seats.retain(|&player| player != left[0]);
            self.seats.insert(1, left[0]);
            self.seats.push(old);
        }
    }

    fn pay(&mut self, from: usize, to: usize, points: u32) {
        self.paid[from] -= i64::from(points);
        self.paid[to] += i64::from(points);
    }

    fn finish(&mut self) {
        let kind = [0, 0, 0, 1, 1, 2][self.rng.below(6)];
        let is_single = self.rules.jacoby && !self.is_turned;
        let factor = match kind {
            0 => 1,
            _ if is_single => 1,
            1 => 2,
            _ => self.rules.backgammon_counts,
        };
        let points = self.cube * factor;
        let by_box = self.rng.once_in(2);
        let winner = if by_box { "box" } else { "team" };
        let (kind, stated) = match (self.rng.below(4), kind) {
            (0, 0) => (None, None),
            (1, _) if !is_single || kind == 0 => (None, Some(points)),
            (2, _) => (Some(KINDS[kind]), None),
            _ => (Some(KINDS[kind]), Some(points)),
        };
        self.push(Made::Result(winner, kind, stated));
        for player in self.team() {
            let (from, to) = if by_box {
                (player, self.seats[0])
            } else {
                (self.seats[0], player)
            };
            self.pay(from, to, points);
        }
        self.winner_is_box = Some(by_box);
    }

    /// Somebody comes or goes.
    fn change_seats(&mut self) {
        if self.seats.len() > 3 && self.rng.once_in(5) {
            let player = self.seats.remove(self.rng.below(self.seats.len()));
            self.push(Made::Leave(player));
        }
        let away: Vec<usize> = (0..8)
            .filter(|player| !self.seats.contains(player))
            .collect();
        if !away.is_empty() && self.rng.once_in(4) {
            let player = away[self.rng.below(away.len())];
            self.push(Made::Join(player));
            self.seats.push(player);
        }
    }
}

impl MadeSession {
    /// The text form.
    pub(crate) fn text(&self) -> String {
        let mut text = format!(
            "rules: {}jacoby, beavers, raccoons, automatic doubles 2, backgammon counts {}\n",
            if self.rules.jacoby { "" } else { "no " },
            self.rules.backgammon_counts
        );
        for (event, _) in &self.events {
            text += &line(event);
            text.push('\n');
        }
        text
    }

    /// The JSON form.
    pub(crate) fn json(&self) -> String {
        let events: Vec<Value> = self.events.iter().map(|(event, _)| value(event)).collect();
        let log = json!({
            "chouette": 1,
            "rules": {
                "jacoby": self.rules.jacoby, "beavers": true, "raccoons": true,
                "automatic_doubles": 2, "backgammon_counts": self.rules.backgammon_counts,
            },
            "events": events,
        });
        serde_json::to_string_pretty(&log).expect("JSON")
    }
}

fn line(event: &Made) -> String {
    let names = |players: &[usize]| -> String {
        let names: Vec<&str> = players.iter().map(|&player| NAMES[player]).collect();
        names.join(", ")
    };
    let points = |list: &[(usize, i64)]| -> String {
        let words: Vec<String> = list
            .iter()
            .map(|&(player, points)| format!("{} {points:+}", NAMES[player]))
            .collect();
        words.join(", ")
    };
    match event {
        Made::Seats(seats) => format!("seats: {}", names(seats)),
        Made::Automatic(to) => format!("automatic double: to {to}"),
        Made::Turn(kind, by, to, said) => {
            let said: String = said
                .iter()
                .map(|(name, word)| format!(", {name} {word}"))
                .collect();
            format!("{kind}: {} to {to}{said}", NAMES[*by])
        }
        Made::Result(winner, kind, points) => {
            let kind = kind.map(|kind| format!(" {kind}")).unwrap_or_default();
            let points = points
                .map(|points| format!(", {points} points"))
                .unwrap_or_default();
            format!("result: {winner} wins{kind}{points}")
        }
        Made::Settlement(list) => format!("settlement: {}", points(list)),
        Made::Total(list) => format!("total: {}", points(list)),
        Made::Join(player) => format!("join: {}", NAMES[*player]),
        Made::Leave(player) => format!("leave: {}", NAMES[*player]),
        Made::Noise => "the tea was good".to_owned(),
    }
}

fn value(event: &Made) -> Value {
    let points = |list: &[(usize, i64)]| -> Value {
        list.iter()
            .map(|&(player, points)| json!({"player": NAMES[player], "points": points}))
            .collect()
    };
    match event {
        Made::Seats(seats) => {
            json!({"seats": seats.iter().map(|&player| NAMES[player]).collect::<Vec<_>>()})
        }
        Made::Automatic(to) => json!({"automatic_double": {"to": to}}),
        Made::Turn(kind, by, to, said) => {
            let answers: Vec<Value> = said
                .iter()
                .map(|(name, word)| json!({"player": name, "answer": word}))
                .collect();
            json!({*kind: {"by": NAMES[*by], "to": to, "answers": answers}})
        }
        Made::Result(winner, kind, points) => {
            json!({"result": {"winner": winner, "win": kind, "points": points}})
        }
        Made::Settlement(list) => json!({"settlement": points(list)}),
        Made::Total(list) => json!({"total": points(list)}),
        Made::Join(player) => json!({"join": NAMES[*player]}),
        Made::Leave(player) => json!({"leave": NAMES[*player]}),
        Made::Noise => json!({"tea": "good"}),
    }
}
