//! The sign-in from outside: tokens of all kinds and of hostile ones, keys that change, tickets in both stores.

mod algorithms;
mod api_keys;
mod hostile;
mod issuer;
mod key_server;
mod rotation;
mod tickets;
