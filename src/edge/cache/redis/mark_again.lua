-- Says again that an epoch of a session was deleted, where the store has lost that. What is there, another life of the session or a mark, stays.
--
-- KEYS  meta
-- ARGV  epoch, milliseconds that the mark stays
-- Gives 1, or 0 where something is there
if #redis.call('HGETALL', KEYS[1]) > 0 then return 0 end
redis.call('HSET', KEYS[1], 'forgotten', ARGV[1], 'past', '* ' .. ARGV[1] .. ':' .. LAST_SEQUENCE)
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
