-- Takes note of how far the archive has a session: what waited for that is trimmed, and where the archive has everything,
-- the keys may expire. A place on another chain says nothing.
--
-- KEYS  meta, log, latest
-- ARGV  now or 0; sequence; chain as stored; tombstone in ms, entries and bytes of a log at most
-- Gives 1, 0 where it says nothing, or less where a newer version wrote the session: its format, negative
local now, sequence, chain = time(tonumber(ARGV[1])), tonumber(ARGV[2]), ARGV[3]
local known = read(KEYS[1])
if known.format > FORMAT then return -known.format end
if not known.where or sequence > known.sequence or sequence <= known.archived then return 0 end
local is_level = sequence == known.sequence
if is_level then
    if string.sub(known.where, 25, 32) ~= chain then return 0 end
else
    local found = redis.call('XRANGE', KEYS[2], sequence .. '-0', sequence .. '-0')
    if not found[1] or string.sub(found[1][2][2], 25, 32) ~= chain then return 0 end
end
known.oldest, known.bytes = trim(KEYS[2], {
    oldest = known.oldest, newest = known.sequence, bytes = known.bytes,
    entries_max = tonumber(ARGV[5]), bytes_max = tonumber(ARGV[6]), slack = 0, upto = sequence,
})
known.archived = sequence
if is_level then known.renew = known.expires end
write(KEYS[1], known, {})
if is_level then
    local left = math.max(1, known.expires - now)
    redis.call('PEXPIRE', KEYS[2], left)
    redis.call('PEXPIRE', KEYS[3], left)
    redis.call('PEXPIRE', KEYS[1], left + tonumber(ARGV[4]))
end
return 1
