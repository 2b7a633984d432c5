//! Reading server-sent events as a client does (WHATWG HTML, 9.2.6), from bytes as they come.

/// One event.
#[derive(Default)]
pub struct SseEvent {
    pub name: String,
    pub data: String,
    pub id: Option<String>,
}

/// What came of an event that isn't whole yet.
#[derive(Default)]
pub struct Sse {
    line: Vec<u8>,
    event: SseEvent,
}

impl Sse {
    /// Takes more bytes, and hands each event that they complete to `seen`.
    pub fn feed(&mut self, mut bytes: &[u8], mut seen: impl FnMut(&SseEvent)) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.line.extend_from_slice(&bytes[..end]);
            bytes = &bytes[end + 1..];
            let line = std::mem::take(&mut self.line);
            self.take(String::from_utf8_lossy(&line).trim_end_matches('\r'), &mut seen);
        }
        self.line.extend_from_slice(bytes);
    }

    fn take(&mut self, line: &str, seen: &mut impl FnMut(&SseEvent)) {
        if line.is_empty() {
            let event = std::mem::take(&mut self.event);
            if !event.data.is_empty() {
                seen(&event);
            }
            return;
        }
        let (field, value) = line.split_once(':').unwrap_or((line, ""));
        let value = value.strip_prefix(' ').unwrap_or(value);
        match field {
            "event" => value.clone_into(&mut self.event.name),
            "id" => self.event.id = Some(value.to_owned()),
            "data" => {
                if !self.event.data.is_empty() {
                    self.event.data.push('\n');
                }
                self.event.data.push_str(value);
            }
            // A comment, `retry`, or nothing that this client knows.
            _ => {}
        }
    }
}
