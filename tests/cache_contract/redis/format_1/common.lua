-- What the scripts share; it stands before each of them.

-- What an entry counts for besides its bytes: `Entry::weight`, less what surrounds the entry in its stream.
local ENTRY_WEIGHT = 284

-- The server's time in milliseconds, or the one that a test sets.
local function time(set_now)
    local parts = redis.call('TIME')
    return set_now > 0 and set_now or parts[1] * 1000 + math.floor(parts[2] / 1000)
end

-- Sets fields in parts: the number of values that Lua hands to one call is bounded.
local function set(key, fields)
    for from = 1, #fields, 1000 do
        redis.call('HSET', key, unpack(fields, from, math.min(from + 999, #fields)))
    end
end

-- Takes the oldest entries away, never the last, nor one after `upto`. Gives the oldest that is left, and the bytes.
local function trim(log, of)
    local oldest, bytes = of.oldest, of.bytes
    local function is_over(slack)
        return of.newest - oldest + 1 > of.entries_max + slack or bytes > of.bytes_max
    end
    local is_trimming = is_over(of.slack)
    while is_trimming do
        local first = oldest
        for _, item in ipairs(redis.call('XRANGE', log, '-', '+', 'COUNT', 64)) do
            if not is_over(0) or oldest >= of.newest or (of.upto and oldest > of.upto) then
                is_trimming = false
                break
            end
            bytes = bytes - #item[2][2] - ENTRY_WEIGHT
            oldest = tonumber(string.match(item[1], '^%d+')) + 1
        end
        if oldest > first then redis.call('XTRIM', log, 'MINID', oldest .. '-0') else is_trimming = false end
    end
    return oldest, bytes
end

