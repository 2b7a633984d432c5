-- Puts the state that a replica holds in the place of what the store has, in another epoch above both: the store had lost it, and
-- something else was begun, or went on, in its place. The log begins anew, and readers are told by verdict.
--
-- KEYS  meta, log, latest
-- ARGV  as named below; then the fields of the state (name, value), then the slots of `latest` (name, entry)
-- Gives 1, or 0 where the store has moved on meanwhile
local now = time(tonumber(ARGV[1]))
local epoch, sequence, chain = ARGV[5], ARGV[6], ARGV[7]
local format, past, keep_until, ttl, is_gated = ARGV[8], ARGV[9], tonumber(ARGV[10]), tonumber(ARGV[11]), ARGV[12] == '1'
local tombstone, keeps_latest, channel, message = tonumber(ARGV[13]), ARGV[14] == '1', ARGV[15], ARGV[16]
local FIRST_FIELD = 18

local known = redis.call('HMGET', KEYS[1], 'epoch', 'sequence', 'chain')
if known[1] ~= ARGV[2] or known[2] ~= ARGV[3] or known[3] ~= ARGV[4] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2])
if not keeps_latest then redis.call('DEL', KEYS[3]) end
local expires = math.max(now + ttl, keep_until)
local left = expires + math.floor(ttl / 4) - now
local slots = FIRST_FIELD + 2 * tonumber(ARGV[17])
local fields = {'format', format, 'epoch', epoch, 'sequence', sequence, 'chain', chain, 'past', past, 'oldest', tonumber(sequence) + 1,
    'bytes', 0, 'archived', 0, 'began', 0, 'expires', expires}
for index = FIRST_FIELD, slots - 1 do fields[#fields + 1] = ARGV[index] end
if not is_gated then
    fields[#fields + 1] = 'renew'
    fields[#fields + 1] = now + left
end
set(KEYS[1], fields)
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
