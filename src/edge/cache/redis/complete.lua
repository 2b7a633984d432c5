-- Puts entries in front of a log that was put back without its beginning. What stands in the log stays, byte for byte.
--
-- KEYS  meta, log, latest
-- ARGV  epoch, padded as in `where`; the oldest entry as it was seen; the first of those to put in front; 1 where the log is whole
--       with them; channel; message; number of entries; entries; then slots of `latest` (name, entry), each kept where it is known
-- Gives 1, or 0 where the log isn't what it was, less where a newer version wrote it: its format, negative
local epoch, oldest, first, is_whole = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4] == '1'
local count, FIRST_ENTRY = tonumber(ARGV[7]), 8
local known = read(KEYS[1])
if known.format > FORMAT then return -known.format end
if not known.where or string.sub(known.where, 1, 16) ~= epoch or known.oldest ~= oldest then return 0 end
if not redis.call('HGET', KEYS[1], 'torn') then return 0 end

local stored, left = redis.call('XRANGE', KEYS[2], '-', '+'), redis.call('PTTL', KEYS[2])
redis.call('DEL', KEYS[2])
for index = 0, count - 1 do
    local bytes = ARGV[FIRST_ENTRY + index]
    redis.call('XADD', KEYS[2], first + index .. '-0', 'e', bytes)
    known.bytes = known.bytes + #bytes + ENTRY_WEIGHT
end
for _, item in ipairs(stored) do redis.call('XADD', KEYS[2], item[1], 'e', item[2][2]) end
known.oldest = first
write(KEYS[1], known, {})
if is_whole then redis.call('HDEL', KEYS[1], 'torn') end
local newest = {}
for index = FIRST_ENTRY + count, #ARGV, 2 do
    if not redis.call('HGET', KEYS[3], ARGV[index]) then
        newest[#newest + 1] = ARGV[index]
        newest[#newest + 1] = ARGV[index + 1]
    end
end
set(KEYS[3], newest)
if left > 0 then
    redis.call('PEXPIRE', KEYS[2], left)
    redis.call('PEXPIRE', KEYS[3], left)
end
redis.call('PUBLISH', ARGV[5], ARGV[6])
return 1
