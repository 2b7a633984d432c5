-- The whole of `append.lua`, for every case.
--
-- Gives {"stored", now [, past where the log begins]} | {"conflict", now, where, last in a log without a place, entries, meta}
--     | {"turn", now, ms} | {"format", now, format} | {"backlog", now}
local mode, fresh, begins = struct.unpack('>BBI8', head, 98)
-- What only ends something has a reserve beyond what may wait for the archive: a step that can't end would be there for ever.
local bytes_hard = BYTES_HARD
if mode >= 4 then mode, bytes_hard = mode - 4, BYTES_HARD + BYTES_RESERVED end
-- `begins`: where the place begins an epoch, the last sequence of a log without `meta` that it may replace, and one more; `is_fresh`:
-- the state knows of nothing before these entries.
local is_fresh, replica = fresh == 1, string.sub(head, 108, 123)
-- What is put back needs no turn. Others wait for a while after it, so that who holds what comes after it puts that back first.
local wants_turn, puts_back = mode == 1, mode == 2
-- Without a message's head nothing is to be written.
local only_compares = string.byte(head, 124) == 0
local where, sequence = string.sub(head, 3, 34), sequence_of(string.sub(head, 3, 34))
local TURN_MS, SETTLE_MS, NOBODY = 20, 500, '-'

local known = read(meta)
if known.format > FORMAT then return {'format', now, known.format} end

local is_known = known.where and now < known.expires + TOMBSTONE
-- What the archive doesn't have yet doesn't expire.
-- Where nothing has begun, it is only known that something was there (restore.lua), whatever the clock says.
local has_begun = is_known and known.began <= known.sequence
local is_expired = is_known
    and (not has_begun or now >= known.expires and (not IS_GATED or known.archived >= known.sequence))

-- How long it is somebody's turn. No turn is longer than this, but a clock may go back.
local turn_left = known.turn and known.turn_until - now or 0
if turn_left > SETTLE_MS then turn_left = 0 end
-- Something was put back, and who holds more may be about to put that back as well.
local is_settling = known.turn == NOBODY and turn_left > 0

-- Where a log ends whose `meta` was lost: a new epoch begins above.
local function last_in_log()
    if known.where then return 0 end
    local last = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)
    return last[1] and tonumber(string.match(last[1][1], '^%d+')) or 0
end

-- What the writer missed: the entries, where they still lead there, otherwise the state.
local function conflict()
    if not is_known then return {'conflict', now, '', last_in_log(), {}, {}} end
    if wants_turn and not is_settling then
        known.turn, known.turn_until = replica, now + TURN_MS
        write(meta, known, {'turn', replica, 'turn_until', known.turn_until})
    end
    local missed, bytes = {}, 0
    -- Who still knows what has expired since can't go on with what began anew after it.
    local is_of_before = not is_fresh and sequence < known.began
    local continues = string.sub(known.where, 1, 16) == string.sub(where, 1, 16) and not is_expired and not is_of_before
        and sequence + 1 >= known.oldest and sequence < known.sequence
    if continues then
        for _, item in ipairs(redis.call('XRANGE', log, '(' .. sequence .. '-0', '+', 'COUNT', 256)) do
            bytes = bytes + #item[2][2]
            if #missed > 0 and bytes > MISSED_MAX then break end
            missed[#missed + 1] = item[2][2]
        end
    end
    local state = #missed == 0 and redis.call('HGETALL', meta) or {}
    return {'conflict', now, known.where, 0, missed, state}
end

if is_known then
    if known.where ~= where then return conflict() end
    if is_expired and not is_fresh and not only_compares then return conflict() end
elseif begins == 0 or begins - 1 < last_in_log() then
    return conflict()
end
-- That nothing else is known isn't told meanwhile: a step would be unknown that somebody was told was stored.
if only_compares then
    if is_settling then return {'turn', now, turn_left} end
    return {'stored', now}
end
if not puts_back and known.turn ~= replica and turn_left > 0 then return {'turn', now, turn_left} end
local size, weight = 18, 0
for index = 3, first_field - 1 do
    size = size + 4 + #ARGV[index]
    weight = weight + #ARGV[index] + ENTRY_WEIGHT
end
if IS_GATED and is_known and known.bytes + size > bytes_hard and known.archived < known.oldest then return {'backlog', now} end

-- From here on everything is written.
local is_new, archived = not is_known or is_expired, known.archived
local changed, past = {}, nil
if is_new then
    -- What was there before stays known: who still holds it mustn't take it for lost.
    local before = redis.call('HMGET', meta, 'past', 'epoch', 'forgotten')
    past = before[1] or ((before[2] or before[3]) and '*' or '')
    redis.call('DEL', meta, log, latest)
    known = {oldest = sequence + 1, bytes = 0, renew = 0, archived = 0, began = sequence + 1}
    -- First: a writer that puts back what was lost says it itself, and the last one counts.
    changed = {'past', past, 'began', known.began, unpack(begun(where))}
end
for index = 1, entries do redis.call('XADD', log, sequence + index .. '-0', 'e', ARGV[2 + index]) end
known.where, known.sequence = string.sub(head, 37, 68), sequence + entries
known.oldest, known.bytes = trim(log, {
    oldest = known.oldest, newest = known.sequence, bytes = known.bytes + weight, entries_max = ENTRIES_MAX, bytes_max = BYTES_MAX,
    slack = SLACK, upto = IS_GATED and archived or nil,
})
known.expires = expires_next
for index = first_field, first_slot - 1 do changed[#changed + 1] = ARGV[index] end

-- The keys' own expiry only clears up: it is renewed now and then, not with every append. While the archive is behind
-- there is none; it sets one when it has caught up.
-- A step that has ended with much of its time left doesn't keep them any more.
local is_due = not IS_GATED and (known.expires > known.renew or known.renew > known.expires + TTL)
local is_held = IS_GATED and known.renew > 0
local left = known.expires + QUARTER_TTL - now
if is_due then known.renew = now + left elseif is_held then known.renew = 0 end
-- A turn ends with the append of whose it is, or of anybody once it is over.
if puts_back then
    known.turn, known.turn_until = NOBODY, now + SETTLE_MS
    for _, word in ipairs({'turn', NOBODY, 'turn_until', known.turn_until}) do changed[#changed + 1] = word end
elseif known.turn then
    known.turn = false
    redis.call('HDEL', meta, 'turn', 'turn_until')
end
write(meta, known, changed)

local newest = {}
for index = 0, slots - 1 do
    newest[#newest + 1] = ARGV[first_slot + index]
    newest[#newest + 1] = ARGV[2 + struct.unpack('>I4', head, 142 + 4 * index)]
end
set(latest, newest)
if is_due then
    redis.call('PEXPIRE', log, left)
    redis.call('PEXPIRE', latest, left)
    redis.call('PEXPIRE', meta, left + TOMBSTONE)
elseif is_held then
    for _, key in ipairs(KEYS) do redis.call('PERSIST', key) end
end
if own_listeners < 0 or redis.call('PUBSUB', 'NUMSUB', channel)[2] > own_listeners then
    local message = {string.sub(head, 124, 141)}
    for index = 3, first_field - 1 do
        message[#message + 1] = struct.pack('>I4', #ARGV[index])
        message[#message + 1] = ARGV[index]
    end
    redis.call('PUBLISH', channel, table.concat(message))
end
if is_new then return {'stored', now, past} end
return {'stored', now}
