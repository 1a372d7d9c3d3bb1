/** How busy this machine's processors were lately. */

import type { CpuInfo } from 'node:os'
import { cpus } from 'node:os'
import type { Clock } from '../model/ports.ts'
import type { Millis } from '../model/time.ts'
import { second } from '../model/time.ts'
import type { LoadProbe } from './routing/load-gate.ts'

/** A shorter span says more about chance than about load. */
const spanMs: Millis = 2 * second

interface Times {
  readonly busy: number
  readonly all: number
}

/** Measures when it is asked, over the span since it measured last. The graphics processor isn't known. */
export function createMachineLoad(
  clock: Pick<Clock, 'monotonic'>,
  read: () => readonly CpuInfo[] = cpus,
): LoadProbe {
  let before = timesOf(read())
  let measuredAt = clock.monotonic()
  let cpuPercent: number | null = null
  return () => {
    if (clock.monotonic() - measuredAt >= spanMs) {
      const now = timesOf(read())
      const all = now.all - before.all
      cpuPercent = all <= 0 ? null : Math.round((100 * (now.busy - before.busy)) / all)
      before = now
      measuredAt = clock.monotonic()
    }
    return { cpuPercent, gpuPercent: null }
  }
}

function timesOf(processors: readonly CpuInfo[]): Times {
  let all = 0
  let idle = 0
  for (const { times } of processors) {
    all += times.user + times.nice + times.sys + times.idle + times.irq
    idle += times.idle
  }
  return { busy: all - idle, all }
}
