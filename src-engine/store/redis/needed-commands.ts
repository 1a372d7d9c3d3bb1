/** Every command that the store sends: what its user must be allowed. `docs/redis.md` lists the same. */

/** By their words; for most it is one key and whatever follows, which says nothing about rights. */
const onKeys = [
  ...['hget', 'hmget', 'hgetall', 'hset', 'hsetnx', 'hdel', 'hlen', 'hincrby', 'hexists'],
  ...['zadd', 'zrem', 'zrange', 'zscore', 'zmscore', 'zcard', 'zcount', 'zremrangebyscore'],
  ...[
    'lrange',
    'lindex',
    'llen',
    'ltrim',
    'rpush',
    'xadd',
    'xrange',
    'xdel',
    'get',
    'set',
    'unlink',
    'exists',
  ],
] as const

/** A command as a user would send it on a store with the prefix, and how the list of rights names it. */
export interface NeededCommand {
  readonly right: string
  readonly words: readonly string[]
}

/** All of them; nothing of it is ever executed. */
export function neededCommands(prefix: string): readonly NeededCommand[] {
  const key = `${prefix}:{p0}:head`
  const channel = `${prefix}:{p0}:hints`
  const others: readonly (readonly [right: string, ...words: readonly string[]])[] = [
    ['eval', 'eval', 'return 1', '1', key],
    ['evalsha', 'evalsha', '0', '1', key],
    ['time', 'time'],
    ['wait', 'wait', '1', '1'],
    ['info', 'info', 'memory'],
    ['ping', 'ping'],
    ['client|setname', 'client', 'setname', 'sagasmith'],
    ['cluster|slots', 'cluster', 'slots'],
    ['asking', 'asking'],
    ['spublish', 'spublish', channel, '1'],
    ['ssubscribe', 'ssubscribe', channel],
    ['sunsubscribe', 'sunsubscribe', channel],
  ]
  return [
    ...onKeys.map((right) => ({ right, words: [right, key, ...valuesOf(right)] })),
    ...others.map(([right, ...words]) => ({ right, words })),
  ]
}

/** As many as the command wants at least; those that take many keys would take them for keys. */
function valuesOf(right: string): readonly string[] {
  if (right === 'xadd') return ['*', 'f', 'v']
  return right === 'unlink' || right === 'exists' ? [] : ['0', '0']
}
