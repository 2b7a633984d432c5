-- Moves a wake-up, or takes it away. One that somebody else has moved meanwhile stays.
--
-- KEYS  part of the index
-- ARGV  name, the time at which it stands, the time at which it is to stand or nothing
-- Gives 1 where it was moved
local known = tonumber(redis.call('ZSCORE', KEYS[1], ARGV[1]) or nil)
if known ~= tonumber(ARGV[2]) then return 0 end
if ARGV[3] == '' then
    redis.call('ZREM', KEYS[1], ARGV[1])
else
    redis.call('ZADD', KEYS[1], ARGV[3], ARGV[1])
end
return 1
