-- The last of everything, and the place that it stands for.
--
-- KEYS  meta, latest
-- ARGV  now, or 0 for the server's
-- Gives {now, fields of meta, entries}
local time = redis.call('TIME')
local set_now = tonumber(ARGV[1])
local now = set_now > 0 and set_now or time[1] * 1000 + math.floor(time[2] / 1000)
return {now, redis.call('HGETALL', KEYS[1]), redis.call('HVALS', KEYS[2])}
