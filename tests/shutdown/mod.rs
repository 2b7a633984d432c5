//! SIGTERM: readers leave with their place, bodies are answered, nothing that was acknowledged is missing, and the
//! process ends inside its window.

mod readers;
mod requests;
