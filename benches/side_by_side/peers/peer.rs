//! The columns of the table, and which of them are held against each other.

/// One column of the table.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Peer {
    Tributary,
    Nchan,
    DurableStreams,
    Centrifugo,
    Mercure,
    LangGraph,
    TributaryRedis,
    NchanRedis,
    CentrifugoRedis,
    ResumableStream,
}

impl Peer {
    /// In the order of the table: what keeps events to itself, then what uses Redis.
    pub const ALL: [Self; 10] = [
        Self::Tributary,
        Self::Nchan,
        Self::DurableStreams,
        Self::Centrifugo,
        Self::Mercure,
        Self::LangGraph,
        Self::TributaryRedis,
        Self::NchanRedis,
        Self::CentrifugoRedis,
        Self::ResumableStream,
    ];

    pub fn name(self) -> &'static str {
        match self {
            Self::Tributary => "Tributary",
            Self::Nchan => "nchan",
            Self::DurableStreams => "Electric",
            Self::Centrifugo => "Centrifugo",
            Self::Mercure => "Mercure",
            Self::LangGraph => "LangGraph",
            Self::TributaryRedis => "Tributary, Redis",
            Self::NchanRedis => "nchan, Redis",
            Self::CentrifugoRedis => "Centrifugo, Redis",
            Self::ResumableStream => "resumable-stream, Redis",
        }
    }

    /// The Tributary that it is held against: the one that keeps events where it does.
    pub fn ours(self) -> Self {
        match self {
            Self::Tributary
            | Self::Nchan
            | Self::DurableStreams
            | Self::Centrifugo
            | Self::Mercure
            | Self::LangGraph => Self::Tributary,
            Self::TributaryRedis | Self::NchanRedis | Self::CentrifugoRedis | Self::ResumableStream => {
                Self::TributaryRedis
            }
        }
    }

    pub fn is_ours(self) -> bool {
        self == self.ours()
    }
}
