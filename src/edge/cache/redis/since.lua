-- What was appended after a place, and where the log stands now.
--
-- KEYS  meta, log
-- ARGV  now, or 0 for the server's; the place's sequence; bytes of entries that may be given, but for the first
-- Gives {now, fields of meta, entries}
local now = time(tonumber(ARGV[1]))
local entries, bytes = {}, 0
for _, item in ipairs(redis.call('XRANGE', KEYS[2], '(' .. ARGV[2] .. '-0', '+', 'COUNT', 256)) do
    bytes = bytes + #item[2][2]
    if #entries > 0 and bytes > tonumber(ARGV[3]) then break end
    entries[#entries + 1] = item[2][2]
end
return {now, redis.call('HGETALL', KEYS[1]), entries}
