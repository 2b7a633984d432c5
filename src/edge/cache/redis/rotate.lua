-- Begins another epoch above everything that is known, because two branches of the log were handed out. The state stays;
-- the log begins anew, and readers are told by verdict.
--
-- KEYS  meta, log
-- ARGV  where the store stood as it was seen; where it is to stand; channel, message; the line of epochs
-- Gives 1, or 0 where the store has moved on meanwhile
local known = read(KEYS[1])
if known.where ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[2])
-- What the log lacked belongs to the epoch before.
redis.call('HDEL', KEYS[1], 'torn')
known.where = ARGV[2]
known.oldest, known.bytes, known.archived = sequence_of(known.where) + 1, 0, 0
local fields = begun(known.where)
fields[#fields + 1] = 'past'
fields[#fields + 1] = ARGV[5]
write(KEYS[1], known, fields)
redis.call('PUBLISH', ARGV[3], ARGV[4])
return 1
