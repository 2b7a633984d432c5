//! Amounts that budgets count: tokens, calls, money.

/// What a model's tokens cost, in millionths of money for a million tokens.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Price {
    /// For a million tokens that it reads.
    pub input_micros: u64,
    /// For a million tokens that it writes.
    pub output_micros: u64,
}

impl Price {
    /// What so many tokens cost, in millionths of money, rounded up.
    pub fn of(&self, tokens: Tokens) -> u64 {
        let cost = u128::from(tokens.input) * u128::from(self.input_micros);
        let cost = cost.saturating_add(u128::from(tokens.output) * u128::from(self.output_micros));
        u64::try_from(cost.div_ceil(1_000_000)).unwrap_or(u64::MAX)
    }

    /// How many tokens of output `micros` pay for, after so many of input.
    pub(super) fn output_for(&self, micros: u64, input: u64) -> u64 {
        let input_cost = u128::from(input) * u128::from(self.input_micros);
        let Some(rest) = (u128::from(micros) * 1_000_000).checked_sub(input_cost) else { return 0 };
        let tokens = rest.checked_div(u128::from(self.output_micros));
        tokens.map_or(u64::MAX, |tokens| u64::try_from(tokens).unwrap_or(u64::MAX))
    }
}

/// Tokens of one call or of several.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Tokens {
    /// Read by the model.
    pub input: u64,
    /// Written by it, with what it only thought.
    pub output: u64,
}

impl Tokens {
    /// Both together.
    pub fn sum(self) -> u64 {
        self.input.saturating_add(self.output)
    }

    /// Those of both.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        let input = self.input.saturating_add(other.input);
        Self { input, output: self.output.saturating_add(other.output) }
    }

    pub(super) fn minus(self, other: Self) -> Self {
        let input = self.input.saturating_sub(other.input);
        Self { input, output: self.output.saturating_sub(other.output) }
    }
}

/// What may be spent. The default is without limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Allowance {
    /// Tokens, read and written.
    pub tokens: u64,
    /// Calls that a server worked on, or may have.
    pub calls: u64,
    /// Money, in millionths.
    pub micros: u64,
}

impl Default for Allowance {
    fn default() -> Self {
        Self { tokens: u64::MAX, calls: u64::MAX, micros: u64::MAX }
    }
}

/// What was spent, or is held back.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Spent {
    /// Tokens, by the servers' counts where they gave one.
    pub tokens: Tokens,
    /// Calls.
    pub calls: u64,
    /// Money, in millionths.
    pub micros: u64,
}

impl Spent {
    /// Both together.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.plus(other.tokens),
            calls: self.calls.saturating_add(other.calls),
            micros: self.micros.saturating_add(other.micros),
        }
    }

    /// The difference, amount by amount; nothing becomes negative.
    pub fn minus(self, other: Self) -> Self {
        Self {
            tokens: self.tokens.minus(other.tokens),
            calls: self.calls.saturating_sub(other.calls),
            micros: self.micros.saturating_sub(other.micros),
        }
    }

    /// The more of both, amount by amount.
    pub(super) fn most(self, other: Self) -> Self {
        let input = self.tokens.input.max(other.tokens.input);
        Self {
            tokens: Tokens { input, output: self.tokens.output.max(other.tokens.output) },
            calls: self.calls.max(other.calls),
            micros: self.micros.max(other.micros),
        }
    }
}
