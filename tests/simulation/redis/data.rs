//! What the model holds, and the commands on it: those that the service and its scripts use. Any other is a panic.

use std::collections::BTreeMap;
use std::ops::Bound;

use redis::Value;

/// A command's words.
pub type Words = Vec<Vec<u8>>;

#[derive(Debug, Clone)]
enum Data {
    Hash(BTreeMap<Vec<u8>, Vec<u8>>),
    /// By the first half of their ids; each has one field.
    Stream(BTreeMap<u64, [Vec<u8>; 2]>),
    Sorted(BTreeMap<Vec<u8>, f64>),
}

#[derive(Debug, Clone)]
struct Key {
    data: Data,
    expires: Option<i64>,
}

/// All keys, and what the running command publishes and adds.
#[derive(Debug, Clone, Default)]
pub struct Database {
    keys: BTreeMap<Vec<u8>, Key>,
    /// Milliseconds since 1970.
    pub now: i64,
    /// Who listens, by channel.
    pub listeners: BTreeMap<Vec<u8>, i64>,
    /// What was published and isn't sent yet.
    pub published: Vec<(Vec<u8>, Vec<u8>)>,
    /// What was added to streams and isn't looked at yet: key and value.
    pub added: Vec<(Vec<u8>, Vec<u8>)>,
}

/// A bulk string.
fn bulk(bytes: impl Into<Vec<u8>>) -> Value {
    Value::BulkString(bytes.into())
}

fn text(word: &[u8]) -> &str {
    std::str::from_utf8(word).expect("a word that is text")
}

fn integer(word: &[u8]) -> i64 {
    let number: f64 = text(word).parse().expect("a number");
    number as i64
}

impl Database {
    /// Forgets all data.
    pub fn clear(&mut self) {
        self.keys.clear();
    }

    /// The data of `earlier`, which time has passed over.
    pub fn become_again(&mut self, earlier: &Self) {
        self.keys.clone_from(&earlier.keys);
    }

    /// Lets go of a key. `false` where there was none.
    pub fn evict(&mut self, key: &[u8]) -> bool {
        self.keys.remove(key).is_some()
    }

    /// The values of a stream, oldest first.
    pub fn stream(&self, key: &[u8]) -> Vec<Vec<u8>> {
        match self.keys.get(key).map(|key| &key.data) {
            Some(Data::Stream(items)) => items.values().map(|[_, value]| value.clone()).collect(),
            Some(Data::Hash(_) | Data::Sorted(_)) | None => Vec::new(),
        }
    }

    /// Runs a command that isn't a script.
    pub fn run(&mut self, words: &[Vec<u8>]) -> Value {
        let now = self.now;
        self.keys.retain(|_, key| key.expires.is_none_or(|at| at > now));
        let name = text(&words[0]).to_ascii_uppercase();
        let (key, rest) = (words.get(1), words.get(2..).unwrap_or_default());
        let Some(key) = key else { return self.about_the_server(&name) };
        match &*name {
            "HMGET" => self.hash(key, |hash| {
                Value::Array(
                    rest.iter()
                        .map(|name| hash.get(name).map_or(Value::Nil, |value| bulk(value.clone())))
                        .collect(),
                )
            }),
            "HGET" => {
                self.hash(key, |hash| hash.get(&rest[0]).map_or(Value::Nil, |value| bulk(value.clone())))
            }
            "HGETALL" => self.hash(key, |hash| {
                Value::Array(
                    hash.iter().flat_map(|(name, value)| [bulk(name.clone()), bulk(value.clone())]).collect(),
                )
            }),
            "HKEYS" => {
                self.hash(key, |hash| Value::Array(hash.keys().map(|name| bulk(name.clone())).collect()))
            }
            "HSTRLEN" => self.hash(key, |hash| Value::Int(hash.get(&rest[0]).map_or(0, Vec::len) as i64)),
            "HVALS" => {
                self.hash(key, |hash| Value::Array(hash.values().map(|value| bulk(value.clone())).collect()))
            }
            "HSET" => {
                let hash = self.hash_mut(key);
                let new =
                    rest.chunks_exact(2).filter(|two| hash.insert(two[0].clone(), two[1].clone()).is_none());
                Value::Int(new.count() as i64)
            }
            "HDEL" => {
                let hash = self.hash_mut(key);
                let gone = rest.iter().filter(|name| hash.remove(*name).is_some()).count();
                self.drop_empty(key);
                Value::Int(gone as i64)
            }
            "HINCRBY" => {
                let hash = self.hash_mut(key);
                let sum = hash.get(&rest[0]).map_or(0, |value| integer(value)) + integer(&rest[1]);
                hash.insert(rest[0].clone(), sum.to_string().into());
                Value::Int(sum)
            }
            "XADD" => self.add(key, rest),
            "XRANGE" => self.range(key, &rest[0], &rest[1], rest.get(2..).unwrap_or_default(), false),
            "XREVRANGE" => self.range(key, &rest[1], &rest[0], rest.get(2..).unwrap_or_default(), true),
            "XTRIM" => {
                assert_eq!(rest[0], b"MINID");
                let (least, _) = id(&rest[1]);
                let Some(Key { data: Data::Stream(items), .. }) = self.keys.get_mut(key) else {
                    return Value::Int(0);
                };
                let before = items.len();
                items.retain(|number, _| *number >= least);
                Value::Int((before - items.len()) as i64)
            }
            "ZADD" => {
                let set = self.sorted_mut(key);
                let (only_new, pairs) = rest.split_at(usize::from(rest[0] == b"NX"));
                let new = pairs.chunks_exact(2).filter(|two| {
                    let is_new = !set.contains_key(&two[1]);
                    if is_new || only_new.is_empty() {
                        set.insert(two[1].clone(), integer(&two[0]) as f64);
                    }
                    is_new
                });
                Value::Int(new.count() as i64)
            }
            "EXISTS" => Value::Int(i64::from(self.keys.contains_key(key))),
            "ZREM" => {
                let gone = self.sorted_mut(key).remove(&rest[0]).is_some();
                self.drop_empty(key);
                Value::Int(i64::from(gone))
            }
            "ZSCORE" => match self.keys.get(key) {
                Some(Key { data: Data::Sorted(set), .. }) => {
                    set.get(&rest[0]).map_or(Value::Nil, |score| bulk((*score as i64).to_string()))
                }
                _ => Value::Nil,
            },
            "ZRANGEBYSCORE" => self.due(key, rest),
            "ZRANGEBYLEX" => self.named(key, rest),
            "DEL" => Value::Int(words[1..].iter().filter(|key| self.evict(key)).count() as i64),
            "PEXPIRE" => self.expire(key, Some(now + integer(&rest[0]))),
            "PERSIST" => {
                let had = self.keys.get(key).is_some_and(|key| key.expires.is_some());
                self.expire(key, None);
                Value::Int(i64::from(had))
            }
            "PTTL" => Value::Int(match self.keys.get(key).map(|key| key.expires) {
                Some(Some(at)) => at - now,
                Some(None) => -1,
                None => -2,
            }),
            "TYPE" => Value::SimpleString(
                match self.keys.get(key).map(|key| &key.data) {
                    Some(Data::Hash(_)) => "hash",
                    Some(Data::Stream(_)) => "stream",
                    Some(Data::Sorted(_)) => "zset",
                    None => "none",
                }
                .into(),
            ),
            "KEYS" => Value::Array(self.keys.keys().map(|key| bulk(key.clone())).collect()),
            "PUBLISH" => {
                self.published.push((key.clone(), rest[0].clone()));
                Value::Int(self.listeners.get(key).copied().unwrap_or_default())
            }
            "PUBSUB" => {
                let count = self.listeners.get(&rest[0]).copied().unwrap_or_default();
                Value::Array(vec![bulk(rest[0].clone()), Value::Int(count)])
            }
            other => panic!("the model doesn't know {other}"),
        }
    }

    fn about_the_server(&self, name: &str) -> Value {
        match name {
            "PING" => Value::SimpleString("PONG".into()),
            "TIME" => {
                let (seconds, micros) = (self.now / 1_000, self.now % 1_000 * 1_000);
                Value::Array(vec![bulk(seconds.to_string()), bulk(micros.to_string())])
            }
            other => panic!("the model doesn't know {other}"),
        }
    }

    fn hash(&self, key: &[u8], read: impl FnOnce(&BTreeMap<Vec<u8>, Vec<u8>>) -> Value) -> Value {
        match self.keys.get(key).map(|key| &key.data) {
            Some(Data::Hash(hash)) => read(hash),
            None => read(&BTreeMap::new()),
            Some(other) => panic!("{} is no hash: {other:?}", text(key)),
        }
    }

    fn hash_mut(&mut self, key: &[u8]) -> &mut BTreeMap<Vec<u8>, Vec<u8>> {
        match self.data_mut(key, || Data::Hash(BTreeMap::new())) {
            Data::Hash(hash) => hash,
            other => panic!("{} is no hash: {other:?}", text(key)),
        }
    }

    fn sorted_mut(&mut self, key: &[u8]) -> &mut BTreeMap<Vec<u8>, f64> {
        match self.data_mut(key, || Data::Sorted(BTreeMap::new())) {
            Data::Sorted(set) => set,
            other => panic!("{} is no sorted set: {other:?}", text(key)),
        }
    }

    fn data_mut(&mut self, key: &[u8], made: impl FnOnce() -> Data) -> &mut Data {
        &mut self.keys.entry(key.to_vec()).or_insert_with(|| Key { data: made(), expires: None }).data
    }

    /// Only a stream may be empty.
    fn drop_empty(&mut self, key: &[u8]) {
        let is_empty = match self.keys.get(key).map(|key| &key.data) {
            Some(Data::Hash(hash)) => hash.is_empty(),
            Some(Data::Sorted(set)) => set.is_empty(),
            Some(Data::Stream(_)) | None => false,
        };
        if is_empty {
            self.keys.remove(key);
        }
    }

    fn add(&mut self, key: &[u8], rest: &[Vec<u8>]) -> Value {
        let ((number, _), value) = (id(&rest[0]), rest[2].clone());
        let Data::Stream(items) = self.data_mut(key, || Data::Stream(BTreeMap::new())) else {
            panic!("{} is no stream", text(key))
        };
        let last = items.last_key_value().map_or(0, |(last, _)| *last);
        assert!(
            number > last,
            "a script that fails doesn't roll back: {number} was to follow {last} in {}",
            text(key)
        );
        items.insert(number, [rest[1].clone(), value.clone()]);
        self.added.push((key.to_vec(), value));
        bulk(format!("{number}-0"))
    }

    fn range(&self, key: &[u8], from: &[u8], to: &[u8], count: &[Vec<u8>], newest_first: bool) -> Value {
        let Some(Key { data: Data::Stream(items), .. }) = self.keys.get(key) else {
            return Value::Array(Vec::new());
        };
        let from = match from {
            b"-" => Bound::Unbounded,
            [b'(', from @ ..] => Bound::Excluded(id(from).0),
            from => Bound::Included(id(from).0),
        };
        let to = if to == b"+" { Bound::Unbounded } else { Bound::Included(id(to).0) };
        if matches!((from, to), (Bound::Excluded(a) | Bound::Included(a), Bound::Included(b)) if a > b) {
            return Value::Array(Vec::new());
        }
        let most = if count.is_empty() { usize::MAX } else { integer(&count[1]) as usize };
        let item = |(number, [name, value]): (&u64, &[Vec<u8>; 2])| {
            let fields = Value::Array(vec![bulk(name.clone()), bulk(value.clone())]);
            Value::Array(vec![bulk(format!("{number}-0")), fields])
        };
        let items = items.range((from, to));
        Value::Array(if newest_first {
            items.rev().take(most).map(item).collect()
        } else {
            items.take(most).map(item).collect()
        })
    }

    /// `ZRANGEBYSCORE key -inf most LIMIT 0 count`
    fn due(&self, key: &[u8], rest: &[Vec<u8>]) -> Value {
        assert_eq!((&*rest[0], &*rest[2], &*rest[3]), (&b"-inf"[..], &b"LIMIT"[..], &b"0"[..]));
        let Some(Key { data: Data::Sorted(set), .. }) = self.keys.get(key) else {
            return Value::Array(Vec::new());
        };
        let most = integer(&rest[1]) as f64;
        let mut due: Vec<(f64, &Vec<u8>)> =
            set.iter().filter(|(_, score)| **score <= most).map(|(name, score)| (*score, name)).collect();
        due.sort_by(|a, b| a.partial_cmp(b).expect("scores are numbers"));
        let count = integer(&rest[4]) as usize;
        Value::Array(due.into_iter().take(count).map(|(_, name)| bulk(name.clone())).collect())
    }

    /// `ZRANGEBYLEX key - + LIMIT 0 count`, or after a name; all have one score.
    fn named(&self, key: &[u8], rest: &[Vec<u8>]) -> Value {
        assert_eq!((&*rest[1], &*rest[2], &*rest[3]), (&b"+"[..], &b"LIMIT"[..], &b"0"[..]));
        let Some(Key { data: Data::Sorted(set), .. }) = self.keys.get(key) else {
            return Value::Array(Vec::new());
        };
        let from = match &*rest[0] {
            b"-" => Bound::Unbounded,
            [b'(', name @ ..] => Bound::Excluded(name),
            other => panic!("the model doesn't know names from {}", text(other)),
        };
        let names = set.range::<[u8], _>((from, Bound::Unbounded)).take(integer(&rest[4]) as usize);
        Value::Array(names.map(|(name, _)| bulk(name.clone())).collect())
    }

    fn expire(&mut self, key: &[u8], at: Option<i64>) -> Value {
        let Some(key) = self.keys.get_mut(key) else { return Value::Int(0) };
        key.expires = at;
        Value::Int(1)
    }
}

/// Both halves of a stream's id; the second is always 0 here.
fn id(word: &[u8]) -> (u64, u64) {
    let (number, zero) = text(word).split_once('-').expect("an id of two halves");
    (number.parse().expect("a number"), zero.parse().expect("a number"))
}
