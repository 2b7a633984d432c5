-- Takes note of how far the archive has a session: what waited for that is trimmed, and where the archive has everything,
-- the keys may expire. A place on another chain says nothing.
--
-- KEYS  meta, log, latest
-- ARGV  now or 0; sequence; chain in hex; chain as stored; tombstone in ms, entries and bytes of a log at most
local now, sequence = time(tonumber(ARGV[1])), tonumber(ARGV[2])
local known = redis.call('HMGET', KEYS[1], 'sequence', 'chain', 'archived', 'expires', 'oldest', 'bytes')
if not known[1] or sequence > tonumber(known[1]) or sequence <= tonumber(known[3] or 0) then return 0 end
local is_level = sequence == tonumber(known[1])
if is_level then
    if known[2] ~= ARGV[3] then return 0 end
else
    local found = redis.call('XRANGE', KEYS[2], sequence .. '-0', sequence .. '-0')
    if not found[1] or string.sub(found[1][2][2], 25, 32) ~= ARGV[4] then return 0 end
end
local oldest, bytes = trim(KEYS[2], {
    oldest = tonumber(known[5]), newest = tonumber(known[1]), bytes = tonumber(known[6]),
    entries_max = tonumber(ARGV[6]), bytes_max = tonumber(ARGV[7]), slack = 0, upto = sequence,
})
redis.call('HSET', KEYS[1], 'archived', sequence, 'oldest', oldest, 'bytes', bytes)
if is_level then
    local left = math.max(1, tonumber(known[4]) - now)
    redis.call('HSET', KEYS[1], 'renew', known[4])
    redis.call('PEXPIRE', KEYS[2], left)
    redis.call('PEXPIRE', KEYS[3], left)
    redis.call('PEXPIRE', KEYS[1], left + tonumber(ARGV[5]))
end
return 1
