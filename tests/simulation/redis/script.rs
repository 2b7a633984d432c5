//! Scripts, run by Lua 5.1 as Redis does: the very texts that the service sends.

use std::collections::BTreeMap;
use std::sync::Arc;

use mlua::{Function, Lua, MultiValue, Table};
use parking_lot::Mutex;
use redis::Value;

use super::data::{Database, Words};

/// Runs scripts on a database.
pub struct Scripts {
    lua: Lua,
    known: Mutex<BTreeMap<Vec<u8>, Function>>,
}

impl Scripts {
    pub fn on(database: &Arc<Mutex<Database>>) -> Self {
        let lua = Lua::new();
        let (redis, structs) = (lua.create_table().unwrap(), lua.create_table().unwrap());
        let database = database.clone();
        let call = lua.create_function(move |lua, words: MultiValue| {
            let words: Words = words.iter().map(word).collect();
            let answer = database.lock().run(&words);
            to_lua(lua, answer)
        });
        redis.set("call", call.unwrap()).unwrap();
        structs.set("unpack", lua.create_function(unpack).unwrap()).unwrap();
        structs.set("pack", lua.create_function(pack).unwrap()).unwrap();
        lua.globals().set("redis", redis).unwrap();
        lua.globals().set("struct", structs).unwrap();
        Self { lua, known: Mutex::default() }
    }

    /// Forgets all scripts, as `SCRIPT FLUSH` and a restart do.
    pub fn forget(&self) {
        self.known.lock().clear();
    }

    /// `EVALSHA`; `None` where the script isn't known.
    pub fn run(&self, sha1: &[u8], words: &[Vec<u8>]) -> Option<Value> {
        let script = self.known.lock().get(sha1).cloned()?;
        Some(self.call(&script, words))
    }

    /// `EVAL`: from now on the script is known by its hash.
    pub fn run_text(&self, text: &[u8], words: &[Vec<u8>]) -> Value {
        let sha1 = redis::Script::new(std::str::from_utf8(text).unwrap()).get_hash().as_bytes().to_vec();
        let script = self.known.lock().get(&sha1).cloned();
        let script = script.unwrap_or_else(|| {
            let script = self.lua.load(text).into_function().expect("a script that Lua takes");
            self.known.lock().insert(sha1, script.clone());
            script
        });
        self.call(&script, words)
    }

    /// `words`: how many keys, the keys, the arguments.
    fn call(&self, script: &Function, words: &[Vec<u8>]) -> Value {
        let keys: usize = std::str::from_utf8(&words[0]).unwrap().parse().unwrap();
        let table = |words: &[Vec<u8>]| -> Table {
            self.lua
                .create_sequence_from(words.iter().map(|word| self.lua.create_string(word).unwrap()))
                .unwrap()
        };
        self.lua.globals().set("KEYS", table(&words[1..=keys])).unwrap();
        self.lua.globals().set("ARGV", table(&words[keys + 1..])).unwrap();
        let answer = script
            .call(())
            .unwrap_or_else(|error| panic!("a script failed, which doesn't roll back: {error}"));
        from_lua(answer)
    }
}

/// An argument of `redis.call`.
fn word(value: &mlua::Value) -> Vec<u8> {
    match value {
        mlua::Value::String(text) => text.as_bytes().to_vec(),
        mlua::Value::Integer(number) => number.to_string().into(),
        // How Redis writes a fraction, or what is larger, isn't modelled.
        mlua::Value::Number(number) if number.fract() == 0.0 && number.abs() < 9e15 => {
            number.to_string().into()
        }
        other => panic!("no argument of a command: {other:?}"),
    }
}

fn to_lua(lua: &Lua, answer: Value) -> mlua::Result<mlua::Value> {
    Ok(match answer {
        Value::Nil => mlua::Value::Boolean(false),
        Value::Int(number) => mlua::Value::Number(number as f64),
        Value::BulkString(bytes) => mlua::Value::String(lua.create_string(bytes)?),
        Value::Array(items) => {
            let table = lua.create_table()?;
            for (index, item) in items.into_iter().enumerate() {
                table.set(index + 1, to_lua(lua, item)?)?;
            }
            mlua::Value::Table(table)
        }
        other => panic!("no answer to a script: {other:?}"),
    })
}

fn from_lua(value: mlua::Value) -> Value {
    match value {
        mlua::Value::Nil | mlua::Value::Boolean(false) => Value::Nil,
        mlua::Value::Boolean(true) => Value::Int(1),
        mlua::Value::Integer(number) => Value::Int(number),
        mlua::Value::Number(number) => Value::Int(number as i64),
        mlua::Value::String(text) => Value::BulkString(text.as_bytes().to_vec()),
        // As Redis does: up to the first `nil`.
        mlua::Value::Table(table) => {
            Value::Array(table.sequence_values().map(|item| from_lua(item.unwrap())).collect())
        }
        other => panic!("no answer of a script: {other:?}"),
    }
}

/// What stands at a place of a binary layout.
enum Part {
    /// A number of so many bytes.
    Number(usize),
    /// One byte with a sign.
    Signed,
    /// So many bytes as they are.
    Bytes(usize),
    /// A byte that isn't looked at.
    Skipped,
}

/// A layout of Redis' `struct`, as far as the scripts use it: big-endian `B`, `b`, `I4`, `I8`, `c` with a length, `x`.
fn layout(format: &str) -> Vec<Part> {
    let mut rest = format.strip_prefix('>').expect("numbers are big-endian").chars().peekable();
    let mut parts = Vec::new();
    while let Some(kind) = rest.next() {
        let mut size = 0;
        while let Some(digit) = rest.peek().and_then(|digit| digit.to_digit(10)) {
            size = size * 10 + digit as usize;
            rest.next();
        }
        parts.push(match (kind, size) {
            ('B', 0) => Part::Number(1),
            ('b', 0) => Part::Signed,
            ('I', 4 | 8) => Part::Number(size),
            ('c', 1..) => Part::Bytes(size),
            ('x', 0) => Part::Skipped,
            other => panic!("the model doesn't know {other:?} of {format}"),
        });
    }
    parts
}

/// `struct.unpack(format, text, at)`: what is there, and the place after it.
fn unpack(
    lua: &Lua,
    (format, text, at): (String, mlua::LuaString, Option<usize>),
) -> mlua::Result<mlua::Variadic<mlua::Value>> {
    let (bytes, mut at) = (text.as_bytes(), at.unwrap_or(1) - 1);
    let mut found = mlua::Variadic::new();
    for part in layout(&format) {
        let size = match part {
            Part::Number(size) | Part::Bytes(size) => size,
            Part::Signed | Part::Skipped => 1,
        };
        let of = bytes.get(at..at + size).expect("what is unpacked is long enough");
        at += size;
        found.push(match part {
            Part::Number(_) => {
                mlua::Value::Number(of.iter().fold(0.0, |sum, byte| sum * 256.0 + f64::from(*byte)))
            }
            Part::Signed => mlua::Value::Number(f64::from(of[0] as i8)),
            Part::Bytes(_) => mlua::Value::String(lua.create_string(of)?),
            Part::Skipped => continue,
        });
    }
    found.push(mlua::Value::Number((at + 1) as f64));
    Ok(found)
}

/// `struct.pack(format, …)`.
fn pack(lua: &Lua, (format, values): (String, MultiValue)) -> mlua::Result<mlua::LuaString> {
    let (mut out, mut values) = (Vec::new(), values.into_iter());
    for part in layout(&format) {
        let value = values.next().expect("a value for each part");
        match (part, &value) {
            (Part::Number(size), mlua::Value::Integer(number)) => {
                let count = u64::try_from(*number).expect("a count");
                out.extend(&count.to_be_bytes()[8 - size..]);
            }
            (Part::Number(size), mlua::Value::Number(number)) => {
                assert!(*number >= 0.0 && number.fract() == 0.0 && *number < 1e16, "{number} is no count");
                out.extend(&(*number as u64).to_be_bytes()[8 - size..]);
            }
            (Part::Bytes(size), mlua::Value::String(text)) => out.extend(&text.as_bytes()[..size]),
            (_, other) => panic!("{other:?} can't be packed by {format}"),
        }
    }
    lua.create_string(out)
}
