//! The terminal: one line an event, as wide as it may be, in colours where somebody looks.

use std::io::{IsTerminal, Write};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use parking_lot::Mutex;
use tokio_util::sync::CancellationToken;

/// Columns where nothing tells how many there are.
const USUAL_WIDTH: usize = 110;
/// Columns of a subagent's name.
const LANE_WIDTH: usize = 14;
/// Columns of a status.
const STATUS_WIDTH: usize = 11;
/// Columns before the text of a line.
const TEXT_AT: usize = 6 + 1 + 4 + 1 + 1 + 1 + LANE_WIDTH + 1 + STATUS_WIDTH + 1;

/// Where the demo is watched. Clones write to the same place.
#[derive(Clone)]
pub struct Screen(Arc<Inner>);

struct Inner {
    begun: OnceLock<Instant>,
    width: usize,
    colours: bool,
    out: Mutex<std::io::Stdout>,
    gone: CancellationToken,
}

/// How something looks.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// As it is.
    Plain,
    /// Less important.
    Faint,
    /// A heading.
    Bold,
    /// Went well.
    Good,
    /// Needs a look.
    Notable,
    /// Went wrong.
    Bad,
    /// One of the lanes.
    Lane(usize),
}

/// One line of the timeline.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Line {
    /// When; `None`: now.
    pub at: Option<Duration>,
    /// The event's number, where it is one.
    pub sequence: Option<u64>,
    /// Where it comes from: ` ` live, `↻` replayed, `◂` what a sender was told, `•` the reader.
    pub mark: char,
    /// Whose it is.
    pub lane: String,
    /// The lane's look.
    pub lane_style: Style,
    /// What happened.
    pub status: String,
    /// How that is.
    pub status_style: Style,
    /// What is new.
    pub text: String,
    /// A longer text, of which as much of the end is shown as there is room.
    pub ends_with: String,
}

impl Screen {
    /// Standard output.
    pub fn on_stdout() -> Self {
        let terminal = std::io::stdout().is_terminal();
        let is_set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
        let dumb = std::env::var_os("TERM").is_some_and(|term| term == "dumb");
        Self(Arc::new(Inner {
            begun: OnceLock::new(),
            width: width().clamp(TEXT_AT + 20, 200),
            colours: terminal && !dumb && !is_set("NO_COLOR"),
            out: Mutex::new(std::io::stdout()),
            gone: CancellationToken::new(),
        }))
    }

    /// Comes back when nobody reads the output any more.
    pub async fn gone(&self) {
        self.0.gone.cancelled().await;
    }

    /// Columns of a line.
    pub fn width(&self) -> usize {
        self.0.width
    }

    /// The plan begins: lines without a time of their own count from here.
    pub fn begin(&self) {
        self.0.begun.get_or_init(Instant::now);
    }

    /// Writes a line as it is.
    pub fn say(&self, text: impl AsRef<str>) {
        if writeln!(self.0.out.lock(), "{}", text.as_ref()).is_err() {
            self.0.gone.cancel();
        }
    }

    /// Writes a line of the timeline.
    pub fn show(&self, line: &Line) {
        let at = line.at.unwrap_or_else(|| self.0.begun.get_or_init(Instant::now).elapsed());
        let sequence = line.sequence.map(|sequence| sequence.to_string()).unwrap_or_default();
        let lane = format!("{:<LANE_WIDTH$}", cut(&line.lane, LANE_WIDTH));
        let status = format!("{:<STATUS_WIDTH$}", line.status);
        self.say(format!(
            "{} {sequence:>4} {} {} {} {}",
            self.paint(&format!("{:>6.2}", at.as_secs_f64()), Style::Faint),
            self.paint(&line.mark.to_string(), Style::Notable),
            self.paint(&lane, line.lane_style),
            self.paint(&status, line.status_style),
            fit(&line.text, &line.ends_with, self.0.width - TEXT_AT),
        ));
    }

    /// A text in a style.
    pub fn paint(&self, text: &str, style: Style) -> String {
        const LANES: [u8; 6] = [36, 35, 34, 96, 95, 94];
        let code = match style {
            _ if !self.0.colours || text.trim().is_empty() => return text.to_owned(),
            Style::Plain => return text.to_owned(),
            Style::Faint => 2,
            Style::Bold => 1,
            Style::Good => 32,
            Style::Notable => 33,
            Style::Bad => 31,
            Style::Lane(number) => LANES[number % LANES.len()],
        };
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

fn width() -> usize {
    let columns = std::env::var("COLUMNS").ok().and_then(|columns| columns.parse().ok());
    let terminal = || terminal_size::terminal_size().map(|(width, _)| usize::from(width.0));
    columns.or_else(terminal).unwrap_or(USUAL_WIDTH)
}

/// A text and as much of the end of another as there is room for.
fn fit(text: &str, ends_with: &str, room: usize) -> String {
    let used = text.chars().count();
    if ends_with.is_empty() || room < used + 12 {
        return cut(text, room);
    }
    let room = room - used - 2;
    let skipped = ends_with.chars().count().saturating_sub(room);
    let end: String = ends_with.chars().skip(skipped).collect();
    // It begins with a whole word, unless there is none.
    let is_whole = skipped == 0 || ends_with.chars().nth(skipped - 1) == Some(' ');
    let words = if is_whole { None } else { end.split_once(' ').map(|(_, rest)| rest) };
    format!("{text} …{}", words.unwrap_or(&end))
}

/// The beginning of a text, marked where more follows.
pub fn cut(text: &str, room: usize) -> String {
    match text.chars().count() <= room {
        true => text.to_owned(),
        false => text.chars().take(room.saturating_sub(1)).chain(['…']).collect(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_as_long_as_there_is_room() {
        assert_eq!(cut("größer", 6), "größer");
        assert_eq!(cut("größer", 5), "größ…");
        let long = "one two three four five six seven";
        assert_eq!(fit("+9 chars", long, 60), "+9 chars …one two three four five six seven");
        assert_eq!(fit("+9 chars", long, 24), "+9 chars …five six seven");
        assert_eq!(fit("+9 chars", long, 19), "+9 chars");
        for room in 20..60 {
            assert!(fit("+9 chars", long, room).chars().count() <= room, "{room}");
        }
    }
}
