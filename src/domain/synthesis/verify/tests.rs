//! The parts of a draft are tested through the whole way, in `written/tests`.
