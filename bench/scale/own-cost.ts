/** What work costs this process alone, whatever its neighbours do: processor time and memory. */

import { readFileSync } from 'node:fs'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

setFlagsFromString('--expose-gc')
// The flag counts for contexts that are made from now on.
const collect = runInNewContext('gc') as (how: {
  readonly type: 'major'
  readonly flavor: 'last-resort'
}) => void

/**
 * The memory that only this process has, in MiB, once the collector has given back all that it can: garbage, and
 * the room that the heap keeps for new objects. What it shares with others, such as the code of Node, counts for
 * less the more of them run, so it isn't counted; elsewhere than on Linux all that is resident is.
 */
export function ownMemoryMib(): number {
  // What the first one frees lets the second one give pages back.
  for (let round = 0; round < 2; round += 1) collect({ type: 'major', flavor: 'last-resort' })
  try {
    const anonymous = /^Pss_Anon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'))
    return Number(anonymous?.[1] ?? 0) / 1_024
  } catch {
    // Not Linux.
    return process.memoryUsage().rss / 2 ** 20
  }
}

/** The processor time in microseconds that a call and what it waits for take, with all threads. */
export async function cpuMicros(call: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  await call()
  const { user, system } = process.cpuUsage(before)
  return user + system
}
