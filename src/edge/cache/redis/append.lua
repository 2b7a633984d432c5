-- Appends entries to a session's log if it stands where the writer thinks, or says what the writer missed. With an empty
-- message it only compares. Every check precedes the first write: a failing script doesn't roll back.
--
-- KEYS  meta, log, latest
-- ARGV  as named below, and the number of changed fields; then the changed fields of the state (name, value), then the slots of `latest` (name, index of
--       the entry in the message)
-- Gives {"stored", now [, past where the log begins]} | {"conflict", now, epoch, sequence, chain, entries, meta} | {"turn", now, ms}
--     | {"format", now, format} | {"backlog", now}
local meta, log, latest = KEYS[1], KEYS[2], KEYS[3]
local now = time(tonumber(ARGV[1]))
local epoch, sequence, chain = ARGV[2], ARGV[3], ARGV[4]
local new_sequence, new_chain = ARGV[5], ARGV[6]
-- `begins`: where the place begins an epoch, the last sequence of a log without `meta` that it may replace; `is_fresh`:
-- the state knows of nothing before these entries.
local begins, is_fresh, keep_until = tonumber(ARGV[7]), ARGV[8] == '1', tonumber(ARGV[9])
-- What is put back needs no turn. Others wait for a while after it, so that who holds what comes after it puts that back first.
local replica, wants_turn, puts_back = ARGV[10], ARGV[11] == 'wanted', ARGV[11] == 'puts-back'
local channel, own_listeners, message = ARGV[12], tonumber(ARGV[13]), ARGV[14]
local FIRST_FIELD, MESSAGE_HEAD, TURN_MS, SETTLE_MS, NOBODY = 16, 18, 20, 500, '-'

local known = redis.call('HMGET', meta, 'format', 'epoch', 'sequence', 'chain', 'oldest', 'bytes', 'archived',
    'expires', 'renew', 'turn', 'turn_until', 'began')
if known[1] and tonumber(known[1]) > FORMAT then return {'format', now, known[1]} end

local expires, archived = tonumber(known[8] or 0), tonumber(known[7] or 0)
local is_known = known[2] and now < expires + TOMBSTONE
-- What the archive doesn't have yet doesn't expire.
-- Where nothing has begun, it is only known that something was there (restore.lua), whatever the clock says.
local has_begun = is_known and tonumber(known[12] or 0) <= tonumber(known[3])
local is_expired = is_known and (not has_begun or now >= expires and (not IS_GATED or archived >= tonumber(known[3])))

-- How long it is somebody's turn. No turn is longer than this, but a clock may go back.
local turn_left = known[10] and tonumber(known[11]) - now or 0
if turn_left > SETTLE_MS then turn_left = 0 end

-- Where a log ends whose `meta` was lost: a new epoch begins above.
local function last_in_log()
    if known[2] then return 0 end
    local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)
    return last[1] and tonumber(string.match(last[1][1], '^%d+')) or 0
end

-- What the writer missed: the entries, where they still lead there, otherwise the state.
local function conflict()
    if not is_known then return {'conflict', now, '', tostring(last_in_log()), '', {}, {}} end
    local is_settling = known[10] == NOBODY and turn_left > 0
    if wants_turn and not is_settling then redis.call('HSET', meta, 'turn', replica, 'turn_until', now + TURN_MS) end
    local missed, bytes = {}, 0
    -- Who still knows what has expired since can't go on with what began anew after it.
    local is_of_before = not is_fresh and tonumber(sequence) < tonumber(known[12] or 0)
    local continues = known[2] == epoch and not is_expired and not is_of_before
        and tonumber(sequence) + 1 >= tonumber(known[5]) and tonumber(sequence) < tonumber(known[3])
    if continues then
        for _, item in ipairs(redis.call('XRANGE', log, '(' .. sequence .. '-0', '+', 'COUNT', 256)) do
            bytes = bytes + #item[2][2]
            if #missed > 0 and bytes > MISSED_MAX then break end
            missed[#missed + 1] = item[2][2]
        end
    end
    local state = #missed == 0 and redis.call('HGETALL', meta) or {}
    return {'conflict', now, known[2], known[3], known[4], missed, state}
end

if is_known then
    if known[2] ~= epoch or known[3] ~= sequence or known[4] ~= chain then return conflict() end
    if is_expired and not is_fresh and message ~= '' then return conflict() end
elseif not begins or begins < last_in_log() then
    return conflict()
end
if message == '' then return {'stored', now} end
if not puts_back and known[10] ~= replica and turn_left > 0 then return {'turn', now, turn_left} end
local oldest, bytes = tonumber(known[5] or 0), tonumber(known[6] or 0)
if IS_GATED and is_known and bytes + #message > BYTES_HARD and archived < oldest then return {'backlog', now} end

-- From here on everything is written.
local is_new = not is_known or is_expired
local past
if is_new then
    -- What was there before stays known: who still holds it mustn't take it for lost.
    local before = redis.call('HMGET', meta, 'past', 'epoch', 'forgotten')
    past = before[1] or ((before[2] or before[3]) and '*' or '')
    redis.call('DEL', meta, log, latest)
    oldest, bytes, known[9] = tonumber(sequence) + 1, 0, false
end
local was_oldest = oldest
local at, number, places = MESSAGE_HEAD + 1, tonumber(sequence), {}
while at <= #message do
    local length = struct.unpack('>I4', message, at)
    number = number + 1
    places[#places + 1] = {at + 4, at + 3 + length}
    redis.call('XADD', log, number .. '-0', 'e', string.sub(message, at + 4, at + 3 + length))
    bytes = bytes + length + ENTRY_WEIGHT
    at = at + 4 + length
end

oldest, bytes = trim(log, {
    oldest = oldest, newest = number, bytes = bytes, entries_max = ENTRIES_MAX, bytes_max = BYTES_MAX,
    slack = SLACK, upto = IS_GATED and archived or nil,
})

expires = math.max(now + TTL, keep_until)
local slots = FIRST_FIELD + 2 * tonumber(ARGV[15])
local fields = {'sequence', new_sequence, 'chain', new_chain, 'bytes', bytes, 'expires', expires}
if is_new then
    -- First: a writer that puts back what was lost says it itself, and the last one counts.
    fields = {'past', past, unpack(fields)}
end
for index = FIRST_FIELD, slots - 1 do fields[#fields + 1] = ARGV[index] end
-- What seldom changes is written when it does: turning a number into text costs as much as storing it.
if is_new then
    for _, value in ipairs({'format', FORMAT, 'epoch', epoch, 'oldest', oldest, 'began', tonumber(sequence) + 1}) do fields[#fields + 1] = value end
elseif oldest ~= was_oldest then
    fields[#fields + 1] = 'oldest'
    fields[#fields + 1] = oldest
end
-- The keys' own expiry only clears up: it is renewed now and then, not with every append. While the archive is behind
-- there is none; it sets one when it has caught up.
local is_due = not IS_GATED and expires > tonumber(known[9] or 0)
local left = expires + QUARTER_TTL - now
if is_due then
    fields[#fields + 1] = 'renew'
    fields[#fields + 1] = now + left
end
set(meta, fields)
local newest = {}
for index = slots, #ARGV - 1, 2 do
    local place = places[tonumber(ARGV[index + 1])]
    newest[#newest + 1] = ARGV[index]
    newest[#newest + 1] = string.sub(message, place[1], place[2])
end
set(latest, newest)
if is_due then
    redis.call('PEXPIRE', log, left)
    redis.call('PEXPIRE', latest, left)
    redis.call('PEXPIRE', meta, left + TOMBSTONE)
elseif IS_GATED and known[9] then
    for _, key in ipairs(KEYS) do redis.call('PERSIST', key) end
    redis.call('HDEL', meta, 'renew')
end
if puts_back then
    redis.call('HSET', meta, 'turn', NOBODY, 'turn_until', now + SETTLE_MS)
elseif known[10] == replica then
    redis.call('HDEL', meta, 'turn', 'turn_until')
end
-- Nobody is told what only this writer listens to. Publishing is a hint: who misses it finds the entries in the log.
if own_listeners < 0 or redis.call('PUBSUB', 'NUMSUB', channel)[2] > own_listeners then
    redis.call('PUBLISH', channel, message)
end
if is_new then return {'stored', now, past} end
return {'stored', now}
