-- Begins another epoch above everything that is known, because two branches of the log were handed out. The state stays;
-- the log begins anew, and readers are told by verdict.
--
-- KEYS  meta, log
-- ARGV  epoch, sequence, chain of the store as it was seen; epoch, sequence, chain of the new start; channel, message; the line of epochs
-- Gives 1, or 0 where the store has moved on meanwhile
local known = redis.call('HMGET', KEYS[1], 'epoch', 'sequence', 'chain')
if known[1] ~= ARGV[1] or known[2] ~= ARGV[2] or known[3] ~= ARGV[3] then return 0 end
redis.call('DEL', KEYS[2])
redis.call('HSET', KEYS[1], 'epoch', ARGV[4], 'sequence', ARGV[5], 'chain', ARGV[6],
    'oldest', tostring(tonumber(ARGV[5]) + 1), 'bytes', '0', 'archived', '0', 'past', ARGV[9])
redis.call('PUBLISH', ARGV[7], ARGV[8])
return 1
