-- What is known of a session, at one moment.
--
-- KEYS  meta, log, latest
-- ARGV  now, or 0 for the server's
-- Gives {now, fields of meta, first id in the log or "", 1 where nothing of it is left but the last of everything}
local now = time(tonumber(ARGV[1]))
local first = redis.call('XRANGE', KEYS[2], '-', '+', 'COUNT', 1)
local meta = redis.call('HGETALL', KEYS[1])
local is_left = #meta == 0 and not first[1] and redis.call('EXISTS', KEYS[3]) or 0
return {now, meta, first[1] and first[1][1] or '', is_left}
