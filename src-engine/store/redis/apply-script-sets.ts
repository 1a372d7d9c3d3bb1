/**
 * The part of the script that writes which keeps writes to sorted sets, and counts, until the end: a command does for many
 * units, and what one counts up and another down isn't counted.
 */

/** Longer ones are a command of their own. */
const keptMax = 64
/** Lua passes on some thousands of arguments at once. */
const passedMax = 1_000

/**
 * Lua: `join` and `leave` take what is at a place of ARGV, `enter` one member with its score; the last of a call needn't
 * keep anything. Of a member the last write counts. `settle` writes what is kept of a set: whoever reads it, or writes
 * it otherwise, settles it before. `tally` is for counters that go when they are zero, which nobody reads here.
 */
export const luaSets = `
local kept, kept_keys, counted = {}, {}, {}

local function settle(key)
  local set = kept[key]
  if not set then return end
  kept[key] = nil
  local added, gone, a, g = {}, {}, 0, 0
  for member, score in pairs(set) do
    if score then
      added[a + 1], added[a + 2] = score, member
      a = a + 2
      if a == ${passedMax} then
        call('ZADD', key, unpack(added, 1, a))
        a = 0
      end
    else
      g = g + 1
      gone[g] = member
      if g == ${passedMax} then
        call('ZREM', key, unpack(gone, 1, g))
        g = 0
      end
    end
  end
  if g > 0 then call('ZREM', key, unpack(gone, 1, g)) end
  if a > 0 then call('ZADD', key, unpack(added, 1, a)) end
end

local function settle_all()
  for i = 1, #kept_keys do settle(kept_keys[i]) end
  for key, counts in pairs(counted) do
    for member, delta in pairs(counts) do
      if delta ~= 0 and call('HINCRBY', key, member, delta) == 0 then call('HDEL', key, member) end
    end
  end
end

local function tally(key, member, delta)
  local counts = counted[key]
  if not counts then
    counts = {}
    counted[key] = counts
  end
  counts[member] = (counts[member] or 0) + delta
end

local function set_of(key)
  local set = kept[key]
  if not set then
    set = {}
    kept[key] = set
    kept_keys[#kept_keys + 1] = key
  end
  return set
end

local function enter(key, score, member) set_of(key)[member] = score end

local function join(key, at, count, is_last)
  if count > ${keptMax} or (is_last and not kept[key]) then
    settle(key)
    for from = at, at + count - 1, ${passedMax} do
      call('ZADD', key, unpack(ARGV, from, math.min(from + ${passedMax - 1}, at + count - 1)))
    end
    return
  end
  local set = set_of(key)
  for i = at, at + count - 1, 2 do set[ARGV[i + 1]] = ARGV[i] end
end

local function leave(key, at, count, is_last)
  if count > ${keptMax} or (is_last and not kept[key]) then
    settle(key)
    for from = at, at + count - 1, ${passedMax} do
      call('ZREM', key, unpack(ARGV, from, math.min(from + ${passedMax - 1}, at + count - 1)))
    end
    return
  end
  local set = set_of(key)
  for i = at, at + count - 1 do set[ARGV[i]] = false end
end
`
