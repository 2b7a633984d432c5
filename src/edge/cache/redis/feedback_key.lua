-- Takes an Idempotency-Key of feedback, once. Keys and their order stand in one hash, so that the oldest can go.
--
-- KEYS  feedback
-- ARGV  key, what it is taken for, milliseconds that all stay, how many there may be
-- Gives what it was taken for before, or nothing
local name = 'key:' .. ARGV[1]
local known = redis.call('HGET', KEYS[1], name)
if known then return known end
local count = redis.call('HINCRBY', KEYS[1], 'count', 1)
redis.call('HSET', KEYS[1], name, ARGV[2], 'at:' .. count, ARGV[1])
local oldest = 'at:' .. (count - ARGV[4])
local gone = redis.call('HGET', KEYS[1], oldest)
if gone then redis.call('HDEL', KEYS[1], oldest, 'key:' .. gone) end
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return false
