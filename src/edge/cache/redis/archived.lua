-- Takes note of how far the archive has a session. Where it has everything, the keys may expire.
--
-- KEYS  meta, log, latest
-- ARGV  epoch, sequence, tombstone in ms, now or 0
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
local known = redis.call('HMGET', KEYS[1], 'sequence', 'archived', 'expires')
local sequence, archived = tonumber(ARGV[2]), tonumber(known[2] or 0)
if sequence > tonumber(known[1]) then return 0 end
if sequence > archived then redis.call('HSET', KEYS[1], 'archived', ARGV[2]) end
if sequence == tonumber(known[1]) then
    local time = redis.call('TIME')
    local now = tonumber(ARGV[4]) > 0 and tonumber(ARGV[4]) or time[1] * 1000 + math.floor(time[2] / 1000)
    local left = math.max(1, tonumber(known[3]) - now)
    redis.call('HSET', KEYS[1], 'renew', known[3])
    redis.call('PEXPIRE', KEYS[2], left)
    redis.call('PEXPIRE', KEYS[3], left)
    redis.call('PEXPIRE', KEYS[1], left + tonumber(ARGV[3]))
end
return 1
