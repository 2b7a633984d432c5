//! What of a statement is asked where it is compared: read once, and only of statements that are.

use std::cell::OnceCell;

use super::bracketed;
use super::contents::Content;
use super::differ::{content, content_within, negations};
use super::free;
use super::gist::gist;
use super::holders;
use super::korean;
use super::main_clause::{end_of, main_clause};
use super::none;
use super::offices;
use super::opposites;
use super::plain::Words;
use super::rates::{Rate, rate};
use super::rights::{Right, right};
use super::rules::has;
use super::scheduled;
use super::superlatives;
use super::swapped::{Side, side};
use super::trailing;
use crate::domain::near_duplicates::Features;
use crate::domain::synthesis::claims::Statement;

/// A statement, and what was read of it.
pub(super) struct Reading<'f, 't> {
    pub(super) said: &'f Statement<'t>,
    pub(super) of: &'f Features<'t>,
    end: OnceCell<Option<usize>>,
    clause: OnceCell<Option<Features<'t>>>,
    content: OnceCell<Content>,
    whole: OnceCell<Option<Content>>,
    gist: OnceCell<Content>,
    has: OnceCell<u16>,
    rate: OnceCell<Option<Rate>>,
    side: OnceCell<Option<Side>>,
    free: OnceCell<Option<&'t str>>,
    right: OnceCell<Option<Right>>,
    figures_end: OnceCell<Option<usize>>,
    words: OnceCell<Option<Words>>,
}

impl<'f, 't> Reading<'f, 't> {
    pub(super) fn new(said: &'f Statement<'t>, of: &'f Features<'t>) -> Self {
        Self {
            said,
            of,
            end: OnceCell::new(),
            clause: OnceCell::new(),
            content: OnceCell::new(),
            whole: OnceCell::new(),
            gist: OnceCell::new(),
            has: OnceCell::new(),
            rate: OnceCell::new(),
            side: OnceCell::new(),
            free: OnceCell::new(),
            right: OnceCell::new(),
            figures_end: OnceCell::new(),
            words: OnceCell::new(),
        }
    }

    /// Where the main clause ends, where another one stands behind it.
    fn end(&self) -> Option<usize> {
        *self.end.get_or_init(|| end_of(self.of))
    }

    /// The main clause, or the whole where it has no other.
    pub(super) fn clause(&self) -> &Features<'t> {
        let clause = self.clause.get_or_init(|| self.end().map(|end| main_clause(self.of, end)));
        clause.as_ref().unwrap_or(self.of)
    }

    /// What the main clause says.
    pub(super) fn content(&self) -> &Content {
        let end = || self.end().unwrap_or(usize::MAX);
        self.content.get_or_init(|| Content::of(content_within(self.of, end())))
    }

    /// What the whole says, where more stands behind the main clause.
    pub(super) fn whole(&self) -> Option<&Content> {
        self.whole.get_or_init(|| self.end().map(|_| Content::of(content(self.of)))).as_ref()
    }

    /// The same in fewer words.
    pub(super) fn gist(&self) -> &Content {
        let said = || self.whole().unwrap_or_else(|| self.content());
        self.gist.get_or_init(|| Content::of(gist(&said().terms)))
    }

    /// What it has that [rules](super::rules) ask for, a bit each.
    pub(super) fn has(&self) -> u16 {
        *self.has.get_or_init(|| {
            let all = [
                (self.of.figures.is_empty(), has::NO_FIGURE),
                (free::price(self.of).is_some(), has::PRICE),
                (scheduled::day(self.of).is_some(), has::DAY),
                (trailing::may_go_on(self.of), has::CLAUSE_BEHIND),
                (self.rate().is_some(), has::RATE),
                (self.side().is_some(), has::SIDE),
                (self.of.figures.iter().any(|figure| figure.low != figure.high), has::RANGE),
                (bracketed::ends_with_price(self.of), has::PRICE_BEHIND),
                (superlatives::may_hold(self.of.text), has::HOLDER),
                (none::may_deny(self.of.text), has::NONE),
                (negations(self.of) == 1, has::DENIAL),
                (holders::may_tell(self.of), has::DOER),
                (offices::may_tell(self.of), has::OFFICE),
                (opposites::may_have_one(self.of), has::OPPOSITE),
                (korean::may_tell(self.of.text), has::KOREAN),
            ];
            all.iter().filter(|(has_it, _)| *has_it).fold(0, |bits, (_, bit)| bits | bit)
        })
    }

    /// The only rate.
    pub(super) fn rate(&self) -> Option<&Rate> {
        self.rate.get_or_init(|| rate(self.of)).as_ref()
    }

    /// The only word of a pair.
    pub(super) fn side(&self) -> Option<&Side> {
        self.side.get_or_init(|| side(self.of)).as_ref()
    }

    /// The words that say that something is free, where there are no figures.
    pub(super) fn free(&self) -> Option<&'t str> {
        *self.free.get_or_init(|| free::free(self.of))
    }

    /// What somebody may do, or may not.
    pub(super) fn right(&self) -> Option<&Right> {
        self.right.get_or_init(|| right(self.of.text)).as_ref()
    }

    /// Its bare words.
    pub(super) fn words(&self) -> Option<&Words> {
        self.words.get_or_init(|| Words::of(self.of)).as_ref()
    }

    /// Where the last clause with a figure ends, where a Chinese one of its own stands behind it.
    pub(super) fn figures_end(&self) -> Option<usize> {
        *self.figures_end.get_or_init(|| trailing::end_of(self.of))
    }
}
