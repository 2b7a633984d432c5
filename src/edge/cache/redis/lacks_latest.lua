-- Which of these slots of the last of everything the store lost: it has nothing there, or something older.
--
-- KEYS  meta, log, latest
-- ARGV  epoch, padded as in `where`; then slots of `latest` (name, sequence)
-- Gives their numbers, from 0; or a number that is less than 0 where a newer version wrote the session: its format, negative
local FIRST_SLOT = 2
local known = read(KEYS[1])
if known.format > FORMAT then return -known.format end
local lacks = {}
if not known.where or string.sub(known.where, 1, 16) ~= ARGV[1] then return lacks end
for index = FIRST_SLOT, #ARGV, 2 do
    local entry = redis.call('HGET', KEYS[3], ARGV[index])
    if not entry or struct.unpack('>I8', entry) < tonumber(ARGV[index + 1]) then
        lacks[#lacks + 1] = (index - FIRST_SLOT) / 2
    end
end
return lacks
