/** Parts of the script that writes which most of its calls don't need: they are made in the call that does. */

/**
 * Lua: of a hash that isn't all as believed, whether that counts, whether some of it is what this very unit wrote, and
 * whether all is that it writes.
 */
export const luaJudge = `
local function judge_hash(current, believed, own, written_at)
  local same, done, others, j = true, false, true, 0
  for wanted in string.gmatch(believed .. '\\n', '([^\\n]*)\\n') do
    j = j + 1
    local value = current[j]
    if value ~= wanted
      -- Of a run that is only looked at, its status is what counts.
      and not (byte(wanted) == 126 and '~' .. (match(value, '(%S+)$') or '') == wanted) then
      same = false
      if j <= own then
        if value == ARGV[written_at + 2 * j - 1] then done = true else others = false end
      end
    elseif j <= own then others = false end
  end
  return same, done, others
end
`

/** Lua: reads the permits of a unit from a place of ARGV; gives the place behind them, and a refusal or how to write. */
export const luaPermits = `
local function permit_tools()
  local function held(value, now)
    local since, expires = string.match(value, '^(%d+) %S+ (%S+)$')
    return expires == '-' or tonumber(expires) > now, tonumber(since)
  end

  -- Who holds permits of a key, in order of taking, as it will be once this unit has released and taken.
  local function holders_of(key, now, released, taken)
    local flat, list, has = call('HGETALL', key), {}, {}
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
      if call('HLEN', one.key) + #own >= one.limit then
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

  local function drop_expired(key, now)
    local flat = call('HGETALL', key)
    for i = 1, #flat, 2 do
      if not held(flat[i + 1], now) then call('HDEL', key, flat[i]) end
    end
  end

  -- A permit as it is kept, with the names of those who took it; a dash alone stands for nobody's.
  local function taken(value)
    local since, told, names, expires = string.match(value, '^(%d+) (%d+)/?(%S*) (%S+)$')
    return since, told, names == '' and '-' or names, expires
  end

  local function put(one, since, told, names, expires)
    call('HSET', one.key, one.holder, since .. ' ' .. told .. (names == '-' and '' or '/' .. names) .. ' ' .. expires)
  end

  local function is_among(name, names) return string.find(',' .. names .. ',', ',' .. name .. ',', 1, true) end

  local function give(one, held_keys)
    local before = one.by ~= '' and call('HGET', one.key, one.holder)
    local left = {}
    if before then
      local since, told, names, expires = taken(before)
      for name in string.gmatch(names, '[^,]+') do
        if not is_among(name, one.by) then left[#left + 1] = name end
      end
      if #left > 0 then put(one, since, told, table.concat(left, ','), expires) end
    end
    if #left > 0 then return end
    call('HDEL', one.key, one.holder)
    if call('HLEN', one.key) == 0 then call('ZREM', held_keys, one.name) end
  end

  local function write(releases, takes, now, keep, held_keys)
    local answer = {1}
    for i = 1, #releases do give(releases[i], held_keys) end
    for i = 1, #takes do
      local one = takes[i]
      if one.expires ~= '-' or call('HLEN', one.key) >= one.limit then drop_expired(one.key, now) end
      local before = call('HGET', one.key, one.holder)
      if not before then answer[#answer + 1] = i end
      local by = one.by == '' and '' or '/' .. one.by
      if not (before and keep and held(before, now)) then
        local since = before and string.match(before, '^%d+') or new_place()
        call('HSET', one.key, one.holder, since .. ' ' .. one.told .. by .. ' ' .. one.expires)
        call('ZADD', held_keys, 0, one.name)
      elseif one.by ~= '' then
        -- It stays as it is, but is this one's too.
        local since, told, names, expires = taken(before)
        if not is_among(one.by, names) then put(one, since, told, names .. ',' .. one.by, expires) end
      end
    end
    return answer
  end

  return function(at)
    local releases, takes = {}, {}
    local held_keys, now, keep = KEYS[tonumber(ARGV[at])], tonumber(ARGV[at + 1]), ARGV[at + 2] == '1'
    local count = tonumber(ARGV[at + 3])
    at = at + 4
    for i = 1, count do
      releases[i] = {key = KEYS[tonumber(ARGV[at])], name = ARGV[at + 1], holder = ARGV[at + 2], by = ARGV[at + 3]}
      at = at + 4
    end
    count = tonumber(ARGV[at])
    at = at + 1
    for i = 1, count do
      takes[i] = {key = KEYS[tonumber(ARGV[at])], name = ARGV[at + 1], holder = ARGV[at + 2], told = ARGV[at + 3],
        expires = ARGV[at + 4], limit = tonumber(ARGV[at + 3]), by = ARGV[at + 5]}
      at = at + 6
    end
    local answer = no_room(releases, takes, now)
    return at, answer, function() return write(releases, takes, now, keep, held_keys) end
  end
end
`

/** Lua: writes that need more than one command, or are rare; each is told its key, where its arguments are, how many. */
export const luaSpecials = `
local function special_tools()
  -- Of runs, by their key: they keep them.
  local places = {}
  local function plain(command)
    return function(key, at, length) call(command, key, unpack(ARGV, at, at + length - 1)) end
  end
  return {
    h = plain('HSET'), d = plain('HDEL'), x = plain('HSETNX'), e = plain('XDEL'), t = plain('LTRIM'),
    u = function(key)
      settle(key)
      call('UNLINK', key)
    end,
    -- a counter that goes when it is zero
    c = function(key, at) tally(key, ARGV[at], ARGV[at + 1]) end,
    -- the place of something new in the order of all
    n = function(key, at) call('HSETNX', key, ARGV[at], new_place()) end,
    -- a value with its place, which it keeps
    p = function(key, at)
      local before = call('HGET', key, ARGV[at])
      local since = before and string.match(before, '^%d+') or new_place()
      call('HSET', key, ARGV[at], since .. ' ' .. ARGV[at + 1])
    end,
    -- a run goes from one list into another, with its place
    s = function(key, at)
      local from, to, member = tonumber(ARGV[at]), tonumber(ARGV[at + 1]), ARGV[at + 2]
      local since = places[key] or call('HGET', key, 'p')
      if not since then
        since = new_place()
        call('HSET', key, 'p', since)
      end
      places[key] = since
      if from > 0 then set_of(KEYS[from])[member] = false end
      set_of(KEYS[to])[member] = since
    end,
    -- joins and leaves a line
    w = function(key, at)
      settle(key)
      call('ZADD', key, ARGV[at + 1], ARGV[at + 2])
      call('ZADD', KEYS[tonumber(ARGV[at])], 0, ARGV[at + 3])
    end,
    v = function(key, at)
      settle(key)
      call('ZREM', key, ARGV[at + 1])
      if call('ZCARD', key) == 0 then call('ZREM', KEYS[tonumber(ARGV[at])], ARGV[at + 2]) end
    end,
  }
end
`
