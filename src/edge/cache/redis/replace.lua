-- Puts the state that a replica holds in the place of what the store has, in another epoch above both: the store had lost it, and
-- something else was begun, or went on, in its place. The log begins anew, and readers are told by verdict.
--
-- KEYS  meta, log, latest
-- ARGV  as named below; then the fields of the state (name, value), then the slots of `latest` (name, entry)
-- Gives 1, or 0 where the store has moved on meanwhile
local now, seen, where, past = time(tonumber(ARGV[1])), ARGV[2], ARGV[3], ARGV[4]
local keep_until, ttl, is_gated, tombstone = tonumber(ARGV[5]), tonumber(ARGV[6]), ARGV[7] == '1', tonumber(ARGV[8])
local keeps_latest, channel, message = ARGV[9] == '1', ARGV[10], ARGV[11]
local FIRST_FIELD = 13

if read(KEYS[1]).where ~= seen then return 0 end
redis.call('DEL', KEYS[1], KEYS[2])
if not keeps_latest then redis.call('DEL', KEYS[3]) end
local expires = math.max(now + ttl, keep_until)
local left = expires + math.floor(ttl / 4) - now
local known = {
    where = where, oldest = sequence_of(where) + 1, bytes = 0, archived = 0, began = 0, expires = expires,
    renew = is_gated and 0 or now + left,
}
local slots = FIRST_FIELD + 2 * tonumber(ARGV[12])
local fields = begun(where)
for _, word in ipairs({'past', past, 'began', 0}) do fields[#fields + 1] = word end
for index = FIRST_FIELD, slots - 1 do fields[#fields + 1] = ARGV[index] end
write(KEYS[1], known, fields)
local newest = {}
for index = slots, #ARGV do newest[#newest + 1] = ARGV[index] end
set(KEYS[3], newest)
-- What the archive doesn't have yet doesn't expire.
if is_gated then
    redis.call('PERSIST', KEYS[3])
else
    redis.call('PEXPIRE', KEYS[3], left)
    redis.call('PEXPIRE', KEYS[1], left + tombstone)
end
redis.call('PUBLISH', channel, message)
return 1
