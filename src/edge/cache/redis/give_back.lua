-- Gives a token back that this replica still has.
-- KEYS: the token. ARGV: the replica.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('DEL', KEYS[1])
end
return 0
