//! The line to Redis is cut again and again, or slow.

use super::load::Load;
use super::scene::replica;
use crate::harness::{Client, CutLine};
use crate::redis_server::RedisServer;

#[tokio::test]
async fn lines_that_break_in_the_middle_of_answers_lose_nothing() {
    let redis = RedisServer::start();
    let line = CutLine::to(Client::new(([127, 0, 0, 1], redis.port).into())).await;
    let through = format!("redis://{}", line.client().address);
    let cut_off = replica(&through, &[]).await;
    let steady = replica(&redis.url(), &[]).await;
    let load = Load::new(6, 40);
    let clients = [cut_off.client(), steady.client()];
    load.begin(&clients).await;
    // From now on each connection of the one ends somewhere in its first answers.
    line.cut_after(40_000);
    line.cut();
    for told in load.run(&clients).await {
        told.assert_whole(steady.client()).await;
    }
}

#[tokio::test]
async fn a_replica_far_from_redis_has_the_same_log_as_one_beside_it() {
    let redis = RedisServer::start();
    let line = CutLine::to(Client::new(([127, 0, 0, 1], redis.port).into())).await;
    let far = replica(&format!("redis://{}", line.client().address), &[]).await;
    let near = replica(&redis.url(), &[]).await;
    let load = Load::new(6, 30);
    let clients = [far.client(), near.client()];
    load.begin(&clients).await;
    // What is published overtakes answers, and the other way round: they travel on different connections.
    line.delay(25);
    for told in load.run(&clients).await {
        told.assert_whole(near.client()).await;
    }
}
