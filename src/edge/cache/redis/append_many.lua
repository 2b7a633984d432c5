-- Appends to the logs of several sessions that wait at the same moment, each as the first part of `append.lua` does. It names those that
-- it didn't append to, or not wholly: they go alone, and what is there of them is found so. One server only, as a script of a cluster
-- has one slot.
--
-- The checks of a session precede its first write, and no session's failure is another's: an error is a value here (`pcall`).
--
-- KEYS  of each session: meta, log, latest
-- ARGV  the channel of each session; then of each: head (`head.rs`), the entries, the changed fields, the slots of `latest`
-- Gives the time, where all were appended, or the time and the numbers of those that weren't, from 1
local count = #KEYS / 3
local now = struct.unpack('>I8', ARGV[count + 1], 69)
if now == 0 then
    local parts = redis.call('TIME')
    now = parts[1] * 1000 + math.floor(parts[2] / 1000)
end
-- Nobody can come or go while the script runs.
local listeners = redis.call('PUBSUB', 'NUMSUB', unpack(ARGV, 1, count))
local at, left = count + 1, nil

for number = 1, count do
    local meta, log, head = KEYS[3 * number - 2], KEYS[3 * number - 1], ARGV[at]
    local keep_until, entries, fields, slots, own_listeners = struct.unpack('>I8I4I4I4b', head, 77)
    local first_field, first_slot = at + 1 + entries, at + 1 + entries + 2 * fields
    local is_appended = false
    local place = redis.pcall('HGET', meta, 'place')
    if type(place) == 'string' and string.sub(place, 1, 34) == string.sub(head, 1, 34) then
        local expires_next = now + TTL
        if keep_until > expires_next then expires_next = keep_until end
        local sequence, oldest, bytes, expires, renew, archived = struct.unpack('>I8xxxxxxxxI8I8I8I8I8', place, 19)
        for index = at + 1, first_field - 1 do bytes = bytes + #ARGV[index] + ENTRY_WEIGHT end
        local is_renewed
        if IS_GATED then is_renewed = renew == 0 else is_renewed = expires_next <= renew and renew <= expires_next + TTL end
        if is_renewed and now < expires and sequence + entries - oldest < ENTRIES_MOST and bytes <= BYTES_MOST then
            is_appended = type(redis.pcall('XADD', log, string.sub(head, 142 + 4 * slots), 'e', ARGV[at + 1])) == 'string'
        end
        if is_appended then
            -- An error is a table.
            for index = 2, entries do
                local id = redis.pcall('XADD', log, sequence + index .. '-0', 'e', ARGV[at + index])
                is_appended = is_appended and type(id) ~= 'table'
            end
            place = string.sub(head, 35, 68) .. struct.pack('>I8I8I8I8I8', oldest, bytes, expires_next, renew, archived)
            local set = redis.pcall('HSET', meta, 'place', place, unpack(ARGV, first_field, first_slot - 1))
            is_appended = is_appended and type(set) ~= 'table'
            for index = 0, slots - 1 do
                local entry = ARGV[at + struct.unpack('>I4', head, 142 + 4 * index)]
                set = redis.pcall('HSET', KEYS[3 * number], ARGV[first_slot + index], entry)
                is_appended = is_appended and type(set) ~= 'table'
            end
            if own_listeners < 0 or listeners[2 * number] > own_listeners then
                local message = string.sub(head, 124, 141)
                for index = at + 1, first_field - 1 do message = message .. struct.pack('>I4', #ARGV[index]) .. ARGV[index] end
                local told = redis.pcall('PUBLISH', ARGV[number], message)
                is_appended = is_appended and type(told) ~= 'table'
            end
        end
    end
    if not is_appended then
        left = left or {now}
        left[#left + 1] = number
    end
    at = first_slot + slots
end
return left or now
