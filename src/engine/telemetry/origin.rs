//! Where an append came from: what times and traces its way to the first reader.

use std::sync::Arc;

use tokio::time::Instant;

use crate::domain::span::Span;

/// An append on its way.
#[derive(Debug, Clone)]
pub struct Origin {
    /// When the first of what it stores came.
    pub came_at: Instant,
    /// Whether somebody sent it, and waits.
    pub was_sent: bool,
    /// The span of its way to the first reader, where that is wanted.
    pub emit: Option<Emit>,
}

/// A span that ends when a reader has what an append stored.
#[derive(Debug, Clone)]
pub struct Emit {
    /// Whatever is known of it; its times aren't.
    span: Arc<Span>,
    /// The time of `came_at` by the clock that spans tell, in microseconds since 1970.
    came_us: i64,
    came_at: Instant,
    /// When it was stored.
    stored_at: Instant,
}

impl Origin {
    /// Something that came now, from whom nothing else is known.
    pub fn unknown() -> Self {
        Self { came_at: Instant::now(), was_sent: false, emit: None }
    }

    /// Something that was sent, and came then.
    pub fn at(came_at: Instant) -> Self {
        Self { came_at, was_sent: true, emit: None }
    }

    /// With a span that ends at the first reader; `came_us` is when the origin came, in microseconds since 1970.
    pub fn with_emit(self, span: Span, came_us: i64) -> Self {
        let emit = Emit { span: Arc::new(span), came_us, came_at: self.came_at, stored_at: self.came_at };
        Self { emit: Some(emit), ..self }
    }
}

impl Emit {
    /// It is stored now.
    pub fn stored(mut self) -> Self {
        self.stored_at = Instant::now();
        self
    }

    /// A reader has it now.
    pub fn end(self) -> Span {
        let micros = |at: Instant| self.came_us + at.duration_since(self.came_at).as_micros() as i64;
        Span { start_us: micros(self.stored_at), end_us: micros(Instant::now()), ..(*self.span).clone() }
    }
}
