//! A replica that freezes in a transaction doesn't keep the others from theirs.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use tokio::io::{AsyncReadExt, AsyncWriteExt, copy};
use tokio::net::{TcpListener, TcpStream};
use tokio_util::sync::CancellationToken;
use tributary::domain::position::Sequence;
use tributary::engine::archive::ArchivedCache;
use tributary::engine::ports::result_cache::ResultCache;
use tributary::engine::telemetry::Meters;

use crate::postgres::{Server, archive_at};
use crate::scene::{Scene, look_after};
use crate::writer::{Writer, partial};

/// A line to PostgreSQL that passes nothing more, and doesn't end either, when a transaction is about to be committed.
struct Line {
    address: SocketAddr,
    is_armed: AtomicBool,
    frozen: CancellationToken,
}

impl Line {
    async fn to(port: u16) -> Arc<Self> {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let address = listener.local_addr().unwrap();
        let line = Arc::new(Self { address, is_armed: false.into(), frozen: CancellationToken::new() });
        let carrying = line.clone();
        tokio::spawn(async move {
            while let Ok((near, _)) = listener.accept().await {
                let far = TcpStream::connect(("127.0.0.1", port)).await.unwrap();
                tokio::spawn(carrying.clone().carry(near, far));
            }
        });
        line
    }

    async fn carry(self: Arc<Self>, near: TcpStream, far: TcpStream) {
        let (mut near_read, mut near_write) = near.into_split();
        let (mut far_read, mut far_write) = far.into_split();
        let questions = async {
            let mut room = vec![0; 64 << 10];
            while let Ok(bytes @ 1..) = near_read.read(&mut room).await {
                let commits = room[..bytes].windows(6).any(|word| word == b"COMMIT");
                if commits && self.is_armed.load(Ordering::SeqCst) {
                    self.frozen.cancel();
                    std::future::pending::<()>().await;
                }
                far_write.write_all(&room[..bytes]).await.unwrap();
            }
        };
        tokio::select! {
            () = questions => {}
            _ = copy(&mut far_read, &mut near_write) => {}
        }
    }
}

#[tokio::test]
async fn replica_that_freezes_before_its_commit_holds_up_others_for_seconds_only() {
    let server = Server::start().await;
    let url = server.database().await;
    let lively = Scene::new(archive_at(&url).await, 1 << 20, 1 << 30);
    let line = Line::to(server.port).await;
    let (_, database) = url.rsplit_once('/').unwrap();
    let through = format!("postgres://postgres@{}/{database}", line.address);
    let frozen = Scene::new(archive_at(&through).await, 1 << 20, 1 << 30);

    line.is_armed.store(true, Ordering::SeqCst);
    let mut stuck = Writer::new("stuck");
    stuck.begins(&*frozen.cache).await;
    line.frozen.cancelled().await;
    // It holds the lock that writers take, and its connection is open: PostgreSQL has to end the transaction.
    let mut other = Writer::new("other");
    other.begins(&*lively.cache).await;
    other.writes(&*lively.cache, &[partial()]).await;
    lively.has_everything_of(&other).await;
    assert_eq!(lively.archived(&stuck.key).await, Vec::<u64>::new(), "what wasn't committed isn't there");
}

/// The database's own time-out is five seconds, a reader's a quarter of one.
#[tokio::test]
async fn reader_that_could_begin_waits_for_a_database_that_hangs_a_moment_only() {
    let server = Server::start().await;
    let sql = archive_at(&server.database().await).await;
    let scene = Scene::new(sql.clone(), 8_192, 65_536);
    let mut writer = Writer::new("s");
    writer.begins(&*scene.cache).await;
    writer.writes(&*scene.cache, &[partial()]).await;
    scene.has_everything_of(&writer).await;
    // One that has just started remembers nothing of what is archived.
    let started =
        || ArchivedCache::new(scene.memory.clone(), sql.clone(), None, look_after(), Meters::unread());
    let kept_from = Sequence(2);
    assert_eq!(started().oldest(&writer.key, kept_from).await, Sequence(1));
    server.freeze();
    let begin = Instant::now();
    let oldest = started().oldest(&writer.key, kept_from).await;
    let waited = begin.elapsed();
    server.thaw();
    assert_eq!(oldest, kept_from);
    assert!(waited < Duration::from_millis(4_500), "{waited:?}");
}
