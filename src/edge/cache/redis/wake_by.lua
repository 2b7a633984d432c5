-- Has a session looked at when a time has come, or before where that was said already; never within a time from now.
--
-- KEYS  part of the index
-- ARGV  name, time, now or 0 for the server's, milliseconds from now
-- Gives the time that stands there
local at, earliest = tonumber(ARGV[2]), 0
local known = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or nil)
if tonumber(ARGV[4]) > 0 then earliest = time(tonumber(ARGV[3])) + tonumber(ARGV[4]) end
if known and known < at then at = known end
if at < earliest then at = earliest end
-- One that stands is moved as well, by as little as can be: who has claimed it, and knows nothing of this, lets it stand.
if at == known then at = at - 1 end
redis.call('ZADD', KEYS[1], at, ARGV[1])
return at
