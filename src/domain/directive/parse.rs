//! Parsing and checking of directives.
