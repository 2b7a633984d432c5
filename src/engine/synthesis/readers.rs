//! Those who watch a draft grow: what they were shown, and what of it is taken back. Where a result may be withheld, they
//! are shown nothing of its draft: what was seen can't be withheld any more.

use std::collections::BTreeSet;

use parking_lot::Mutex;
use tokio::sync::mpsc::UnboundedSender;

use crate::domain::directive::OnLowQuality;
use crate::domain::synthesis::draft::Delta;

/// Tells readers of drafts, and knows which texts they have. Until it is dropped more may come.
pub(super) struct Readers {
    drafts: UnboundedSender<Vec<Delta>>,
    /// Whether nothing is shown.
    is_silent: bool,
    /// The paths of what they see.
    shown: Mutex<BTreeSet<String>>,
}

impl Readers {
    pub(super) fn new(drafts: UnboundedSender<Vec<Delta>>, on_low_quality: OnLowQuality) -> Self {
        Self { drafts, is_silent: on_low_quality == OnLowQuality::Block, shown: Mutex::default() }
    }

    /// Shows what is new.
    pub(super) fn tell(&self, deltas: Vec<Delta>) {
        if self.is_silent || deltas.is_empty() {
            return;
        }
        let begins = |delta: &&Delta| delta.offset == 0 && !delta.text.is_empty();
        self.shown.lock().extend(deltas.iter().filter(begins).map(|delta| delta.path.clone()));
        // Whoever doesn't listen any more doesn't want to know.
        let _ = self.drafts.send(deltas);
    }

    /// Takes back all that was shown: nothing of it is delivered, and another draft may have fewer parts.
    pub(super) fn take_back(&self) {
        let shown = std::mem::take(&mut *self.shown.lock());
        self.tell(shown.into_iter().map(Delta::emptied).collect());
    }
}
