/**
 * The one script that writes. It takes units, each the writes of one decision, and judges every unit by itself:
 * do the records still look as they were believed, is there room for its permits? Then it writes the unit, gives
 * its events their numbers and links them into the chain. What it is told is data; what it does is all here.
 *
 * Each command inside costs a server more than what it carries, each argument more than its bytes, and so does each
 * function that is made: what every step needs is written out in one piece, what few need is made when it is needed,
 * and what units of one call write to the same sorted set is one command.
 *
 * KEYS: 1 head of the partition, 2 event stream, 3 leases by expiry, 4 channel of those who follow events, 5 channel
 * of news, then whatever the units name by number.
 * ARGV: which line of servers this is as far as the caller knows, store id, epoch, last sequence number that the
 * caller has seen, partition, writer, the caller's now, when leases of the units expire, which heads of queues are to
 * come along, then the units.
 * `encode-units.ts` tells what they hold.
 *
 * Answers how many units there were where all are plainly written, or of each unit: 1 or {1, number …} written, with which of
 * its permits are new; {2} differs; {3, key, holder …} no room; {4} these very writes are there already; {5} its values are plain, and the partition takes sealed ones only.
 */

import { luaNumbers } from './apply-script-numbers.ts'
import { luaJudge, luaPermits, luaSpecials } from './apply-script-parts.ts'
import { luaSets } from './apply-script-sets.ts'
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
local seq, hash = tonumber(head[3]), head[4]
-- Mostly the caller has seen it all, and equal texts needn't be read as numbers.
if head[1] ~= ARGV[2] or head[2] ~= ARGV[3] or (head[3] ~= ARGV[4] and seq < tonumber(ARGV[4]))
  or (head[6] and head[6] ~= line) then
  return {'other', head[1], head[2], head[3]}
end
local place, was_placed = math.max(tonumber(head[5]), micros), false
local ahead = ${luaAhead('ARGV[7]')}
local answers, all_written, first, news, is_sealed, was_sealed = {}, true, seq, 0, head[8], head[8]
-- Digits of the number: a command that is given the number itself prints it anew, as a double.
local seq_text = head[3]

-- Digits of whole numbers: as a double costs several times as much, where the server's own whole ones are large enough.
local whole = string.format('%d', 4294967296) == '4294967296' and '%d' or '%.0f'

local function new_place()
  place = place + 1
  was_placed = true
  return string.format(whole, place)
end

${luaNumbers}

${luaSets}

local function write_units()
  local KEYS, ARGV, call, unpack, byte, char = KEYS, ARGV, call, unpack, string.byte, string.char
  local format, match, sub, concat = string.format, string.match, string.sub, table.concat
  local sha1, leases = redis.sha1hex, KEYS[3]
  local chained = ' ' .. ARGV[5] .. '.' .. head[2] .. '.'
  -- Where a run's id begins in the key of its groups: all keys of a partition begin as its head's does.
  local run_from = #KEYS[1] - #'head' + #'g:' + 1
  local at, last = 10, #ARGV
  local permits, special, judge, expiries
  -- Of the hashes of a unit, by their number; and fields to read. Tables that are made anew for each cost more.
  local keys_of, found_in, from_in, length_in, placed_in, fresh_in, texts_in, known_in, fields =
    {}, {}, {}, {}, {}, {}, {}, {}, {}

  while at <= last do
    -- The unit's numbers, and the place of the one that is next; \`encode-units.ts\` tells what they are.
    local n, k = numbers_of(ARGV[at]), 5
    local after, found, values, hashes = at + 1 + n[1], n[2], n[3], n[4]
    local is_last = after > last
    at = at + 1

    -- What the unit believes of records.
    local same, done, others = true, false, true
    for i = 1, hashes do
      local key, own, looked, placed, fresh, length = KEYS[n[k]], n[k + 1], n[k + 2], n[k + 3], n[k + 4], n[k + 5]
      k = k + 6
      -- What is written comes first, at its end what has a place, what gets one, and the tokens; then fields, and what
      -- is believed.
      local count, written_at = own + looked, at + length - 2 * own
      local placed_at, believed_at = written_at - 2 * (placed + fresh), at + length + looked
      local wanted, current = count + placed, nil
      for j = 1, own do fields[j] = ARGV[written_at + 2 * j - 2] end
      for j = 1, looked do fields[own + j] = ARGV[at + length + j - 1] end
      for j = 1, placed do fields[count + j] = ARGV[placed_at + 2 * j - 2] end
      if wanted > 0 then current = call('HMGET', key, unpack(fields, 1, wanted)) end
      keys_of[i], found_in[i], from_in[i], length_in[i] = key, current, at, length
      placed_in[i], fresh_in[i], texts_in[i], known_in[i] = placed, fresh, placed_at + 1, count
      at = believed_at
      if count > 0 then
        at = at + 1
        for j = 1, count do current[j] = current[j] or '' end
        -- All in one go, for mostly nothing differs.
        local believed = ARGV[believed_at]
        if (count == 1 and current[1] or concat(current, '\\n', 1, count)) == believed then
          if own > 0 then others = false end
        else
          if not judge then
            ${luaJudge}
            judge = judge_hash
          end
          local as_believed, some, all = judge(current, believed, own, written_at)
          same, done, others = same and as_believed, done or some, others and all
        end
      end
    end

    local answer
    if not same then
      if done and others then answer = {4} else answer = {2} end
    else
      local write_permits
      if values == 0 and is_sealed then answer = {5}
      else
        k = k + 1
        if n[k - 1] == 1 then
          if not permits then
            ${luaPermits}
            permits = permit_tools()
          end
          at, answer, write_permits = permits(at)
        end
      end
      if not answer then
        answer = write_permits and write_permits() or 1
        if values == 1 then is_sealed = '1' end

        -- Fields of hashes; what has a place keeps it.
        for i = 1, hashes do
          local from, length, text_at = from_in[i], length_in[i], texts_in[i]
          for j = known_in[i] + 1, known_in[i] + placed_in[i] do
            local before = found_in[i][j]
            ARGV[text_at] = (before and match(before, '^%d+') or new_place()) .. ' ' .. ARGV[text_at]
            text_at = text_at + 2
          end
          for _ = 1, fresh_in[i] do
            ARGV[text_at] = new_place()
            text_at = text_at + 2
          end
          if length > 0 then call('HSET', keys_of[i], unpack(ARGV, from, from + length - 1)) end
        end

        -- Leases: those that ended, new ones, and those of the same fence, which a renewal may have moved further.
        local count = n[k]
        if count > 0 then leave(leases, at, count, is_last) end
        at, k = at + count, k + 1
        for kind = 1, 2 do
          count = n[k]
          if count > 0 then
            if not expiries then
              expiries = {}
              for each in string.gmatch(ARGV[8], '%S+') do expiries[#expiries + 1] = format(whole, each + ahead) end
            end
            if kind == 2 then settle(leases) end
            for j = 1, count do
              if kind == 1 then enter(leases, expiries[n[k + j]], ARGV[at + j - 1])
              else call('ZADD', leases, 'GT', expiries[n[k + j]], ARGV[at + j - 1]) end
            end
          end
          at, k = at + count, k + 1 + count
        end

        -- Indexes, and what else there is.
        count, k = n[k], k + 1
        for i = 1, count do
          local code, key, length = n[k], KEYS[n[k + 1]], n[k + 2]
          k = k + 3
          if code == 122 then join(key, at, length, is_last)
          elseif code == 114 then leave(key, at, length, is_last)
          else
            if not special then
              ${luaSpecials}
              special = special_tools()
            end
            special[char(code)](key, at, length)
          end
          at = at + length
        end

        -- Events.
        count = n[k]
        for i = 1, count do
          local groups, events = n[k + 1], n[k + 2]
          local run = groups > 0 and sub(KEYS[groups], run_from) or ''
          local before = hash
          k = k + 2
          hash = sha1(hash .. chained .. format(whole, seq + 1) .. ' ' .. run .. ' ' .. ARGV[at])
          seq = seq + events
          seq_text = format(whole, seq)
          local id = head[2] .. '-' .. seq_text
          call('XADD', KEYS[2], id, 'r', run, 'n', events < 10 and char(48 + events) or events, 'p', before, 'b',
            ARGV[at + 2])
          if groups > 0 then call('RPUSH', KEYS[groups], id .. ' ' .. ARGV[at + 1]) end
          at = at + 3
        end
        news = bit.bor(news, found)
      end
    end
    answers[#answers + 1] = answer
    if answer ~= 1 then all_written = false end
    at = after
  end
end

-- Nothing is taken back when a command fails: the head must tell what was numbered until then.
local well, failure = pcall(write_units)
local settled, why = pcall(settle_all)
local written = {'seq', seq_text, 'hash', hash}
local function tell(field, value) written[#written + 1] = field written[#written + 1] = value end
if was_placed then tell('place', string.format(whole, place)) end
if head[6] ~= line then tell('line', line) end
if is_sealed ~= was_sealed then tell('sealed', is_sealed) end
if news > 0 then tell('told', seq_text) end
call('HSET', KEYS[1], unpack(written))
local is_followed = head[7] and tonumber(head[7]) > micros
if seq > first and (news > 0 or is_followed) then
  local text = head[2] .. ' ' .. seq_text .. ' ' .. news .. ' ' .. ARGV[6]
  if news > 0 then call('SPUBLISH', KEYS[5], text) end
  if is_followed then call('SPUBLISH', KEYS[4], text) end
end
if not well then error(failure) end
if not settled then error(why) end
-- Each piece of an answer costs the caller more than its bytes.
local told = {'done', seq, all_written and #answers or answers, fresh_line or ''}
if ARGV[9] ~= '' then
  local wanted, till
  for each in string.gmatch(ARGV[9], '%S+') do
    if not wanted then wanted = each
    elseif not till then till = each
    elseif #told == 4 then told[5] = call('HLEN', KEYS[tonumber(each)])
    else
      local ids = call('ZRANGE', KEYS[tonumber(each)], '-inf', till, 'BYSCORE', 'LIMIT', 0, wanted)
      told[#told + 1] = table.concat(ids, ' ')
    end
  end
end
return told
`)
