//! Lists of commands by chance, as they are and from within a script, and what a script's answer is made of.

use std::sync::Arc;

use fastrand::Rng;

use super::twins::Twins;
use crate::redis_server::RedisServer;

const LISTS: u64 = 12;
const COMMANDS: usize = 120;

/// Each of these was answered, by both alike.
const NAMES: &[&str] = &[
    "DEL",
    "EVAL",
    "EVALSHA",
    "HDEL",
    "HGET",
    "HGETALL",
    "HINCRBY",
    "HKEYS",
    "HMGET",
    "HSET",
    "HSTRLEN",
    "HVALS",
    "KEYS",
    "PERSIST",
    "PEXPIRE",
    "PTTL",
    "PUBLISH",
    "PUBSUB",
    "TYPE",
    "XADD",
    "XRANGE",
    "XREVRANGE",
    "XTRIM",
    "ZADD",
    "ZRANGEBYLEX",
    "ZRANGEBYSCORE",
    "ZREM",
    "ZSCORE",
];

/// Runs whatever command it is given.
const ANY: &str = "return redis.call(unpack(ARGV))";

struct Maker {
    rng: Rng,
    /// The last id of each stream.
    last: [u64; 2],
}

fn words(text: &str) -> Vec<Vec<u8>> {
    text.split(' ').map(|word| word.as_bytes().to_vec()).collect()
}

impl Maker {
    fn name(&mut self) -> String {
        format!("f{}", self.rng.u8(..6))
    }

    fn command(&mut self) -> Vec<Vec<u8>> {
        let key = self.rng.usize(..2);
        let (name, other, number) = (self.name(), self.name(), self.rng.i64(-9..99));
        words(&match self.rng.u8(..20) {
            0 => {
                let mut set = words(&format!("HSET h{key} {name} {number} {other}"));
                set.push(vec![0, 255, self.rng.u8(..), b'\r', b'\n']);
                return set;
            }
            1 => format!("HSET h{key} {name} {number}"),
            2 => format!("HDEL h{key} {name} {other} f9"),
            3 if self.rng.bool() => format!("HGET h{key} {name}"),
            3 => format!("HMGET h{key} {name} {other} {name} f9"),
            4 if self.rng.bool() => format!("HVALS h{key}"),
            4 if self.rng.bool() => format!("HKEYS h{key}"),
            4 => format!("HSTRLEN h{key} {name}"),
            5 => format!("HGETALL h{key}"),
            6 => format!("HINCRBY n{key} {name} {number}"),
            7..10 => {
                self.last[key] += self.rng.u64(1..4);
                let value = "x".repeat(self.rng.usize(1..200));
                format!("XADD s{key} {}-0 e {value}", self.last[key])
            }
            10 => format!("XTRIM s{key} MINID {}-0", self.place(key)),
            11..13 => self.range(key),
            13 if self.rng.bool() => format!("ZADD l{key} 0 {name}"),
            13 => format!("ZADD z{key} {number} {name}"),
            14 if self.rng.bool() => format!("ZSCORE z{key} {name}"),
            14 => format!("ZREM z{key} {name}"),
            15 if self.rng.bool() => {
                let from = [format!("({name}"), "-".into()][self.rng.usize(..2)].clone();
                format!("ZRANGEBYLEX l{key} {from} + LIMIT 0 {}", self.rng.u8(1..4))
            }
            15 => format!("ZRANGEBYSCORE z{key} -inf {number} LIMIT 0 {}", self.rng.u8(1..4)),
            16 => format!("PEXPIRE {} {}", self.any(), [1_000_000, 9_000_000, 0, -5][self.rng.usize(..4)]),
            17 => format!("PERSIST {}", self.any()),
            18 if self.rng.u8(..3) == 0 => {
                let (one, another) = (self.any(), self.any());
                self.last = self.last.map(|last| last + 1);
                format!("DEL {one} {another} {one}")
            }
            18 => format!("PUBSUB NUMSUB {name}"),
            _ => format!("PUBLISH {name} {number}"),
        })
    }

    fn any(&mut self) -> String {
        format!("{}{}", ["h", "n", "s", "z"][self.rng.usize(..4)], self.rng.u8(..2))
    }

    fn place(&mut self, stream: usize) -> u64 {
        self.rng.u64(..self.last[stream] + 3)
    }

    fn range(&mut self, key: usize) -> String {
        let (from, to) = (self.place(key), self.place(key));
        let from = [format!("{from}-0"), format!("({from}-0"), "-".into()][self.rng.usize(..3)].clone();
        let to = [format!("{to}-0"), "+".into()][self.rng.usize(..2)].clone();
        let count = ["".into(), format!(" COUNT {}", self.rng.u8(1..9))][self.rng.usize(..2)].clone();
        if self.rng.bool() && !from.starts_with('(') {
            format!("XREVRANGE s{key} {to} {from}{count}")
        } else {
            format!("XRANGE s{key} {from} {to}{count}")
        }
    }
}

#[tokio::test]
async fn the_model_answers_lists_of_commands_as_a_redis_does() {
    let server = Arc::new(RedisServer::start());
    let mut answered = std::collections::BTreeSet::new();
    for seed in 0..LISTS {
        let twins = Twins::on(server.clone()).await;
        let sha1 = redis::Script::new(ANY).get_hash().to_owned();
        twins.ask(&["EVAL", ANY, "0", "HVALS", "none"]).await;
        let mut maker = Maker { rng: Rng::with_seed(seed), last: [0; 2] };
        for turn in 0..COMMANDS {
            let mut command = maker.command();
            // What a hash is read into has no order; within a script it would have to be found again.
            if maker.rng.bool() && !matches!(&*command[0], b"HGETALL" | b"HKEYS" | b"HVALS") {
                command.splice(..0, words(&format!("EVALSHA {sha1} 0")));
            }
            twins.ask(&command).await;
            if turn % 10 == 9 {
                twins.hold_the_same().await;
            }
        }
        answered.extend(twins.agreed().into_keys());
    }
    let missing: Vec<_> = NAMES.iter().filter(|name| !answered.contains(**name)).collect();
    assert!(missing.is_empty(), "never asked: {missing:?}");
}

#[tokio::test]
async fn the_model_gives_a_scripts_answer_as_a_redis_does() {
    let twins = Twins::start().await;
    for answer in [
        "nil",
        "true",
        "false",
        "3.9",
        "-3.9",
        "0",
        "1795000000123",
        "'text'",
        "''",
        "{}",
        "{1, 'two', {3, {}}, '4'}",
        "{1, false, true, 2}",
        "{1, nil, 3}",
        "{KEYS[1], ARGV[1], #KEYS, #ARGV, ARGV[2]}",
        "tostring(1795000000123 + 1)",
        "1795000000123 .. '-0'",
        "tonumber('12abc')",
        "tonumber(redis.call('HSET', 'h', 'a', 7))",
        "{redis.call('HINCRBY', 'h', 'a', -9), redis.call('HMGET', 'h', 'a', 'b')}",
        "redis.call('HMGET', 'h', 'a', 'b')[2] == false",
        "type(redis.call('XADD', 's', '5-0', 'e', 'x'))",
        "redis.call('XRANGE', 's', '-', '+', 'COUNT', 1)[1][2][2]",
        "{redis.call('PEXPIRE', 'h', 1000000), redis.call('DEL', 'h', 's')}",
        "redis.call('HGET', 'h', 'a') == false",
        "{struct.unpack('>I4', '..' .. string.char(1, 2, 254, 255) .. '.', 3)}",
        "{struct.unpack('>BbxI4I8c3B', struct.pack('>BBBI4I8c3B', 255, 254, 7, 4294967295, 9007199254740991, 'abc', 2))}",
        "struct.pack('>BI8c4I4', 7, 1795000000123, 'four and more', 70000)",
        "(string.gsub('00ff10', '%x%x', function(two) return string.char(tonumber(two, 16)) end))",
        "(string.gsub('abc\\0\\0', '%z', ''))",
        "table.concat({'a', struct.pack('>I4', 5), string.rep('\\0', 2)})",
        "math.floor(7 / 2)",
        "string.match('123-0', '^%d+')",
        "#string.sub('\\0\\255abc', 2, 3)",
    ] {
        twins.ask(&["EVAL", &format!("return {answer}"), "1", "key", "one", "two"]).await;
    }
    twins.ask(&["PING"]).await;
    twins.ask(&["TIME"]).await;
    twins.hold_the_same().await;
    twins.agreed();
}
