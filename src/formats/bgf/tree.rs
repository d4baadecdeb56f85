//! A document as a tree of values, built event by event.
//!
//! The two forms of a document, Smile and JSON text, tell the same events to a [`Builder`]. It keeps what is
//! open on a stack of its own instead of recursing, so that depth is a number that can be limited, and whatever
//! was told before the document broke off is still there. `serde_json::Value` is not used because it takes
//! several times the memory a value, and because it is all or nothing.

use std::rc::Rc;

/// How deep lists and objects may lie within each other. Files need some 14: the analysis of a candidate may
/// hold a whole analysis again.
const DEEPEST: usize = 100;

/// How many values a document may have: some twenty-five times as many as the longest match that was met, and
/// small enough that a stream of tiny values does not fill the memory.
const MOST_VALUES: usize = 2_000_000;

/// A value of a document.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Value {
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(Box<str>),
    List(Vec<Value>),
    Object(Vec<(Rc<str>, Value)>),
}

impl Value {
    /// The value of a name in an object; of several the last one.
    pub(super) fn get(&self, name: &str) -> Option<&Value> {
        let Value::Object(members) = self else {
            return None;
        };
        let found = members.iter().rev().find(|(key, _)| **key == *name);
        found.map(|(_, value)| value)
    }

    /// A whole number, whether it is written as a number or as text.
    pub(super) fn int(&self) -> Option<i64> {
        match self {
            Value::Int(number) => Some(*number),
            Value::Float(number) if number.fract() == 0.0 && number.abs() < 9e15 => {
                Some(*number as i64)
            }
            Value::Text(text) => text.trim().parse().ok(),
            _ => None,
        }
    }

    /// A real number: a decimal text in all files.
    pub(super) fn real(&self) -> Option<f64> {
        let number = match self {
            Value::Int(number) => *number as f64,
            Value::Float(number) => *number,
            Value::Text(text) => text.trim().parse().ok()?,
            _ => return None,
        };
        number.is_finite().then_some(number)
    }

    pub(super) fn bool(&self) -> Option<bool> {
        match self {
            Value::Bool(is_so) => Some(*is_so),
            _ => None,
        }
    }

    pub(super) fn text(&self) -> Option<&str> {
        match self {
            Value::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The values of a list; none if it is no list.
    pub(super) fn list(&self) -> &[Value] {
        match self {
            Value::List(values) => values,
            _ => &[],
        }
    }

    pub(super) fn is_null(&self) -> bool {
        *self == Value::Null
    }
}

/// What was read of a document.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Document {
    /// All that was told before the document ended or broke off.
    pub(super) root: Value,
    /// Why it broke off, and at which byte.
    pub(super) fault: Option<(Broken, usize)>,
    /// How many bytes were read.
    pub(super) used: usize,
}

/// Why a document broke off.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Broken {
    /// It ends too early.
    Cut,
    /// Something in it cannot be read.
    Unreadable(String),
}

impl Broken {
    pub(super) fn because(why: impl Into<String>) -> Broken {
        Broken::Unreadable(why.into())
    }
}

/// Something that was opened and not closed.
#[derive(Debug)]
enum Open {
    List(Vec<Value>),
    Object(Vec<(Rc<str>, Value)>, Option<Rc<str>>),
}

/// A tree in the making.
#[derive(Debug, Default)]
pub(super) struct Builder {
    open: Vec<Open>,
    root: Option<Value>,
    count: usize,
}

/// What may come next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Expected {
    /// A value.
    Value,
    /// A value, or the end of the list.
    Item,
    /// A name, or the end of the object.
    Name,
    /// Nothing: the document is complete.
    End,
}

impl Builder {
    pub(super) fn expected(&self) -> Expected {
        match self.open.last() {
            Some(Open::List(_)) => Expected::Item,
            Some(Open::Object(_, None)) => Expected::Name,
            Some(Open::Object(_, Some(_))) => Expected::Value,
            None if self.root.is_some() => Expected::End,
            None => Expected::Value,
        }
    }

    /// Whether nothing was put into what was opened last.
    pub(super) fn is_empty(&self) -> bool {
        match self.open.last() {
            Some(Open::List(values)) => values.is_empty(),
            Some(Open::Object(members, name)) => members.is_empty() && name.is_none(),
            None => self.root.is_none(),
        }
    }

    /// The name of the next member.
    pub(super) fn name(&mut self, name: Rc<str>) {
        if let Some(Open::Object(_, next)) = self.open.last_mut() {
            *next = Some(name);
        }
    }

    pub(super) fn open_list(&mut self) -> Result<(), Broken> {
        self.push(Open::List(Vec::new()))
    }

    pub(super) fn open_object(&mut self) -> Result<(), Broken> {
        self.push(Open::Object(Vec::new(), None))
    }

    fn push(&mut self, open: Open) -> Result<(), Broken> {
        if self.open.len() >= DEEPEST {
            let why = format!("more than {DEEPEST} lists and objects within each other");
            return Err(Broken::because(why));
        }
        self.open.push(open);
        Ok(())
    }

    /// Closes what was opened last.
    pub(super) fn close(&mut self) -> Result<(), Broken> {
        match self.open.pop() {
            Some(Open::List(values)) => self.value(Value::List(values)),
            Some(Open::Object(members, _)) => self.value(Value::Object(members)),
            None => Ok(()),
        }
    }

    pub(super) fn value(&mut self, value: Value) -> Result<(), Broken> {
        self.count += 1;
        if self.count > MOST_VALUES {
            return Err(Broken::because(format!("more than {MOST_VALUES} values")));
        }
        self.put(value);
        Ok(())
    }

    fn put(&mut self, value: Value) {
        match self.open.last_mut() {
            Some(Open::List(values)) => values.push(value),
            Some(Open::Object(members, name)) => {
                if let Some(name) = name.take() {
                    members.push((name, value));
                }
            }
            None => self.root = Some(value),
        }
    }

    /// The document, with whatever is still open closed.
    pub(super) fn finish(mut self, result: Result<(), Broken>, at: usize) -> Document {
        while let Some(open) = self.open.pop() {
            self.put(match open {
                Open::List(values) => Value::List(values),
                Open::Object(members, _) => Value::Object(members),
            });
        }
        Document {
            root: self.root.unwrap_or(Value::Null),
            fault: result.err().map(|broken| (broken, at)),
            used: at,
        }
    }
}
