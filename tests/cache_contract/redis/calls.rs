//! Who misses what others may hold calls them, and nobody calls again because he was called.

use tributary::edge::cache::RedisCache;
use tributary::engine::ports::result_cache::ResultCache;

use super::{keys_of, settings};
use crate::bench::Bounds;
use crate::redis_server::RedisServer;
use crate::writer::{Writer, partial};

/// How often something was published.
fn calls(server: &RedisServer) -> u32 {
    let stats = server.text(&["INFO", "commandstats"]);
    let calls = stats.lines().find_map(|line| line.strip_prefix("cmdstat_publish:calls=")).unwrap_or("0");
    calls.split(',').next().unwrap().parse().unwrap()
}

#[tokio::test]
async fn who_is_called_for_what_cannot_be_put_back_does_not_call_again() {
    let server = RedisServer::start();
    let replica = async || RedisCache::connect(settings(&server, Bounds::default())).await.unwrap();
    let (first, second) = (replica().await, replica().await);
    let mut writer = Writer::new("s");
    writer.begins(&first).await.writes(&first, &[partial()]).await;
    second.load(&writer.key).await.unwrap();
    writer.writes(&second, &[partial()]).await;
    second.follow(&writer.key).await.unwrap();
    drop(first);
    // The place is gone, and the log ends after something that isn't held: nothing can be put back, and the beginning is missed each time.
    let [meta, log, _] = keys_of("s");
    let later = "local first = redis.call('XRANGE', KEYS[1], '-', '+', 'COUNT', 1)[1] \
                 return redis.call('XADD', KEYS[1], '99-0', 'e', first[2][2])";
    assert!(server.command(&["EVAL", later, "1", &log]).starts_with('$'));
    assert_eq!(server.command(&["DEL", &meta]), ":1");
    let before = calls(&server);
    for _ in 0..2 {
        // Each begins when what was called for by the one before is over.
        second.refresh(&writer.key).await.unwrap();
    }
    assert_eq!(calls(&server) - before, 2);
}
