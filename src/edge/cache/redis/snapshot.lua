-- The last of everything, and the place that it stands for.
--
-- KEYS  meta, latest
-- ARGV  now, or 0 for the server's
-- Gives {now, fields of meta, entries}
local now = time(tonumber(ARGV[1]))
return {now, redis.call('HGETALL', KEYS[1]), redis.call('HVALS', KEYS[2])}
