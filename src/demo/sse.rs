//! Server-sent events as they arrive (WHATWG HTML, section 9.2.6).

use super::incoming::Incoming;

/// One event.
#[derive(Debug, Default, Clone, PartialEq, Eq)]
pub struct SseEvent {
    /// The cursor after it, where it has one.
    pub id: Option<String>,
    /// What it is called; empty for an unnamed one.
    pub name: String,
    /// What it says.
    pub data: String,
}

/// Takes lines in and hands events out. Comments and `retry` are skipped.
#[derive(Debug, Default)]
struct Parser {
    line: Vec<u8>,
    event: SseEvent,
}

impl Parser {
    fn feed(&mut self, bytes: &[u8]) -> Vec<SseEvent> {
        let mut events = Vec::new();
        for byte in bytes {
            if *byte == b'\n' {
                let line = std::mem::take(&mut self.line);
                events.extend(self.end_line(String::from_utf8_lossy(&line).trim_end_matches('\r')));
            } else {
                self.line.push(*byte);
            }
        }
        events
    }

    fn end_line(&mut self, line: &str) -> Option<SseEvent> {
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            return (!event.data.is_empty()).then_some(event);
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "id" => self.event.id = Some(value.to_owned()),
            "event" => self.event.name = value.to_owned(),
            "data" if self.event.data.is_empty() => self.event.data = value.to_owned(),
            "data" => self.event.data.extend(["\n", value]),
            _ => {}
        }
        None
    }
}

/// An open event stream.
#[derive(Debug)]
pub struct EventStream {
    incoming: Incoming,
    parser: Parser,
    ready: std::collections::VecDeque<SseEvent>,
}

impl EventStream {
    /// The events in a body.
    pub fn new(incoming: Incoming) -> Self {
        Self { incoming, parser: Parser::default(), ready: Default::default() }
    }

    /// The next event; `None` at the end of the stream.
    ///
    /// # Errors
    /// Where the connection breaks off.
    pub async fn next(&mut self) -> anyhow::Result<Option<SseEvent>> {
        while self.ready.is_empty() {
            let Some(bytes) = self.incoming.next().await? else { return Ok(None) };
            self.ready.extend(self.parser.feed(&bytes));
        }
        Ok(self.ready.pop_front())
    }

    /// Breaks the connection off; what was on its way is lost.
    pub fn cut(self) -> anyhow::Result<()> {
        self.incoming.cut()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_way_of_cutting_a_stream_gives_the_same_events() {
        let text = ": hello\nretry: 2000\nid: 7\nevent: open\ndata: {}\n\nevent: x\r\ndata: a\r\ndata:b\r\n\r\ndata: ä\n\n";
        let event = |id: Option<&str>, name: &str, data: &str| SseEvent {
            id: id.map(str::to_owned),
            name: name.to_owned(),
            data: data.to_owned(),
        };
        let expected = [event(Some("7"), "open", "{}"), event(None, "x", "a\nb"), event(None, "", "ä")];
        for at in 0..text.len() {
            let mut parser = Parser::default();
            let mut events = parser.feed(&text.as_bytes()[..at]);
            events.extend(parser.feed(&text.as_bytes()[at..]));
            assert_eq!(events, expected, "cut at {at}");
        }
    }
}
