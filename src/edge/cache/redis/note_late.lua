-- Counts a late result of a session that is there.
--
-- KEYS  meta
-- ARGV  field
if redis.call('HEXISTS', KEYS[1], 'epoch') == 0 then return 0 end
return redis.call('HINCRBY', KEYS[1], ARGV[1], 1)
