-- Puts entries in front of a log that was put back without its beginning, or that Redis let go of alone, as many of the newest as a log
-- may hold. What stands in it stays, byte for byte.
--
-- KEYS  meta, log, latest
-- ARGV  epoch, padded as in `where`; the oldest entry as it was seen, and its chain, or where there is none the sequence and the chain
--       that lead to the next; the first of those to put in front; 1 where nobody has more; entries and bytes of a log at most; channel;
--       message; number of entries; now or 0; entries; then slots of `latest` (name, entry), each kept where it is known
-- Gives how many were put in front; less than 0 where a newer version wrote the session: its format, negative
local epoch, oldest, chain, first, is_all = ARGV[1], tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4]), ARGV[5] == '1'
local entries_max, bytes_max, count, FIRST_ENTRY = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[10]), 12
local known = read(KEYS[1])
if known.format > FORMAT then return -known.format end
if not known.where or string.sub(known.where, 1, 16) ~= epoch then return 0 end
local head = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)[1]
local begins = head and tonumber(string.match(head[1], '^%d+')) or known.sequence + 1
if begins ~= oldest or (head and string.sub(head[2][2], 25, 32) or string.sub(known.where, 25, 32)) ~= chain then return 0 end
-- The place says that there should be more.
local is_lost = known.oldest < begins
if not is_lost and (known.oldest ~= begins or not redis.call('HGET', KEYS[1], 'torn')) then return 0 end
local stored = redis.call('XRANGE', KEYS[2], '-', '+')
if is_lost then
    known.bytes = 0
    for _, item in ipairs(stored) do known.bytes = known.bytes + #item[2][2] + ENTRY_WEIGHT end
end

local from = count
while from > 0 do
    local weight = #ARGV[FIRST_ENTRY + from - 1] + ENTRY_WEIGHT
    if known.sequence - oldest + 2 + count - from > entries_max or known.bytes + weight > bytes_max then break end
    known.bytes, from = known.bytes + weight, from - 1
end
if not is_lost and (from > 0 or is_all) then redis.call('HDEL', KEYS[1], 'torn') end
if from < count then
    local left = redis.call('PTTL', KEYS[2])
    -- What was lost took its time with it, and what began since has none.
    if is_lost and redis.call('PTTL', KEYS[1]) > 0 then left = math.max(1, known.renew - time(tonumber(ARGV[11]))) end
    redis.call('DEL', KEYS[2])
    for index = from, count - 1 do redis.call('XADD', KEYS[2], first + index .. '-0', 'e', ARGV[FIRST_ENTRY + index]) end
    for _, item in ipairs(stored) do redis.call('XADD', KEYS[2], item[1], 'e', item[2][2]) end
    if left > 0 then redis.call('PEXPIRE', KEYS[2], left) end
    -- Where somebody holds more of what was lost, it is known by this that it lacks.
    if not is_lost or from > 0 then known.oldest = first + from end
    write(KEYS[1], known, {})
end
local newest = {}
for index = FIRST_ENTRY + count, #ARGV, 2 do
    if not redis.call('HGET', KEYS[3], ARGV[index]) then
        newest[#newest + 1] = ARGV[index]
        newest[#newest + 1] = ARGV[index + 1]
    end
end
local left = redis.call('PTTL', KEYS[2])
set(KEYS[3], newest)
if left > 0 and #newest > 0 then redis.call('PEXPIRE', KEYS[3], left) end
redis.call('PUBLISH', ARGV[8], ARGV[9])
return count - from
