/** W1: runs of a few steps that do nothing, many at a time. */

import type { Subject } from './subject.ts'
import { chainSteps } from './subject.ts'

const w1InFlight = 50

export interface Throughput {
  readonly stepsPerSecond: number
  readonly cpuMicrosPerStep: number
}

/** So many runs, so many of them at a time. */
export async function chains(subject: Subject, total: number, inFlight: number): Promise<void> {
  let left = total
  const lane = async (): Promise<void> => {
    for (; left > 0; ) {
      left -= 1
      await subject.chain(chainSteps)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
}

/** How fast, and what of this process's processor a step takes. */
export async function throughput(subject: Subject, total: number): Promise<Throughput> {
  const cpu = process.cpuUsage()
  const began = performance.now()
  await chains(subject, total, w1InFlight)
  const seconds = (performance.now() - began) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  const steps = total * chainSteps
  return { stepsPerSecond: steps / seconds, cpuMicrosPerStep: (user + system) / steps }
}
