-- Where a session's log stands: one field of `meta`, since eleven cost Lua as much as all that is done with them.
--
-- place  layout 1 · mark 1 · where 32 (epoch 16, padded with zeros · sequence 8 · chain 8)
--        · oldest 8 · bytes 8 · expires 8 · renew 8 · archived 8; numbers are big-endian
--
-- `mark` is 0 where an append has nothing else to look at, and 1 where `turn`, `turn_until` or `began` say something.
-- `format`, `epoch` and `sequence` beside it are for versions that know nothing of it: they refuse by the first, or fail before they write
-- anything, since the sequence is none that there is.

local PLACE = '>BBc32I8I8I8I8I8'

local function sequence_of(where)
    return (struct.unpack('>I8', where, 17))
end

-- What format 1 had in a field each.
local function read_fields(meta, epoch)
    local old = redis.call('HMGET', meta, 'sequence', 'chain', 'oldest', 'bytes', 'expires', 'renew', 'archived')
    local chain = string.gsub(old[2], '%x%x', function(digits) return string.char(tonumber(digits, 16)) end)
    local where = epoch .. string.rep('\0', 16 - #epoch) .. struct.pack('>I8', tonumber(old[1])) .. chain
    local numbers = {}
    for index = 3, 7 do numbers[index] = tonumber(old[index] or 0) end
    return where, unpack(numbers, 3, 7)
end

-- All that is known; without `where` where there is nothing, or a newer version wrote it.
local function read(meta)
    local found = redis.call('HMGET', meta, 'place', 'format', 'epoch', 'turn', 'turn_until', 'began')
    local known = {
        format = tonumber(found[2] or 0), turn = found[4], turn_until = tonumber(found[5] or 0),
        began = tonumber(found[6] or 0), bytes = 0, oldest = 0, expires = 0, renew = 0, archived = 0,
    }
    if known.format > FORMAT then return known end
    local _
    if found[1] then
        _, _, known.where, known.oldest, known.bytes, known.expires, known.renew, known.archived = struct.unpack(PLACE, found[1])
    elseif found[3] then
        known.is_old = true
        known.where, known.oldest, known.bytes, known.expires, known.renew, known.archived = read_fields(meta, found[3])
    end
    if known.where then known.sequence = sequence_of(known.where) end
    return known
end

-- The fields of a hash that begins with `where`.
local function begun(where)
    local epoch = string.gsub(string.sub(where, 1, 16), '%z', '')
    return {'format', FORMAT, 'epoch', epoch, 'sequence', LAST_SEQUENCE}
end

-- Writes what is known, and fields. What format 1 wrote changes its layout with it.
local function write(meta, known, fields)
    local mark = (known.turn or known.began > sequence_of(known.where)) and 1 or 0
    fields[#fields + 1] = 'place'
    fields[#fields + 1] = struct.pack(PLACE, FORMAT, mark, known.where, known.oldest, math.max(known.bytes, 0), known.expires,
        known.renew, known.archived)
    if known.is_old then
        redis.call('HDEL', meta, 'chain', 'oldest', 'bytes', 'expires', 'renew', 'archived')
        for _, word in ipairs(begun(known.where)) do fields[#fields + 1] = word end
    end
    set(meta, fields)
end

