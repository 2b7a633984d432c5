-- The last of everything, and the place that it stands for; where that is too much for one answer, what there is.
--
-- KEYS  meta, latest
-- ARGV  now, or 0 for the server's; bytes of entries that may be given
-- Gives {now, fields of meta, entries}, or {now, fields of meta, names, their entries' lengths}
local now = time(tonumber(ARGV[1]))
local meta, names = redis.call('HGETALL', KEYS[1]), redis.call('HKEYS', KEYS[2])
local lengths, bytes = {}, 0
for index, name in ipairs(names) do
    lengths[index] = redis.call('HSTRLEN', KEYS[2], name)
    bytes = bytes + lengths[index]
end
if bytes > tonumber(ARGV[2]) then return {now, meta, names, lengths} end
return {now, meta, redis.call('HVALS', KEYS[2])}
