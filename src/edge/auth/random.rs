//! Random bytes for secrets, from the system.

/// The system has no random bytes to give.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("the system gives no random bytes: {0}")]
pub struct NoRandomness(String);

/// 256 bits that nobody can guess.
///
/// # Errors
/// Where the system gives none.
pub fn random_bytes() -> Result<[u8; 32], NoRandomness> {
    let mut bytes = [0; 32];
    getrandom::fill(&mut bytes).map_err(|error| NoRandomness(error.to_string()))?;
    Ok(bytes)
}
