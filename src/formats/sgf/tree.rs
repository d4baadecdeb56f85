//! The game trees of a text: the first branch of each, and what was found while looking for it.

use std::collections::VecDeque;

use super::parse::{Ending, Property, Token, token};
use crate::diagnostic::{Finding, Findings, Level, syntax};
use crate::source::{Source, Span};

/// A game tree, reduced to its first branch.
#[derive(Debug, Default)]
pub(super) struct Tree<'a> {
    pub(super) nodes: Vec<Node<'a>>,
    /// The other branches, and what could not be read, as written.
    pub(super) left_over: Vec<&'a str>,
    /// What was found.
    pub(super) findings: Vec<Finding>,
    /// From the parenthesis on.
    pub(super) span: Span,
}

/// A node: a semicolon and its properties.
#[derive(Debug)]
pub(super) struct Node<'a> {
    pub(super) at: Span,
    pub(super) properties: Vec<Property<'a>>,
}

impl<'a> Node<'a> {
    /// The first property of this name.
    pub(super) fn property(&self, name: &str) -> Option<&Property<'a>> {
        self.properties
            .iter()
            .find(|property| property.name == name)
    }
}

/// A part of a collection.
#[derive(Debug)]
pub(super) enum Part<'a> {
    /// A game tree.
    Tree(Tree<'a>),
    /// Text outside of the trees.
    Outside(&'a str),
    /// What was found outside of them.
    Finding(Finding),
}

/// Cuts a text into its parts, one after the other, so that no more than two trees are held. Depth is a number here and
/// not a stack, so it has no limit.
pub(super) fn collection(source: &Source) -> Collection<'_> {
    let grower = Grower {
        source,
        done: VecDeque::new(),
        trees: 0,
        held: 0,
        tree: None,
        depth: 0,
        branched: false,
        variation: None,
        stray: None,
        opened: false,
        cut: false,
        reported: 0,
        parts: 0,
    };
    Collection {
        grower,
        rest: source.text(),
        is_over: false,
    }
}

/// The parts of a text.
pub(super) struct Collection<'a> {
    grower: Grower<'a>,
    /// The text that was not looked at.
    rest: &'a str,
    is_over: bool,
}

impl<'a> Iterator for Collection<'a> {
    type Item = Part<'a>;

    fn next(&mut self) -> Option<Part<'a>> {
        while !self.is_over && !self.grower.has_final_part() {
            self.grow();
        }
        self.grower.take()
    }
}

impl Collection<'_> {
    /// Looks at the next token.
    fn grow(&mut self) {
        let Ok((after, token)) = token(self.rest) else {
            self.is_over = true;
            return self.grower.end();
        };
        self.grower.token(token);
        self.rest = after;
        if let Some(message) = self.grower.reached() {
            let at = self.grower.source.span(&after[..0]);
            let label = "not read from here on";
            self.grower
                .report(Finding::new(&syntax::LIMIT_REACHED, at, message, label));
            self.grower.cut = true;
            self.rest = "";
        }
    }
}

struct Grower<'a> {
    source: &'a Source,
    /// What was not handed over: the last tree may go on.
    done: VecDeque<Part<'a>>,
    /// How many trees there were, and how many of them were not handed over.
    trees: usize,
    held: usize,
    tree: Option<Tree<'a>>,
    depth: usize,
    /// The first branch has ended; what follows in this tree are others.
    branched: bool,
    /// Where another branch starts, and at which depth.
    variation: Option<(u32, usize)>,
    /// Text that is nothing, being collected.
    stray: Option<Span>,
    /// The token before the last semicolon was a parenthesis.
    opened: bool,
    /// The text ends within a value.
    cut: bool,
    /// How much was found, kept or not.
    reported: usize,
    /// How many nodes and properties this tree has.
    parts: usize,
}

/// How many nodes and properties a game may have: analysed games have some thousands.
const MOST_PARTS: usize = 200_000;

impl<'a> Grower<'a> {
    /// Which limit was reached. Games beyond the limit of their number are told by what takes them.
    fn reached(&self) -> Option<String> {
        if self.parts > MOST_PARTS {
            return Some(format!(
                "a game of more than {MOST_PARTS} nodes and properties"
            ));
        }
        let most = 4 * self.source.limits().games as usize + 4;
        (self.trees > most)
            .then(|| format!("more than {most} games; --limit-games sets another limit"))
    }

    fn token(&mut self, token: Token<'a>) {
        if let Token::Stray(text) = token {
            let here = self.source.span(text);
            self.stray = Some(self.stray.map_or(here, |stray| stray.to(here)));
            return;
        }
        self.end_stray();
        self.parts += 1;
        match token {
            Token::Open(text) => self.open(self.source.span(text)),
            Token::Close(text) => self.close(self.source.span(text)),
            Token::Node(text) => self.node(self.source.span(text)),
            Token::Property(property) => self.property(property),
            Token::Stray(_) => {}
        }
    }

    fn report(&mut self, finding: Finding) {
        self.reported += 1;
        if self.reported > Findings::MOST && !finding.tells_a_limit() {
            return;
        }
        match &mut self.tree {
            Some(tree) => tree.findings.push(finding),
            None => self.done.push_back(Part::Finding(finding)),
        }
    }

    fn odd(&mut self, span: Span, level: Level, message: &str, label: &str) {
        let finding = Finding::new(&syntax::UNREADABLE_LINE, span, message, label);
        self.report(finding.at_level(level));
    }

    fn keep(&mut self, span: Span) {
        let text = self.source.slice(span);
        match &mut self.tree {
            Some(tree) => tree.left_over.push(text),
            None => self.done.push_back(Part::Outside(text)),
        }
    }

    fn end_stray(&mut self) {
        let Some(span) = self.stray.take().filter(|_| self.variation.is_none()) else {
            return;
        };
        let (message, label) = match self.depth {
            0 => ("text outside of the games", "kept as a comment"),
            _ => (
                "text that is no property",
                "a property is capital letters and [values]",
            ),
        };
        let level = if self.depth == 0 {
            Level::Warning
        } else {
            Level::Error
        };
        self.odd(span, level, message, label);
        self.keep(span);
    }

    fn open(&mut self, at: Span) {
        if self.depth == 0 {
            self.start_tree(at);
        } else if self.branched && self.variation.is_none() {
            self.variation = Some((at.start, self.depth));
        }
        self.depth += 1;
        self.opened = true;
    }

    fn start_tree(&mut self, at: Span) {
        self.end_tree();
        self.branched = false;
        self.parts = 0;
        self.tree = Some(Tree {
            span: at,
            ..Tree::default()
        });
    }

    fn end_tree(&mut self) {
        if let Some(tree) = self.tree.take() {
            self.done.push_back(Part::Tree(tree));
            self.trees += 1;
            self.held += 1;
        }
    }

    /// Goes on with the last tree.
    fn reopen(&mut self) {
        let is_tree = |part: &Part<'_>| matches!(part, Part::Tree(_));
        if let Some(last) = self.done.iter().rposition(is_tree)
            && let Some(Part::Tree(tree)) = self.done.remove(last)
        {
            self.tree = Some(tree);
            self.trees -= 1;
            self.held -= 1;
        }
    }

    /// Whether nothing that follows changes the first part.
    fn has_final_part(&self) -> bool {
        match self.done.front() {
            Some(Part::Tree(_)) => self.held > 1,
            part => part.is_some(),
        }
    }

    fn take(&mut self) -> Option<Part<'a>> {
        let part = self.done.pop_front();
        self.held -= usize::from(matches!(part, Some(Part::Tree(_))));
        part
    }

    fn close(&mut self, at: Span) {
        self.opened = false;
        if self.depth == 0 {
            return self.odd(
                at,
                Level::Error,
                "a parenthesis that closes nothing",
                "no game is open",
            );
        }
        self.depth -= 1;
        match self.variation {
            Some((start, depth)) if depth == self.depth => {
                self.variation = None;
                let span = Span::new(start, at.end);
                self.odd(
                    span,
                    Level::Warning,
                    "a variation is no part of the game",
                    "the first branch counts; kept as a comment",
                );
                self.keep(span);
            }
            Some(_) => {}
            None => self.branched = true,
        }
        if self.depth == 0 {
            if let Some(tree) = &mut self.tree {
                tree.span = tree.span.to(at);
            }
            self.end_tree();
        }
    }

    fn node(&mut self, at: Span) {
        if self.variation.is_some() {
            return;
        }
        if self.depth == 0 {
            self.node_outside(at);
        } else if self.branched {
            let label = "read as if the game went on";
            self.odd(
                at,
                Level::Error,
                "a node behind the end of its branch",
                label,
            );
        }
        if let Some(tree) = &mut self.tree {
            tree.nodes.push(Node {
                at,
                properties: Vec::new(),
            });
        }
    }

    /// A node where no game is open: a parenthesis is missing before it, or there was one too many.
    fn node_outside(&mut self, at: Span) {
        let rest = &self.source.text()[at.end as usize..];
        let starts_game = matches!(
            token(rest),
            Ok((_, Token::Property(property))) if matches!(&*property.name, "FF" | "GM" | "MI")
        );
        self.depth = 1;
        self.branched = false;
        if !starts_game {
            self.reopen();
        }
        if self.tree.is_none() {
            self.start_tree(at);
        }
        let label = match starts_game {
            true => "a parenthesis is missing here",
            false => "read as if the game before went on",
        };
        self.odd(at, Level::Error, "a node outside of the games", label);
    }

    fn property(&mut self, property: Property<'a>) {
        let span = self.source.span(property.text);
        self.cut |= property.ending == Ending::Cut;
        if self.variation.is_some() {
            if property.ending == Ending::Cut {
                self.truncated(span);
            }
            return;
        }
        if property.name == "GM" && self.starts_within() {
            self.split(span);
        }
        match property.ending {
            Ending::Closed => {}
            Ending::Open => {
                let label = format!("{} needs a closing bracket", property.name);
                self.odd(span, Level::Error, "a bracket is missing", &label);
            }
            Ending::Cut => self.truncated(span),
        }
        match self.tree.as_mut().and_then(|tree| tree.nodes.last_mut()) {
            Some(node) => node.properties.push(property),
            None => {
                let label = "a property belongs to a node, which starts with a semicolon";
                self.odd(span, Level::Error, "a property outside of the games", label);
                self.keep(span);
            }
        }
    }

    /// Whether the last node is the first one of a branch and not of the tree.
    fn starts_within(&self) -> bool {
        let nodes = self.tree.as_ref().map_or(&[][..], |tree| &tree.nodes[..]);
        let is_fresh = nodes.last().is_some_and(|node| {
            node.properties
                .iter()
                .all(|p| matches!(&*p.name, "FF" | "CA" | "AP"))
        });
        self.opened && nodes.len() > 1 && is_fresh
    }

    /// A game starts within another, whose parenthesis is missing.
    fn split(&mut self, at: Span) {
        let root = self.tree.as_mut().and_then(|tree| tree.nodes.pop());
        let label = "a closing parenthesis is missing before it";
        self.odd(at, Level::Error, "a game starts within another", label);
        let start = root.as_ref().map_or(at, |node| node.at);
        self.start_tree(start);
        self.depth = 1;
        if let Some(tree) = &mut self.tree {
            tree.nodes.extend(root);
        }
    }

    fn truncated(&mut self, span: Span) {
        let message = "the file ends within a game";
        self.report(Finding::new(
            &syntax::TRUNCATED,
            span,
            message,
            "the end is missing",
        ));
    }

    fn end(&mut self) {
        self.end_stray();
        let text = self.source.text().trim_end();
        let end = text.len() as u32;
        if let Some((start, _)) = self.variation.take() {
            self.keep(Span::new(start, end));
        }
        if self.depth > 0 && !self.cut {
            let last = text.chars().next_back().map_or(0, char::len_utf8);
            self.truncated(Span::new(end - last as u32, end));
        }
        if let Some(tree) = &mut self.tree {
            tree.span.end = end;
        }
        self.end_tree();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn grown(text: &str) -> (Vec<usize>, Vec<String>) {
        let source = Source::new("x.sgf", text.into(), None).expect("a source");
        let (mut sizes, mut findings) = (Vec::new(), Vec::new());
        for part in collection(&source) {
            match part {
                Part::Tree(tree) => {
                    sizes.push(tree.nodes.len());
                    findings.extend(tree.findings);
                }
                Part::Finding(finding) => findings.push(finding),
                Part::Outside(_) => {}
            }
        }
        let messages = findings.into_iter().map(|finding| finding.message);
        (sizes, messages.collect())
    }

    #[test]
    fn the_first_branch_counts() {
        let (nodes, messages) = grown("(;GM[6](;B[31](;W[21])(;W[66]))(;B[42]))(;GM[6])");
        assert_eq!(nodes, [3, 1]);
        assert_eq!(messages, ["a variation is no part of the game"; 2]);
    }

    #[test]
    fn a_missing_parenthesis_does_not_swallow_the_next_game() {
        let (nodes, messages) = grown("(;FF[4]GM[6];B[31]\n(;FF[4]GM[6];W[21])");
        assert_eq!(nodes, [2, 2]);
        assert_eq!(messages, ["a game starts within another"]);
        let (nodes, messages) = grown("(;GM[6];B[31]);W[21])");
        assert_eq!(nodes, [3]);
        assert_eq!(messages, ["a node outside of the games"]);
        let (nodes, _) = grown("(;GM[6];B[31])\n;GM[6];W[21])");
        assert_eq!(nodes, [2, 2]);
    }

    #[test]
    fn depth_costs_nothing() {
        let text = format!("(;GM[6]{}", "(;B[31]".repeat(60_000));
        assert_eq!(grown(&text).0, [60_001]);
    }

    #[test]
    fn a_game_without_an_end_is_read_up_to_a_limit() {
        let text = format!("(;GM[6]{}", "C[x]".repeat(MOST_PARTS + 10));
        let (nodes, messages) = grown(&text);
        assert_eq!(nodes, [1]);
        assert_eq!(
            messages,
            ["a game of more than 200000 nodes and properties"]
        );
    }

    #[test]
    fn a_file_that_ends_early_is_said_to() {
        for text in [
            "(;GM[6];B[31]",
            "(;GM[6];B[31",
            "(;GM[6](;B[31])(;B[42",
            "(;GM[6",
        ] {
            let (_, messages) = grown(text);
            assert!(
                messages.contains(&"the file ends within a game".to_owned()),
                "{text}"
            );
        }
    }
}
