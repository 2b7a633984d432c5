-- Puts back what only an archive knows of a session: where its log goes on, and, where it is to be live again, its state.
--
-- KEYS  meta, log, latest
-- ARGV  now or 0; format; epoch, sequence, chain; how long it lives in ms, or 0: its time is over; tombstone in ms;
--       number of fields; fields (name, value); slots of `latest` (name, entry)
-- Gives 1, or 0 where there is data, or the log goes on from elsewhere
local now, lives, tombstone = time(tonumber(ARGV[1])), tonumber(ARGV[6]), tonumber(ARGV[7])
local known = redis.call('HMGET', KEYS[1], 'epoch', 'sequence', 'chain', 'expires', 'archived', 'began')
if known[1] then
    local is_gone = now >= tonumber(known[4]) + tombstone
    local is_expired = tonumber(known[6] or 0) > tonumber(known[2])
        or now >= tonumber(known[4]) and tonumber(known[5] or 0) >= tonumber(known[2])
    local is_there = known[1] == ARGV[3] and known[2] == ARGV[4] and known[3] == ARGV[5]
    if not is_gone and (lives == 0 or not is_expired or not is_there) then return 0 end
end
redis.call('DEL', KEYS[1], KEYS[2], KEYS[3])
local fields = {'format', ARGV[2], 'epoch', ARGV[3], 'sequence', ARGV[4], 'chain', ARGV[5],
    'past', '*', 'oldest', tonumber(ARGV[4]) + 1, 'bytes', 0, 'archived', ARGV[4], 'expires', now + lives, 'renew', now + lives}
local slots = 9 + 2 * tonumber(ARGV[8])
if lives == 0 then
    -- Nothing has begun since: a clock that goes back makes no session of it.
    fields[#fields + 1] = 'began'
    fields[#fields + 1] = tonumber(ARGV[4]) + 1
end
for index = 9, slots - 1 do fields[#fields + 1] = ARGV[index] end
set(KEYS[1], fields)
local newest = {}
for index = slots, #ARGV do newest[#newest + 1] = ARGV[index] end
set(KEYS[3], newest)
redis.call('PEXPIRE', KEYS[3], math.max(1, lives))
redis.call('PEXPIRE', KEYS[1], lives + tombstone)
return 1
