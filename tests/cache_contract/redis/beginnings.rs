//! A log was put back without its beginning, and who holds that comes before who holds what lies between.

use tributary::edge::cache::RedisCache;
use tributary::engine::ports::result_cache::ResultCache;

use super::waiting::eventually;
use super::{keys_of, settings};
use crate::bench::Bounds;
use crate::redis_server::RedisServer;
use crate::writer::{Writer, partial, read};

async fn replica(server: &RedisServer) -> RedisCache {
    RedisCache::connect(settings(server, Bounds::default())).await.unwrap()
}

/// A session of which three replicas hold a part each: they only write it.
async fn in_three_parts(server: &RedisServer) -> ([RedisCache; 3], Writer) {
    let parts = [replica(server).await, replica(server).await, replica(server).await];
    let mut writer = Writer::new("s");
    writer.begins(&parts[0]).await;
    for part in &parts {
        writer.writes(part, &[partial()]).await.writes(part, &[partial()]).await;
    }
    (parts, writer)
}

/// The store loses the session, without a word to anybody.
fn lost(server: &RedisServer) {
    let [meta, log, latest] = keys_of("s");
    assert_eq!(server.command(&["DEL", &meta, &log, &latest]), ":3");
}

/// Whether the session's log lacks its beginning.
fn lacks(server: &RedisServer) -> bool {
    server.command(&["HEXISTS", &keys_of("s")[0], "torn"]) == ":1"
}

#[tokio::test]
async fn a_beginning_that_nothing_leads_to_yet_is_kept_for_who_holds_what_lies_between() {
    for loses_again in [false, true] {
        let server = RedisServer::start();
        let ([beginning, middle, end], writer) = in_three_parts(&server).await;
        lost(&server);
        end.refresh(&writer.key).await.unwrap();
        assert!(lacks(&server), "only the end is held there");
        // Nobody puts back what lies between, however long it waits: its window goes on with the end.
        let window = beginning.refresh(&writer.key).await.unwrap();
        assert_eq!(window.tail().position, Some(writer.position()));
        if loses_again {
            lost(&server);
            end.refresh(&writer.key).await.unwrap();
            assert!(lacks(&server));
        }
        middle.refresh(&writer.key).await.unwrap();
        eventually("the beginning", async || (!lacks(&server)).then_some(())).await;
        assert_eq!(read(&replica(&server).await, &writer.key, 0).await, writer.log, "byte for byte");
    }
}
