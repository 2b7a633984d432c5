//! A chain of scripted models under a paused clock.

mod attempts;
mod budget;
mod cached;
mod dropped;
mod fallback;
mod load;
mod scripted;
