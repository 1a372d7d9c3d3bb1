/**
 * The one script that writes. It takes units, each the writes of one decision, and judges every unit by itself:
 * do the records still look as they were believed, is there room for its permits? Then it writes the unit, gives
 * its events their numbers and links them into the chain. What it is told is data; what it does is all here.
 *
 * Each command inside costs a server more than what it carries, and so does each function that is made: what every
 * step needs is written out in one piece, what few need is made when it is needed.
 *
 * KEYS: 1 head of the partition, 2 event stream, 3 leases by expiry, 4 channel of those who follow events, 5 channel
 * of news, then whatever the units name by number.
 * ARGV: which line of servers this is as far as the caller knows, store id, epoch, last sequence number that the
 * caller has seen, partition, writer, the caller's now, then the units. `encode-units.ts` tells what they hold.
 *
 * Answers of a unit: {1, number …} written, with which of its permits are new; {2} differs; {3, key, holder …} no room;
 * {4} these very writes are there already; {5} its values are plain, and the partition takes sealed ones only.
 */

import { luaPermits, luaSpecials } from './apply-script-parts.ts'
import { luaAhead } from './lease-time.ts'
import { scriptOf } from './script.ts'
import { luaLineOf } from './server-line.ts'

/** What every call has before the keys of its units. */
export const fixedKeyNames = ['head', 'events', 'leases', 'hints', 'news'] as const

export const applyScript = scriptOf(`#!lua
local KEYS, ARGV, call = KEYS, ARGV, redis.call
local head = call('HMGET', KEYS[1], 'id', 'epoch', 'seq', 'hash', 'place', 'line', 'follow', 'sealed')
if not head[1] then return {'gone'} end
local time = call('TIME')
local micros = time[1] * 1000000 + time[2]
${luaLineOf('ARGV[1]')}
if head[1] ~= ARGV[2] or head[2] ~= ARGV[3] or tonumber(head[3]) < tonumber(ARGV[4])
  or (head[6] and head[6] ~= line) then
  return {'other', head[1], head[2], head[3]}
end
local seq, hash = tonumber(head[3]), head[4]
local place, was_placed = math.max(tonumber(head[5]), micros), false
local ahead = ${luaAhead('ARGV[7]')}
local answers, first, news, is_sealed, was_sealed = {}, seq, 0, head[8], head[8]

local function new_place()
  place = place + 1
  was_placed = true
  return string.format('%.0f', place)
end

${luaPermits}
${luaSpecials}

local function write_units()
  local KEYS, ARGV, call, unpack, tonumber = KEYS, ARGV, call, unpack, tonumber
  local at, last = 8, #ARGV
  local permits, special
  while at <= last do
    local after = at + 1 + tonumber(ARGV[at])
    local found, tag, hashes = tonumber(ARGV[at + 1]), ARGV[at + 2], tonumber(ARGV[at + 3])
    at = at + 4
    local values = 0
    if found > 15 then
      values = math.floor(found / 16)
      found = found % 16
    end

    -- What the unit believes of records.
    local same, done, others, writes = true, false, true, {}
    for i = 1, hashes do
      local key, count, own, more = KEYS[tonumber(ARGV[at])], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2]),
        tonumber(ARGV[at + 3])
      at = at + 4
      local current = {}
      if count + more > 0 then current = call('HMGET', key, unpack(ARGV, at, at + count + more - 1)) end
      local names = at + count
      at = names + more
      for j = 1, count do
        local value, believed = current[j] or '', ARGV[at + j - 1]
        if value ~= believed
          -- Of a run that is only looked at, its status is what counts.
          and not (string.byte(believed) == 126 and '~' .. (string.match(value, '(%S+)$') or '') == believed) then
          same = false
          -- Whether what differs is what this very unit wrote.
          if j <= own then
            if string.match(value, '^%d+ (%S+)') == tag then done = true else others = false end
          end
        elseif j <= own then others = false end
      end
      at = at + count
      local pairs_at = at + more + 1
      local length = tonumber(ARGV[at + more])
      writes[i] = {key, current, count, more, names, at, pairs_at, length}
      at = pairs_at + length
    end

    local answer
    if not same then
      if done and others then answer = {4} else answer = {2} end
    else
      local write_permits
      if values == 0 and is_sealed then answer = {5}
      elseif ARGV[at] == '0' then at = at + 1
      else
        permits = permits or permit_tools()
        at, answer, write_permits = permits(at)
      end
      if not answer then
        answer = write_permits and write_permits() or {1}
        if values == 1 then is_sealed = '1' end

        -- Fields of hashes; what has a place keeps it.
        for i = 1, hashes do
          local one = writes[i]
          local key, more, from, length = one[1], one[4], one[7], one[8]
          if more == 0 then
            if length > 0 then call('HSET', key, unpack(ARGV, from, from + length - 1)) end
          else
            local fields = {unpack(ARGV, from, from + length - 1)}
            for j = 1, more do
              local before, text = one[2][one[3] + j], ARGV[one[6] + j - 1]
              local since = before and string.match(before, '^%d+') or new_place()
              fields[#fields + 1] = ARGV[one[5] + j - 1]
              fields[#fields + 1] = text == '' and since or since .. ' ' .. text
            end
            call('HSET', key, unpack(fields))
          end
        end

        -- Leases: those that ended, new ones, and those of the same fence, which a renewal may have moved further.
        local count = tonumber(ARGV[at])
        for j = 1, count, 1000 do
          call('ZREM', KEYS[3], unpack(ARGV, at + j, at + math.min(j + 999, count)))
        end
        at = at + count + 1
        for kind = 1, 2 do
          count = tonumber(ARGV[at])
          for from = 1, count, 1000 do
            local scored = {}
            for j = at + from, at + math.min(from + 999, count), 2 do
              scored[#scored + 1] = string.format('%.0f', tonumber(ARGV[j]) + ahead)
              scored[#scored + 1] = ARGV[j + 1]
            end
            if kind == 1 then call('ZADD', KEYS[3], unpack(scored))
            else call('ZADD', KEYS[3], 'GT', unpack(scored)) end
          end
          at = at + count + 1
        end

        -- Indexes, and what else there is.
        count = tonumber(ARGV[at])
        at = at + 1
        for i = 1, count do
          local code, key, length = ARGV[at], KEYS[tonumber(ARGV[at + 1])], tonumber(ARGV[at + 2])
          at = at + 3
          if code == 'z' then call('ZADD', key, unpack(ARGV, at, at + length - 1))
          elseif code == 'r' then call('ZREM', key, unpack(ARGV, at, at + length - 1))
          else
            special = special or special_tools()
            special[code](key, at, length)
          end
          at = at + length
        end

        -- Events.
        count = tonumber(ARGV[at])
        at = at + 1
        for i = 1, count do
          local run, groups, events = ARGV[at], tonumber(ARGV[at + 1]), tonumber(ARGV[at + 2])
          local before = hash
          hash = redis.sha1hex(hash .. ' ' .. ARGV[5] .. '.' .. head[2] .. '.' .. (seq + 1) .. ' ' .. run .. ' '
            .. ARGV[at + 3])
          seq = seq + events
          local id = head[2] .. '-' .. seq
          call('XADD', KEYS[2], id, 'r', run, 'n', events, 'p', before, 'b', ARGV[at + 5])
          if groups > 0 then call('RPUSH', KEYS[groups], id .. ' ' .. ARGV[at + 4]) end
          at = at + 6
        end
        news = bit.bor(news, found)
      end
    end
    answers[#answers + 1] = answer
    at = after
  end
end

-- Nothing is taken back when a command fails: the head must tell what was numbered until then.
local well, failure = pcall(write_units)
local written = {'seq', seq, 'hash', hash}
local function tell(field, value) written[#written + 1] = field written[#written + 1] = value end
if was_placed then tell('place', string.format('%.0f', place)) end
if head[6] ~= line then tell('line', line) end
if is_sealed ~= was_sealed then tell('sealed', is_sealed) end
if news > 0 then tell('told', seq) end
call('HSET', KEYS[1], unpack(written))
if seq > first then
  local text = head[2] .. ' ' .. seq .. ' ' .. news .. ' ' .. ARGV[6]
  if news > 0 then call('SPUBLISH', KEYS[5], text) end
  if head[7] and tonumber(head[7]) > micros then call('SPUBLISH', KEYS[4], text) end
end
if not well then error(failure) end
return {'done', seq, hash, answers, fresh_line}
`)
