-- Claims what is due in one part of the index of wake-ups, by moving it: another replica finds it again only if this one
-- dies before it has looked.
--
-- KEYS  part of the index
-- ARGV  now, or 0 for the server's; milliseconds that a claim holds; how many at most
-- Gives the time at which the claims end, and names
local now = time(tonumber(ARGV[1]))
local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', now, 'LIMIT', 0, ARGV[3])
local ends = now + tonumber(ARGV[2])
for _, name in ipairs(due) do redis.call('ZADD', KEYS[1], ends, name) end
return {ends, due}
