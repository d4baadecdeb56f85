//! Rewrites a source so that all its mutants are in it, each chosen when the program runs.
//!
//! `a + b` becomes `(if is(1) { (a) - (b) } else if is(2) { (a) * (b) } else { (a) + (b) })`, a function starts with
//! `if is(3) { return 0; }`, an arm of a match that may be missing gets a guard. What the compiler says of the text
//! between `/*1<*/` and `/*>1*/` is about mutant 1 alone.

use std::collections::HashMap;
use std::fmt::Write;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::list::Mutant;

/// A place of the source that has mutants.
struct Node {
    range: Range<usize>,
    shape: Shape,
    /// Number and replacement.
    mutants: Vec<(usize, String)>,
}

#[derive(Clone)]
enum Shape {
    /// The braces of a function and what is between them.
    Body,
    /// The same of a function that returns some iterator: all ways out of it have one type.
    Iterator,
    Binary {
        left: Range<usize>,
        op: String,
        right: Range<usize>,
    },
    Assign {
        left: Range<usize>,
        op: String,
        right: Range<usize>,
    },
    Unary {
        op: String,
        operand: Range<usize>,
    },
    Arm {
        pattern: Range<usize>,
        guard: Option<Range<usize>>,
        arrow: Range<usize>,
    },
    Field {
        name: String,
        value: Range<usize>,
        base: Range<usize>,
    },
    /// The word `const` before a function: what is chosen at run time is not constant.
    Const,
}

/// A source with its mutants woven in, and the numbers of those that cannot be.
pub(crate) struct Woven {
    pub(crate) text: String,
    pub(crate) left_out: Vec<usize>,
}

/// Weaves the mutants of one file.
pub(crate) fn weave(text: &str, mutants: &[(usize, &Mutant)]) -> Woven {
    let file = syn::parse_file(text).expect("a source that compiles");
    let mut places = Places {
        functions: Vec::new(),
        others: HashMap::new(),
    };
    places.visit_file(&file);
    let mut nodes: Vec<Node> = Vec::new();
    let mut left_out = Vec::new();
    for &(number, mutant) in mutants {
        let (start, end) = (mutant.span.start.offset(text), mutant.span.end.offset(text));
        let Some((range, shape)) = places.take(&mutant.genre, start..end, mutant, &mut nodes)
        else {
            left_out.push(number);
            continue;
        };
        let made = (number, mutant.replacement.clone());
        match nodes.iter_mut().find(|node| node.range == range) {
            Some(node) => node.mutants.push(made),
            None => nodes.push(Node {
                range,
                shape,
                mutants: vec![made],
            }),
        }
    }
    nodes.sort_by_key(|node| (node.range.start, std::cmp::Reverse(node.range.end)));
    let text = Weaver {
        text,
        nodes: &nodes,
    }
    .text(0..text.len());
    Woven { text, left_out }
}

struct Function {
    /// The word `const` before it.
    constant: Option<Range<usize>>,
    block: Range<usize>,
}

/// Every place that may have mutants.
struct Places {
    functions: Vec<Function>,
    /// By kind and first byte of what is replaced.
    others: HashMap<(&'static str, usize), (Range<usize>, Shape)>,
}

impl Places {
    fn take(
        &mut self,
        genre: &str,
        replaced: Range<usize>,
        mutant: &Mutant,
        nodes: &mut Vec<Node>,
    ) -> Option<(Range<usize>, Shape)> {
        let around = self
            .functions
            .iter()
            .filter(|function| {
                function.block.start <= replaced.start && replaced.end <= function.block.end
            })
            .min_by_key(|function| function.block.len());
        if let Some(Function {
            constant: Some(word),
            ..
        }) = around
        {
            // What is no constant expression would not compile in its place.
            if mutant.replacement.contains("Default::default") {
                return None;
            }
            if !nodes.iter().any(|node| node.range == *word) {
                nodes.push(Node {
                    range: word.clone(),
                    shape: Shape::Const,
                    mutants: Vec::new(),
                });
            }
        }
        if genre == "FnValue" {
            let function = mutant.function.as_ref()?;
            let shape = if function.return_type.starts_with("-> impl ") {
                Shape::Iterator
            } else {
                Shape::Body
            };
            return Some((around?.block.clone(), shape));
        }
        let kind = match genre {
            "BinaryOperator" => "binary",
            "UnaryOperator" => "unary",
            "MatchArm" => "arm",
            "MatchArmGuard" => "guard",
            "StructField" => "field",
            _ => return None,
        };
        let (range, shape) = self.others.get(&(kind, replaced.start))?;
        Some((range.clone(), shape.clone()))
    }

    fn function(&mut self, signature: &syn::Signature, block: &syn::Block) {
        self.functions.push(Function {
            constant: signature.constness.map(|word| word.span.byte_range()),
            block: block.span().byte_range(),
        });
    }
}

impl<'ast> Visit<'ast> for Places {
    fn visit_item_fn(&mut self, item: &'ast syn::ItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_item_fn(self, item);
    }

    fn visit_impl_item_fn(&mut self, item: &'ast syn::ImplItemFn) {
        self.function(&item.sig, &item.block);
        visit::visit_impl_item_fn(self, item);
    }

    fn visit_trait_item_fn(&mut self, item: &'ast syn::TraitItemFn) {
        if let Some(block) = &item.default {
            self.function(&item.sig, block);
        }
        visit::visit_trait_item_fn(self, item);
    }

    fn visit_expr_binary(&mut self, expr: &'ast syn::ExprBinary) {
        let (left, right) = (
            expr.left.span().byte_range(),
            expr.right.span().byte_range(),
        );
        let op = quoted(&expr.op);
        let shape = if op.ends_with('=') && !["==", "!=", "<=", ">="].contains(&op.as_str()) {
            Shape::Assign { left, op, right }
        } else {
            Shape::Binary { left, op, right }
        };
        // `let` may stand in a chain of `&&` alone.
        if !has_let(&expr.left) && !has_let(&expr.right) {
            let place = ("binary", expr.op.span().byte_range().start);
            self.others.insert(place, (expr.span().byte_range(), shape));
        }
        visit::visit_expr_binary(self, expr);
    }

    fn visit_expr_unary(&mut self, expr: &'ast syn::ExprUnary) {
        let shape = Shape::Unary {
            op: quoted(&expr.op),
            operand: expr.expr.span().byte_range(),
        };
        let place = ("unary", expr.op.span().byte_range().start);
        self.others.insert(place, (expr.span().byte_range(), shape));
        visit::visit_expr_unary(self, expr);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let pattern = arm.pat.span().byte_range();
        let guard = arm
            .guard
            .as_ref()
            .map(|(_, guard)| guard.span().byte_range());
        let arrow = arm.fat_arrow_token.span().byte_range();
        let range = pattern.start..arrow.end;
        let shape = Shape::Arm {
            pattern: pattern.clone(),
            guard: guard.clone(),
            arrow,
        };
        let start = arm.span().byte_range().start;
        self.others
            .insert(("arm", start), (range.clone(), shape.clone()));
        if let Some(guard) = guard {
            self.others.insert(("guard", guard.start), (range, shape));
        }
        visit::visit_arm(self, arm);
    }

    fn visit_expr_struct(&mut self, expr: &'ast syn::ExprStruct) {
        if let Some(base) = &expr.rest {
            for field in &expr.fields {
                let range = field.span().byte_range();
                let shape = Shape::Field {
                    name: quoted(&field.member),
                    value: field.expr.span().byte_range(),
                    base: base.span().byte_range(),
                };
                self.others.insert(("field", range.start), (range, shape));
            }
        }
        visit::visit_expr_struct(self, expr);
    }
}

fn has_let(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(both) => has_let(&both.left) || has_let(&both.right),
        _ => false,
    }
}

fn quoted(tokens: &impl quote::ToTokens) -> String {
    tokens.to_token_stream().to_string().replace(' ', "")
}

struct Weaver<'a> {
    text: &'a str,
    nodes: &'a [Node],
}

impl Weaver<'_> {
    /// The text of a range with the mutants that are inside it.
    fn text(&self, range: Range<usize>) -> String {
        self.inside(range, None)
    }

    fn inside(&self, range: Range<usize>, outer: Option<&Range<usize>>) -> String {
        let mut woven = String::new();
        let mut done = range.start;
        for node in self.nodes {
            let is_inside = node.range.start >= done && node.range.end <= range.end;
            if is_inside && Some(&node.range) != outer {
                woven.push_str(&self.text[done..node.range.start]);
                woven.push_str(&self.node(node));
                done = node.range.end;
            }
        }
        woven.push_str(&self.text[done..range.end]);
        woven
    }

    fn node(&self, node: &Node) -> String {
        let part = |range: &Range<usize>| self.inside(range.clone(), Some(&node.range));
        let choice = |made: &dyn Fn(&str) -> String, otherwise: &str| {
            let mut text = String::new();
            for (number, replacement) in &node.mutants {
                let _ = write!(
                    text,
                    "if /*{number}<*/crate::mutant::is({number}) {{ {} }}/*>{number}*/ else ",
                    made(replacement)
                );
            }
            format!("{text}{{ {otherwise} }}")
        };
        match &node.shape {
            Shape::Const => String::new(),
            Shape::Body => {
                let mut text = String::from("{ ");
                for (number, replacement) in &node.mutants {
                    let _ = write!(
                        text,
                        "if /*{number}<*/crate::mutant::is({number}) {{ return {replacement}; }}/*>{number}*/ "
                    );
                }
                text + &part(&(node.range.start + 1..node.range.end))
            }
            Shape::Iterator => {
                let mut chosen = String::from("false");
                let mut chained = String::new();
                for (number, replacement) in &node.mutants {
                    let _ = write!(chosen, " || crate::mutant::is({number})");
                    let _ = write!(
                        chained,
                        ".chain(/*{number}<*/({replacement}).take(usize::from(crate::mutant::is({number})))/*>{number}*/)"
                    );
                }
                let block = part(&(node.range.start + 1..node.range.end - 1));
                format!(
                    "{{ let __all = {{ {block} }}; __all.take(if {chosen} {{ 0 }} else {{ usize::MAX }}){chained} }}"
                )
            }
            Shape::Binary { left, op, right } if op == "&&" || op == "||" => {
                // Both have one mutant: `&&` asks the right side if the left one is true, `||` if it is false.
                let (left, right) = (part(left), part(right));
                let number = node.mutants[0].0;
                let sign = if op == "&&" { "!=" } else { "==" };
                format!(
                    "(match ({left}) {{ __left => if __left {sign} /*{number}<*/crate::mutant::is({number})/*>{number}*/ \
                     {{ {right} }} else {{ __left }} }})"
                )
            }
            Shape::Binary { left, op, right } => {
                let (left, right) = (part(left), part(right));
                let made = |op: &str| format!("({left}) {op} ({right})");
                format!("({})", choice(&made, &made(op)))
            }
            Shape::Assign { left, op, right } => {
                let (left, right) = (part(left), part(right));
                let made = |op: &str| format!("{left} {op} {right};");
                format!("{{ {} }}", choice(&made, &made(op)))
            }
            Shape::Unary { op, operand } => {
                let operand = part(operand);
                let made = |op: &str| format!("{op}({operand})");
                format!("({})", choice(&made, &made(op)))
            }
            Shape::Arm {
                pattern,
                guard,
                arrow,
            } => {
                let mut asked = guard.as_ref().map(part);
                for (number, replacement) in &node.mutants {
                    let is = format!("/*{number}<*/crate::mutant::is({number})/*>{number}*/");
                    asked = Some(match (asked, replacement.as_str()) {
                        (Some(guard), "true") => format!("{is} || ({guard})"),
                        (Some(guard), _) => format!("!{is} && ({guard})"),
                        (None, _) => format!("!{is}"),
                    });
                }
                format!(
                    "{} if {} {}",
                    part(pattern),
                    asked.unwrap_or_default(),
                    &self.text[arrow.clone()]
                )
            }
            Shape::Field { name, value, base } => {
                let made = |_: &str| format!("({}).{name}", part(base));
                format!("{name}: {}", choice(&made, &part(value)))
            }
        }
    }
}
