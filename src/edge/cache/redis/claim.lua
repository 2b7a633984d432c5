-- Claims what is due in one part of the index of wake-ups, by moving it: another replica finds it again only if this one
-- dies before it has looked.
--
-- KEYS  part of the index
-- ARGV  now, or 0 for the server's; milliseconds that a claim holds; how many at most
-- Gives names
local now = time(tonumber(ARGV[1]))
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[3])
for _, name in ipairs(due) do redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), name) end
return due
