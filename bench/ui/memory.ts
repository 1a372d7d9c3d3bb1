/** What is alive on the page after each minute of a run that never stops changing. */

import { openRun } from './designer-page.ts'
import { aliveMib, openPage } from './pages.ts'
import type { Bench } from './rounds.ts'

export interface Memory {
  /** MiB, after collecting what isn't used, once a minute. */
  readonly minutes: readonly number[]
  /** MiB that come to it in an hour, by the straight line through all minutes but the first two. */
  readonly perHour: number
}

const warmUp = 2

export async function measureMemory({ host, browser, nodes, rate }: Bench, minutes: number): Promise<Memory> {
  const { runId } = await host.run(nodes)
  const measured = await openPage(browser)
  await openRun(measured, { url: host.designer, runId })
  await host.rate(runId, rate)
  const alive: number[] = []
  for (let minute = 0; minute < minutes; minute += 1) {
    await measured.page.waitForTimeout(60_000)
    alive.push(await aliveMib(measured))
    process.stderr.write(`minute ${minute + 1}: ${alive.at(-1)?.toFixed(1)} MiB\n`)
  }
  await host.rate(runId, 0)
  await measured.close()
  return { minutes: alive, perHour: slope(alive.slice(Math.min(warmUp, alive.length - 1))) * 60 }
}

/** Of the line with the least squares, per step. */
function slope(values: readonly number[]): number {
  const middle = (values.length - 1) / 2
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length
  const up = values.reduce((sum, value, at) => sum + (at - middle) * (value - mean), 0)
  const wide = values.reduce((sum, _value, at) => sum + (at - middle) ** 2, 0)
  return wide === 0 ? 0 : up / wide
}
