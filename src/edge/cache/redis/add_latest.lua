-- Adds to the last of everything what the store lost of it, each where nothing is known.
--
-- KEYS  meta, log, latest
-- ARGV  epoch, padded as in `where`; then slots of `latest` (name, entry)
-- Gives how many were added; less than 0 where a newer version wrote the session: its format, negative
local known = read(KEYS[1])
if known.format > FORMAT then return -known.format end
if not known.where or string.sub(known.where, 1, 16) ~= ARGV[1] then return 0 end
local newest = {}
for index = 2, #ARGV, 2 do
    if not redis.call('HGET', KEYS[3], ARGV[index]) then
        newest[#newest + 1] = ARGV[index]
        newest[#newest + 1] = ARGV[index + 1]
    end
end
set(KEYS[3], newest)
-- It goes with the log; where there is none, with the place.
local left = redis.call('PTTL', KEYS[2])
if left == -2 then left = redis.call('PTTL', KEYS[1]) end
if left > 0 and #newest > 0 then redis.call('PEXPIRE', KEYS[3], left) end
return #newest / 2
