-- Appends entries to a session's log if it stands where the writer thinks, or says what the writer missed. Without a message it
-- only compares. Every check precedes the first write: a failing script doesn't roll back.
--
-- This part does it where nothing else is to be done, as with nearly every append; it builds no table and no function, for these cost as
-- much as the work. `append_any.lua`, which follows, does it in every case, and alone says why something isn't stored.
--
-- KEYS  meta, log, latest
-- ARGV  head (`head.rs`), channel; the entries; the changed fields of the state (name, value); the slots of `latest`
-- Gives the time, where that is all there is to say, or what `append_any.lua` gives
local meta, log, latest, head, channel = KEYS[1], KEYS[2], KEYS[3], ARGV[1], ARGV[2]
local now, keep_until, entries, fields, slots, own_listeners = struct.unpack('>I8I8I4I4I4b', head, 69)
if now == 0 then
    local parts = redis.call('TIME')
    now = parts[1] * 1000 + math.floor(parts[2] / 1000)
end
local first_field, first_slot = 3 + entries, 3 + entries + 2 * fields
local expires_next = now + TTL
if keep_until > expires_next then expires_next = keep_until end

local place = redis.call('HGET', meta, 'place')
-- One comparison: of the layout, of the place, and of the mark, which says that no turn and no beginning is to be looked at.
if place and string.sub(place, 1, 34) == string.sub(head, 1, 34) then
    local sequence, oldest, bytes, expires, renew, archived = struct.unpack('>I8xxxxxxxxI8I8I8I8I8', place, 19)
    for index = 3, first_field - 1 do bytes = bytes + #ARGV[index] + ENTRY_WEIGHT end
    local is_renewed
    if IS_GATED then is_renewed = renew == 0 else is_renewed = expires_next <= renew and renew <= expires_next + TTL end
    if is_renewed and now < expires and sequence + entries - oldest < ENTRIES_MOST and bytes <= BYTES_MOST then
        redis.call('XADD', log, string.sub(head, 142 + 4 * slots), 'e', ARGV[3])
        for index = 2, entries do redis.call('XADD', log, sequence + index .. '-0', 'e', ARGV[2 + index]) end
        place = string.sub(head, 35, 68) .. struct.pack('>I8I8I8I8I8', oldest, bytes, expires_next, renew, archived)
        redis.call('HSET', meta, 'place', place, unpack(ARGV, first_field, first_slot - 1))
        for index = 0, slots - 1 do
            redis.call('HSET', latest, ARGV[first_slot + index], ARGV[2 + struct.unpack('>I4', head, 142 + 4 * index)])
        end
        -- Nobody is told what only this writer listens to. Publishing is a hint: who misses it finds the entries in the log.
        if own_listeners < 0 or redis.call('PUBSUB', 'NUMSUB', channel)[2] > own_listeners then
            local message = string.sub(head, 124, 141)
            for index = 3, first_field - 1 do message = message .. struct.pack('>I4', #ARGV[index]) .. ARGV[index] end
            redis.call('PUBLISH', channel, message)
        end
        return now
    end
end
