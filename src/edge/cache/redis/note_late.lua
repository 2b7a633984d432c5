-- Counts a late result of a session that is there.
--
-- KEYS  meta
-- ARGV  field, format
-- Gives the count, 0 where there is no session, or less where a newer version wrote it: its format, negative
local known = redis.call('HMGET', KEYS[1], 'epoch', 'format')
if known[2] and tonumber(known[2]) > tonumber(ARGV[2]) then return -tonumber(known[2]) end
if not known[1] then return 0 end
return redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
