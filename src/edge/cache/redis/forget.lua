-- Deletes a session. A mark stays for a while, so that no replica takes the empty place for a store that lost its data.
--
-- KEYS  meta, log, latest
-- ARGV  channel, message, milliseconds that the mark stays
-- Gives 1, or 0 where there was nothing
local was_known = redis.call('HEXISTS', KEYS[1], 'epoch')
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
redis.call('HSET', KEYS[1], 'forgotten', 1)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', ARGV[1], ARGV[2])
return was_known
