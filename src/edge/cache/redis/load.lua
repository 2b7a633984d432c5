-- What is known of a session, at one moment.
--
-- KEYS  meta, log
-- ARGV  now, or 0 for the server's
-- Gives {now, fields of meta, first id in the log or ""}
local now = time(tonumber(ARGV[1]))
local first = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)
return {now, redis.call('HGETALL', KEYS[1]), first[1] and first[1][1] or ''}
