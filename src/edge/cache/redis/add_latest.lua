-- Adds to the last of everything what the store lost of it: where nothing is known, or something older.
--
-- KEYS  meta, log, latest
-- ARGV  now or 0; epoch, padded as in `where`; then slots of `latest` (name, entry)
-- Gives how many were added; less than 0 where a newer version wrote the session: its format, negative
local now, FIRST_SLOT = time(tonumber(ARGV[1])), 3
local known = read(KEYS[1])
if known.format > FORMAT then return -known.format end
if not known.where or string.sub(known.where, 1, 16) ~= ARGV[2] then return 0 end
local newest = {}
for index = FIRST_SLOT, #ARGV, 2 do
    local entry = redis.call('HGET', KEYS[3], ARGV[index])
    -- An entry begins with its sequence.
    if not entry or struct.unpack('>I8', entry) < struct.unpack('>I8', ARGV[index + 1]) then
        newest[#newest + 1] = ARGV[index]
        newest[#newest + 1] = ARGV[index + 1]
    end
end
local is_new = redis.call('PTTL', KEYS[3]) == -2
set(KEYS[3], newest)
if is_new and #newest > 0 then
    -- It goes with the log; where there is none, with the data: the place stays for longer than that.
    local left = redis.call('PTTL', KEYS[2])
    if left == -2 and redis.call('PTTL', KEYS[1]) > 0 then left = math.max(1, known.expires - now) end
    if left > 0 then redis.call('PEXPIRE', KEYS[3], left) end
end
return #newest / 2
