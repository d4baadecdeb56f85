//! `tawla explain`, `formats` and `schema`: what the program knows about itself.

use std::io::Write;

use anyhow::bail;

use super::args::{ExplainArgs, SchemaArgs, SchemaName};
use super::{no_such_code, width};
use tawla::render::{chouette, json, rules as render, table};
use tawla::ruleset::RuleOption;
use tawla::{formats as known, rules};

/// Explains a rule, or lists all of them.
pub(super) fn explain(args: &ExplainArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    match &args.code {
        None => {
            render::list(rules::all(), out)?;
            render::list_options(out)?;
        }
        Some(code) if code == render::REPAIRS => {
            let width = usize::from(width()).min(80);
            render::explain_repairs(width, out)?;
        }
        Some(code) => {
            let width = usize::from(width()).min(80);
            match (rules::by_code(code), RuleOption::by_name(code)) {
                (Some(rule), _) => render::explain(rule, width, out)?,
                (None, Some(option)) => render::explain_option(option, width, out)?,
                (None, None) => bail!("{code}: {}", no_such_code(code)),
            }
        }
    }
    Ok(0)
}

/// Lists the formats.
pub(super) fn formats(out: &mut dyn Write) -> anyhow::Result<u8> {
    table::formats(known::ALL, width(), out)?;
    Ok(0)
}

/// Prints a JSON Schema.
pub(super) fn schema(args: &SchemaArgs, out: &mut dyn Write) -> anyhow::Result<u8> {
    let schema = match args.output {
        SchemaName::Check => json::check_schema(),
        SchemaName::Record => known::json::record_schema(),
        SchemaName::Show => json::show_schema(),
        SchemaName::Plays => json::plays_schema(),
        SchemaName::Chouette => chouette::json::chouette_schema(),
        SchemaName::ChouetteLog => tawla::chouette::log_schema(),
    };
    writeln!(out, "{}", tawla::escape::pretty_json(&schema)?)?;
    Ok(0)
}
