-- Has a session looked at when a time has come, or before where that was said already.
--
-- KEYS  part of the index
-- ARGV  name, time
-- Gives the time that stands there
local at = tonumber(ARGV[2])
local known = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or nil)
-- An earlier one is moved as well, by as little as can be: who has claimed it, and knows nothing of this, lets it stand.
if known and known <= at then at = known - 1 end
redis.call('ZADD', KEYS[1], at, ARGV[1])
return at
