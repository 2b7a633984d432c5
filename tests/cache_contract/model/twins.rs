//! A model and a real Redis that are asked the same, one command after the other, and must answer the same.

use std::collections::BTreeMap;
use std::sync::Arc;

use futures::FutureExt;
use futures::future::BoxFuture;
use parking_lot::Mutex;
use redis::aio::MultiplexedConnection;
use redis::{Arg, AsyncConnectionConfig, Cmd, ErrorKind, RedisResult, ServerErrorKind, Value};
use tributary::edge::cache::{ModelLine, ModelServer};

use crate::model_redis::{Client, ModelRedis, Weather};
use crate::redis_server::RedisServer;

/// Milliseconds that the lives of a key may differ by: commands reach one after the other, on a busy machine.
const LIVES_DIFFER_BY: i64 = 15_000;

/// Both.
#[derive(Clone)]
pub struct Twins {
    model: Client,
    real: MultiplexedConnection,
    shared: Arc<Shared>,
}

struct Shared {
    _server: Arc<RedisServer>,
    /// Held while both are asked: they are asked in one order.
    turn: tokio::sync::Mutex<()>,
    /// Whether a script's answer holds the values of a hash, by its hash.
    texts: Mutex<BTreeMap<Vec<u8>, Vec<u8>>>,
    /// How many commands both answered the same, by name.
    agreed: Mutex<BTreeMap<String, u64>>,
    differed: Mutex<Vec<String>>,
}

impl Twins {
    /// With a server of their own.
    pub async fn start() -> Self {
        Self::on(Arc::new(RedisServer::start())).await
    }

    /// With a server whose data is lost.
    pub async fn on(server: Arc<RedisServer>) -> Self {
        server.expect_ok(&["FLUSHALL"]);
        server.expect_ok(&["SCRIPT", "FLUSH"]);
        let client = redis::Client::open(server.url()).unwrap();
        // Half a second, the client's own limit, is little on a busy machine.
        let config = AsyncConnectionConfig::new().set_response_timeout(None).set_connection_timeout(None);
        let real = client.get_multiplexed_async_connection_with_config(&config).await.unwrap();
        let model = Client { server: ModelRedis::new(7), replica: 0, weather: Arc::new(Weather::default()) };
        // What a session begins anew after it was forgotten isn't what the simulation means by a loss.
        model.server.ledger.lock().data_lost();
        let shared = Shared {
            _server: server,
            turn: tokio::sync::Mutex::default(),
            texts: Mutex::default(),
            agreed: Mutex::default(),
            differed: Mutex::default(),
        };
        Self { model, real, shared: Arc::new(shared) }
    }

    /// Runs a command of these words.
    pub async fn ask<W: AsRef<[u8]>>(&self, words: &[W]) -> Value {
        let mut command = Cmd::new();
        words.iter().for_each(|word| {
            command.arg(word.as_ref());
        });
        self.run(&command).await.unwrap()
    }

    /// Compares every key.
    pub async fn hold_the_same(&self) {
        let Value::Array(keys) = self.ask(&["KEYS", "*"]).await else { panic!("keys come in a list") };
        for key in keys {
            let Value::BulkString(key) = key else { panic!("a key is bytes: {key:?}") };
            let read: &[&[u8]] = match self.ask(&[b"TYPE", &*key]).await {
                Value::SimpleString(kind) if kind == "hash" => &[b"HGETALL", &key],
                Value::SimpleString(kind) if kind == "stream" => &[b"XRANGE", &key, b"-", b"+"],
                Value::SimpleString(kind) if kind == "zset" => {
                    &[b"ZRANGEBYSCORE", &key, b"-inf", b"9e15", b"LIMIT", b"0", b"9999"]
                }
                // Its time was over meanwhile.
                Value::SimpleString(kind) if kind == "none" => continue,
                other => panic!("no kind of key: {other:?}"),
            };
            self.ask(read).await;
            self.ask(&[b"PTTL", &*key]).await;
        }
    }

    /// What is to live hardly any longer is over at both before they are asked again.
    async fn let_die(&self, words: &[Vec<u8>]) {
        let keys = match &*words[0] {
            b"EVAL" | b"EVALSHA" => &words[3..][..str::from_utf8(&words[2]).unwrap().parse().unwrap()],
            b"PEXPIRE" => &words[1..2],
            _ => return,
        };
        for key in keys {
            let left = redis::cmd("PTTL").arg(key).to_owned();
            loop {
                let real = left.query_async(&mut self.real.clone()).await.unwrap();
                let both = [self.model.run(&left).await.unwrap(), real];
                if !both.iter().any(|left| matches!(left, Value::Int(0..=50))) {
                    break;
                }
                tokio::task::yield_now().await;
            }
        }
    }

    /// Both have answered the same so far. Gives how often each command was answered.
    pub fn agreed(&self) -> BTreeMap<String, u64> {
        let differed = std::mem::take(&mut *self.shared.differed.lock());
        let violations = &self.model.server.ledger.lock().violations;
        assert!(differed.is_empty() && violations.is_empty(), "{}{violations:?}", differed.join("\n"));
        self.shared.agreed.lock().clone()
    }

    fn compare(&self, words: &[Vec<u8>], model: &RedisResult<Value>, real: &RedisResult<Value>) {
        let no_script = ErrorKind::Server(ServerErrorKind::NoScript);
        let is_same = match (model, real) {
            (Ok(model), Ok(real)) => self.is_same(words, model, real),
            (Err(model), Err(real)) => model.kind() == no_script && real.kind() == no_script,
            (Ok(_), Err(_)) | (Err(_), Ok(_)) => false,
        };
        if is_same {
            *self.shared.agreed.lock().entry(shown(&words[0])).or_default() += 1;
        } else {
            let words: Vec<_> = words.iter().map(|word| shown(word)).collect();
            self.shared.differed.lock().push(format!("{words:?}\n model {model:?}\n redis {real:?}"));
        }
    }

    fn is_same(&self, words: &[Vec<u8>], model: &Value, real: &Value) -> bool {
        match (&*words[0], model, real) {
            // The order within a hash, and of keys, is no promise.
            (b"KEYS" | b"HKEYS" | b"HVALS", Value::Array(model), Value::Array(real)) => {
                sorted(model, 1) == sorted(real, 1)
            }
            (b"HGETALL", Value::Array(model), Value::Array(real)) => sorted(model, 2) == sorted(real, 2),
            (b"PTTL", Value::Int(model), Value::Int(real)) if *model >= 0 && *real >= 0 => {
                model.abs_diff(*real) < LIVES_DIFFER_BY.unsigned_abs()
            }
            // At the real one nobody listens.
            (b"PUBLISH", Value::Int(model), Value::Int(0)) => *model >= 0,
            (b"TIME", Value::Array(model), Value::Array(real)) => model.len() == real.len(),
            (b"EVAL" | b"EVALSHA", Value::Array(model), Value::Array(real)) => {
                let text = self.shared.texts.lock().get(&words[1]).cloned().unwrap_or(words[1].clone());
                let reads_values = contains(&text, b"'HVALS'");
                let parts = model.iter().zip(real);
                model.len() == real.len() && parts.into_iter().all(|(a, b)| is_same_part(a, b, reads_values))
            }
            (_, model, real) => model == real,
        }
    }
}

/// A part of a script's answer; among them are hashes as they were read.
fn is_same_part(model: &Value, real: &Value, reads_values: bool) -> bool {
    // Of a session, or what is left of one that was deleted.
    let names = [&b"sequence"[..], b"forgotten"].map(|name| Value::BulkString(name.to_vec()));
    let is_meta = |items: &[Value]| items.chunks(2).any(|two| names.contains(&two[0]));
    match (model, real) {
        (Value::Array(model), Value::Array(real)) if is_meta(model) => sorted(model, 2) == sorted(real, 2),
        (Value::Array(model), Value::Array(real)) if reads_values => sorted(model, 1) == sorted(real, 1),
        (model, real) => model == real,
    }
}

fn sorted(items: &[Value], at_once: usize) -> Vec<String> {
    let mut sorted: Vec<_> = items.chunks(at_once).map(|items| format!("{items:?}")).collect();
    sorted.sort();
    sorted
}

fn contains(text: &[u8], what: &[u8]) -> bool {
    text.windows(what.len()).any(|found| found == what)
}

fn shown(word: &[u8]) -> String {
    String::from_utf8_lossy(&word[..word.len().min(120)]).into_owned()
}

impl ModelServer for Twins {
    fn run(&self, command: &Cmd) -> BoxFuture<'static, RedisResult<Value>> {
        let (twins, command) = (self.clone(), command.clone());
        async move {
            let words: Vec<Vec<u8>> = command
                .args_iter()
                .map(|word| match word {
                    Arg::Simple(bytes) => bytes.to_vec(),
                    other => panic!("no word of these commands: {other:?}"),
                })
                .collect();
            if words[0] == b"EVAL" {
                let sha1 = redis::Script::new(str::from_utf8(&words[1]).unwrap()).get_hash().to_owned();
                twins.shared.texts.lock().insert(sha1.into_bytes(), words[1].clone());
            }
            let _turn = twins.shared.turn.lock().await;
            let model = twins.model.run(&command).await;
            let real = command.query_async::<Value>(&mut twins.real.clone()).await;
            twins.compare(&words, &model, &real);
            twins.let_die(&words).await;
            model
        }
        .boxed()
    }

    /// Only at the model: at the other nobody listens, so how many heard a message isn't compared.
    fn listen(&self) -> BoxFuture<'static, RedisResult<ModelLine>> {
        self.model.listen()
    }
}
