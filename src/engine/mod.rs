//! What waits: tasks, order, deadlines. The world outside is reached through [`ports`].

pub mod archive;
pub mod clock;
pub mod computing;
pub mod coordinator;
pub mod figures;
pub mod invoke;
pub mod mux;
pub mod ports;
mod recent;
pub mod results;
pub mod shadow;
pub mod synthesis;
pub mod telemetry;
