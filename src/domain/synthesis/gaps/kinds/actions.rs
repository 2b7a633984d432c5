//! Questions for what to do.

use crate::domain::text::phrases::has_any;

/// Whether a query asks what to do. How to do something is told by steps, which recommend nothing.
pub fn asks_what_to_do(query: &str) -> bool {
    #[rustfmt::skip]
    const ASKS: [&str; 27] = [
        "what should ", "what must we ", "what can be done", "what can we do", "what needs to ", "what do we need to ", "how should we ", "how can we prevent", "how can we avoid", "how do we prevent", "how do we avoid", "what do you recommend", "recommendations", "was sollten ",
        "was sollen ", "que faire", "how do we fix", "how do i fix", "how can we fix", "how can i fix", "how to fix", "how do we solve", "how do we resolve", "how do i resolve", "how can we solve", "wie beheben", "was können wir tun",
    ];
    let lower = query.to_lowercase();
    has_any(&lower, &ASKS)
}
