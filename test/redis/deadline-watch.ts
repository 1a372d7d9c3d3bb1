/** How long commands to Redis really take in this process, against the deadline that each has. */

import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Redis } from 'ioredis'
import { commandMsDefault } from '../../src-engine/store/redis/redis-options.ts'

/** What a process saw of its own commands. */
export interface DeadlineFigures {
  readonly commands: number
  /** How many had to be given up. */
  readonly givenUp: number
  /** By how much the slowest outlived its deadline; 0 when none did. */
  readonly overMs: number
  /** The longest that the process itself stood still, when it could not have noticed any deadline. */
  readonly standstillMs: number
}

interface Sending {
  sendCommand: (this: Redis, ...given: Parameters<Redis['sendCommand']>) => unknown
}

/** From now on; returns what was seen so far. */
export function watchDeadlines(): () => DeadlineFigures {
  const loop = monitorEventLoopDelay({ resolution: 10 })
  loop.enable()
  let commands = 0
  let givenUp = 0
  let overMs = 0
  const prototype: Sending = Redis.prototype
  const send = prototype.sendCommand
  prototype.sendCommand = function watched(this: Redis, command, ...rest) {
    const begun = performance.now()
    const ended = (): void => {
      const over = performance.now() - begun - commandMsDefault
      if (over >= 0) givenUp += 1
      overMs = Math.max(overMs, over)
    }
    commands += 1
    command.promise.then(ended, ended)
    return send.call(this, command, ...rest)
  }
  return () => ({
    commands,
    givenUp,
    overMs: Math.round(overMs),
    standstillMs: Math.round(loop.max / 1e6),
  })
}
