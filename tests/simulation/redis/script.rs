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

/// `struct.unpack('>I4', text, at)`: the number and the place after it.
fn unpack(_: &Lua, (format, text, at): (String, mlua::LuaString, usize)) -> mlua::Result<(f64, usize)> {
    assert_eq!(format, ">I4", "the only format that the scripts use");
    let bytes = text.as_bytes();
    let four: [u8; 4] = bytes[at - 1..at + 3].try_into().expect("four bytes");
    Ok((f64::from(u32::from_be_bytes(four)), at + 4))
}
