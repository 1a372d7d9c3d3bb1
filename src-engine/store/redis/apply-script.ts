/**
 * The one script that writes. It takes units, each the writes of one decision, and judges every unit by itself:
 * do the records still look as they were believed, is there room for its permits? Then it writes the unit, gives
 * its events their numbers and links them into the chain. What it is told is data; what it does is all here.
 *
 * KEYS: 1 head of the partition, 2 event stream, 3 leases by expiry, 4 owners of leases, 5 keys of held permits,
 * 6 keys of lines, 7 channel of those who follow events, 8 channel of news, then whatever the units name by number.
 * ARGV: which line of servers this is as far as the caller knows, store id, epoch, last sequence number that the
 * caller has seen, partition, writer, the caller's now, then the units.
 *
 * Answers of a unit: {1, number …} written, with which of its permits are new; {2} differs; {3, key, holder …} no room;
 * {4} these very writes are there already.
 */

import { luaAhead } from './lease-time.ts'
import { scriptOf } from './script.ts'
import { luaLineOf } from './server-line.ts'

/** What every call has before the keys of its units. */
export const fixedKeyNames = ['head', 'events', 'leases', 'owners', 'held', 'lines', 'hints', 'news'] as const

export const applyScript = scriptOf(`#!lua
local head = redis.call('HMGET', KEYS[1], 'id', 'epoch', 'seq', 'hash', 'place', 'line', 'follow')
if not head[1] then return {'gone'} end
local time = redis.call('TIME')
local micros = time[1] * 1000000 + time[2]
${luaLineOf('ARGV[1]')}
if head[1] ~= ARGV[2] or head[2] ~= ARGV[3] or tonumber(head[3]) < tonumber(ARGV[4])
  or (head[6] and head[6] ~= line) then
  return {'other', head[1], head[2], head[3]}
end
local epoch, seq, hash = head[2], tonumber(head[3]), head[4]
local place = math.max(tonumber(head[5]), micros)
local ahead = ${luaAhead('ARGV[7]')}
local at, news = 8, 0

local function arg() at = at + 1 return ARGV[at - 1] end
local function number() return tonumber(arg()) end
local function new_place() place = place + 1 return string.format('%.0f', place) end

-- What a unit believes of records: the answer when it is wrong, nil when it may go on.
local function differing()
  local same, done, others = true, false, true
  for i = 1, number() do
    local key, field, believed, written = KEYS[number()], arg(), arg(), arg()
    local current = redis.call('HGET', key, field) or ''
    -- Of a run that is only looked at, its status is what counts.
    if string.sub(believed, 1, 1) == '~' then current = '~' .. (string.match(current, '(%S+)$') or '') end
    if current ~= believed then same = false end
    if written ~= '' then
      if current == written then done = true else others = false end
    end
  end
  if same then return nil end
  if done and others then return {4} end
  return {2}
end

local function held(value, now)
  local since, expires = string.match(value, '^(%d+) %S+ (%S+)$')
  return expires == '-' or tonumber(expires) > now, tonumber(since)
end

-- Who holds permits of a key, in order of taking, as it will be once this unit has released and taken.
local function holders_of(key, now, released, taken)
  local flat, list, has = redis.call('HGETALL', key), {}, {}
  for i = 1, #flat, 2 do
    local counts, since = held(flat[i + 1], now)
    if counts and not released[flat[i]] then list[#list + 1] = {flat[i], since} has[flat[i]] = true end
  end
  table.sort(list, function(a, b) return a[2] < b[2] end)
  local names = {}
  for i = 1, #list do names[i] = list[i][1] end
  for i = 1, #taken do
    if not has[taken[i]] then names[#names + 1] = taken[i] has[taken[i]] = true end
  end
  return names, has
end

local function no_room(releases, takes, now)
  local released, taken = {}, {}
  for i = 1, #releases do
    local one = releases[i]
    released[one.key] = released[one.key] or {}
    released[one.key][one.holder] = true
  end
  for i = 1, #takes do
    local one = takes[i]
    local own = taken[one.key] or {}
    taken[one.key] = own
    if redis.call('HLEN', one.key) + #own >= one.limit then
      local names, has = holders_of(one.key, now, released[one.key] or {}, own)
      if not has[one.holder] and #names >= one.limit then
        local answer = {3, one.name}
        for j = 1, #names do answer[j + 2] = names[j] end
        return answer
      end
    end
    own[#own + 1] = one.holder
  end
  return nil
end

local function read_permits()
  local releases, takes, now, keep = {}, {}, number(), arg() == '1'
  for i = 1, number() do releases[i] = {key = KEYS[number()], name = arg(), holder = arg()} end
  for i = 1, number() do
    local one = {key = KEYS[number()], name = arg(), holder = arg(), told = arg(), expires = arg()}
    one.limit = tonumber(one.told)
    takes[i] = one
  end
  return releases, takes, now, keep
end

local function drop_expired(key, now)
  local flat = redis.call('HGETALL', key)
  for i = 1, #flat, 2 do
    if not held(flat[i + 1], now) then redis.call('HDEL', key, flat[i]) end
  end
end

local function write_permits(releases, takes, now, keep)
  local answer = {1}
  for i = 1, #releases do
    local one = releases[i]
    redis.call('HDEL', one.key, one.holder)
    if redis.call('HLEN', one.key) == 0 then redis.call('ZREM', KEYS[5], one.name) end
  end
  for i = 1, #takes do
    local one = takes[i]
    if one.expires ~= '-' or redis.call('HLEN', one.key) >= one.limit then drop_expired(one.key, now) end
    local before = redis.call('HGET', one.key, one.holder)
    if not before then answer[#answer + 1] = i end
    if not (before and keep and held(before, now)) then
      local since = before and string.match(before, '^%d+') or new_place()
      redis.call('HSET', one.key, one.holder, since .. ' ' .. one.told .. ' ' .. one.expires)
      redis.call('ZADD', KEYS[5], 0, one.name)
    end
  end
  return answer
end

local plain = {h = 'HSET', d = 'HDEL', x = 'HSETNX', z = 'ZADD', r = 'ZREM', u = 'UNLINK', e = 'XDEL', t = 'LTRIM'}
local special = {
  -- a counter that goes when it is zero
  c = function(key)
    local member, delta = arg(), arg()
    if redis.call('HINCRBY', key, member, delta) == 0 then redis.call('HDEL', key, member) end
  end,
  -- the place of something new in the order of all
  n = function(key) redis.call('HSETNX', key, arg(), new_place()) end,
  -- a value with its place, which it keeps
  p = function(key)
    local field, value = arg(), arg()
    local before = redis.call('HGET', key, field)
    local since = before and string.match(before, '^%d+') or new_place()
    redis.call('HSET', key, field, since .. ' ' .. value)
  end,
  -- a run goes from one list into another, with its place
  s = function(key)
    local from, to, member = number(), number(), arg()
    local since = redis.call('HGET', key, 'p')
    if not since then
      since = new_place()
      redis.call('HSET', key, 'p', since)
    end
    if from > 0 then redis.call('ZREM', KEYS[from], member) end
    redis.call('ZADD', KEYS[to], since, member)
  end,
  -- a lease: a renewal under the same fence may have moved it further already
  l = function()
    local member, owner, fresh, expires = arg(), arg(), arg(), number() + ahead
    expires = string.format('%.0f', expires)
    if fresh == '1' then redis.call('ZADD', KEYS[3], expires, member)
    else redis.call('ZADD', KEYS[3], 'GT', expires, member) end
    redis.call('HSET', KEYS[4], member, owner)
  end,
  m = function()
    local member = arg()
    redis.call('ZREM', KEYS[3], member)
    redis.call('HDEL', KEYS[4], member)
  end,
  -- joins and leaves a line
  w = function(key)
    local score, member, name = arg(), arg(), arg()
    redis.call('ZADD', key, score, member)
    redis.call('ZADD', KEYS[6], 0, name)
  end,
  v = function(key)
    local member, name = arg(), arg()
    redis.call('ZREM', key, member)
    if redis.call('ZCARD', key) == 0 then redis.call('ZREM', KEYS[6], name) end
  end,
}

local function write_records()
  for i = 1, number() do
    local code, key, count = arg(), KEYS[number()], number()
    local command = plain[code]
    if command then
      redis.call(command, key, unpack(ARGV, at, at + count - 1))
      at = at + count
    else special[code](key) end
  end
end

local function write_events()
  for i = 1, number() do
    local groups, run, count, digest, op, text = number(), arg(), number(), arg(), arg(), arg()
    local place_told = ARGV[5] .. '.' .. epoch .. '.' .. (seq + 1)
    local before = hash
    hash = redis.sha1hex(hash .. ' ' .. place_told .. ' ' .. run .. ' ' .. digest)
    seq = seq + count
    local id = epoch .. '-' .. seq
    redis.call('XADD', KEYS[2], id, 'r', run, 'n', count, 'p', before, 'b', text)
    if groups > 0 then redis.call('RPUSH', KEYS[groups], id .. ' ' .. op) end
  end
end

local answers, first = {}, seq
local function write_units()
  while at <= #ARGV do
    local length = number()
    local last = at + length - 1
    local found = number()
    local answer = differing()
    if not answer then
      local releases, takes, now, keep = read_permits()
      answer = no_room(releases, takes, now)
      if not answer then
        answer = write_permits(releases, takes, now, keep)
        write_records()
        write_events()
        news = bit.bor(news, found)
      end
    end
    at = last + 1
    answers[#answers + 1] = answer
  end
end
-- Nothing is taken back when a command fails: the head must tell what was numbered until then.
local well, failure = pcall(write_units)
redis.call('HSET', KEYS[1], 'seq', seq, 'hash', hash, 'place', string.format('%.0f', place), 'line', line)
if seq > first then
  local text = epoch .. ' ' .. seq .. ' ' .. news .. ' ' .. ARGV[6]
  if news > 0 then
    redis.call('HSET', KEYS[1], 'told', seq)
    redis.call('SPUBLISH', KEYS[8], text)
  end
  if head[7] and tonumber(head[7]) > micros then redis.call('SPUBLISH', KEYS[7], text) end
end
if not well then error(failure) end
return {'done', seq, hash, answers, fresh_line}
`)
