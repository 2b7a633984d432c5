//! Disjoint sets (Tarjan 1975), with path halving.

/// Sets of places in a list.
pub(crate) struct Union {
    parents: Vec<usize>,
}

impl Union {
    /// Every place alone.
    pub(crate) fn new(count: usize) -> Self {
        Self { parents: (0..count).collect() }
    }

    /// The place that stands for a place's set.
    pub(crate) fn root(&mut self, mut at: usize) -> usize {
        while self.parents[at] != at {
            self.parents[at] = self.parents[self.parents[at]];
            at = self.parents[at];
        }
        at
    }

    /// Makes one set of two.
    pub(crate) fn join(&mut self, one: usize, other: usize) {
        let (one, other) = (self.root(one), self.root(other));
        self.parents[one.max(other)] = one.min(other);
    }
}
