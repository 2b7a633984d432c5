-- Claims what is due in one part of the index of wake-ups, by moving it: another replica finds it again only if this one
-- dies before it has looked.
--
-- KEYS  part of the index
-- ARGV  now, or 0 for the server's; milliseconds that a claim holds; how many at most
-- Gives names
local time = redis.call('TIME')
local set_now = tonumber(ARGV[1])
local now = set_now > 0 and set_now or time[1] * 1000 + math.floor(time[2] / 1000)
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[3])
for _, name in ipairs(due) do redis.call('ZADD', KEYS[1], now + tonumber(ARGV[2]), name) end
return due
