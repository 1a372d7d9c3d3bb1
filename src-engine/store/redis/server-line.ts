/**
 * Which line of servers a master belongs to: those that hand on their data to each other. It changes with each that
 * begins to lead. Asking costs as much as several writes, so what a connection was told lately counts: it ends with its
 * server, and a server that another one takes over from, and that gets back its place with the other's data, takes
 * longer than that.
 */

/** How long what a server said of itself counts, by its own clock. */
const lineMicros = 100_000

/** Lua: the line as the server tells it. */
export const luaLine = "local line = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')"

/**
 * Lua: the line as the caller knows it, from a `fresh_line` of before, or as the server tells it; then there is a
 * `fresh_line` to hand back. Needs the server's `micros`; `told` is a Lua expression.
 */
export const luaLineOf = (told: string): string => `
local fresh_line
local line, line_at = string.sub(${told}, 1, 40), tonumber(string.sub(${told}, 42))
if not line_at or micros < line_at or micros - line_at > ${lineMicros} then
  ${luaLine.replace('local ', '')}
  fresh_line = line .. ' ' .. string.format('%.0f', micros)
end`
