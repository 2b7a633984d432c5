-- Puts back what only an archive knows of a session: where its log goes on, and, where it is to be live again, its state.
--
-- KEYS  meta, log, latest
-- ARGV  now or 0; where; how long it lives in ms, or 0: its time is over; tombstone in ms; the epochs that it went through before;
--       how long others wait in ms before they write, or 0; 1 where the archive may not have it; number of fields; fields (name, value); slots of `latest` (name, entry)
-- Gives 1, 0 where there is data, or the log goes on from elsewhere, or this life of it was deleted, or less where a newer version wrote it: its format, negative
local now, where, lives, tombstone = time(tonumber(ARGV[1])), ARGV[2], tonumber(ARGV[3]), tonumber(ARGV[4])
local past, settles, waits, FIRST_FIELD = ARGV[5], tonumber(ARGV[6]), ARGV[7] == '1', 9
local known = read(KEYS[1])
if known.format > FORMAT then return -known.format end
if known.where then
    local is_gone = now >= known.expires + tombstone
    local is_expired = known.began > known.sequence or now >= known.expires and known.archived >= known.sequence
    if not is_gone and (lives == 0 or not is_expired or known.where ~= where) then return 0 end
end
-- An archive that was asked before the session was deleted. While the mark of that stands nobody tells that it ever was.
local epoch = string.gsub(string.sub(where, 1, 16), '%z', '')
local mark = known.where and {} or redis.call('HMGET', KEYS[1], 'past', 'forgotten')
if lives == 0 and mark[2] then return 0 end
local function is_deleted(life) return string.find(mark[1] or '', life .. ':' .. LAST_SEQUENCE, 1, true) end
if is_deleted(epoch) then return 0 end
-- What goes on in a new epoch was deleted in the one before.
for life in string.gmatch(past, '([^%s:]+):') do
    if is_deleted(life) then return 0 end
end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
local sequence = sequence_of(where)
-- Where it doesn't live, nothing has begun since: a clock that goes back makes no session of it.
known = {
    where = where, oldest = sequence + 1, bytes = 0, archived = waits and 0 or sequence, expires = now + lives,
    renew = waits and 0 or now + lives,
    began = lives == 0 and sequence + 1 or 0, turn = settles > 0 and '-',
}
local fields = begun(where)
if known.turn then
    for _, word in ipairs({'turn', known.turn, 'turn_until', now + settles}) do fields[#fields + 1] = word end
end
for _, word in ipairs({'past', past, 'began', known.began}) do fields[#fields + 1] = word end
local slots = FIRST_FIELD + 2 * tonumber(ARGV[8])
for index = FIRST_FIELD, slots - 1 do fields[#fields + 1] = ARGV[index] end
write(KEYS[1], known, fields)
local newest = {}
for index = slots, #ARGV do newest[#newest + 1] = ARGV[index] end
set(KEYS[3], newest)
-- What the archive doesn't have yet doesn't expire.
if waits then return 1 end
redis.call('PEXPIRE', KEYS[3], math.max(1, lives))
redis.call('PEXPIRE', KEYS[1], lives + tombstone)
return 1
