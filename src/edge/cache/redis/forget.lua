-- Deletes a session. A mark stays for a while, so that no replica takes the empty place for a store that lost its data.
--
-- KEYS  meta, log, latest, feedback
-- ARGV  channel, message, milliseconds that the mark stays, format
-- Gives 1, 0 where there was nothing, or less where a newer version wrote it: its format, negative
local known = redis.call('HMGET', KEYS[1], 'epoch', 'format', 'past', 'forgotten')
if known[2] and tonumber(known[2]) > tonumber(ARGV[4]) then return -tonumber(known[2]) end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
-- Who still holds it knows by its epoch that nothing of it is to come back.
local past = known[3] or ((known[1] or known[4]) and '*' or '')
if known[1] then past = past .. ' ' .. known[1] .. ':' .. LAST_SEQUENCE end
redis.call('HSET', KEYS[1], 'forgotten', 1, 'past', past)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
redis.call('PUBLISH', ARGV[1], ARGV[2])
return known[1] and 1 or 0
