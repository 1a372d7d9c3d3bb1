/**
 * One subject in a process of its own: `node bench/child.ts ours|acting|ideal RUNS SAMPLES SPAWNED_AT short|long`.
 * Prints its measurements as one JSON line.
 */

import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openIdeal } from './ideal.ts'
import type { OpenSubject, Subject } from './subject.ts'
import { chainSteps, fanBranches, largeRunSteps } from './subject.ts'
import { throughput } from './throughput.ts'

export interface Measured {
  /** Spawn to the first final run. */
  readonly coldMs: number
  readonly idleMib: number
  readonly stepsPerSecond: number
  readonly cpuMicrosPerStep: number
  readonly chainP50Ms: number
  readonly chainP99Ms: number
  readonly fanMs: number
  readonly afterMib: number
  /** One run of very many parallel steps, and one of as many in a row; in the long form only. */
  readonly wideMs?: number
  readonly longStepsPerSecond?: number
}

const [name, runs = '1000', samples = '40', spawnedAt = '0', form = 'short'] = process.argv.slice(2)
const gapMs = 50
/**
 * Times W1 is run before speed is measured, on both sides alike: the figures are those of a process that has
 * been at work. What a process needs before that is the cold start's figure; memory is that after the first. Of the short
 * form nobody reads how fast it was.
 */
const warmUps = form === 'long' ? 8 : 1
const largeSamples = 3

/** The share of memory that is this process's own, in MiB; 0 where the system doesn't tell. */
function memoryMib(): number {
  try {
    const pss = /^Pss:\s+(\d+) kB/m.exec(readFileSync('/proc/self/smaps_rollup', 'utf8'))
    return Number(pss?.[1] ?? 0) / 1_024
  } catch {
    // Not Linux.
    return 0
  }
}

const pause = (span: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, span))

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0
}

async function timed(call: () => Promise<void>): Promise<number> {
  const began = performance.now()
  await call()
  return performance.now() - began
}

async function repeated(times: number, call: () => Promise<void>): Promise<readonly number[]> {
  const spans: number[] = []
  for (let time = 0; time < times; time += 1) {
    await pause(gapMs)
    spans.push(await timed(call))
  }
  return spans
}

/** The first of each pays for what happens once per workflow: it is checked, compiled and published. */
async function largeRuns(subject: Subject): Promise<Pick<Measured, 'wideMs' | 'longStepsPerSecond'>> {
  await subject.fan(largeRunSteps)
  const wide = await repeated(largeSamples, () => subject.fan(largeRunSteps))
  await subject.chain(largeRunSteps)
  const long = await repeated(largeSamples, () => subject.chain(largeRunSteps))
  return { wideMs: quantile(wide, 0.5), longStepsPerSecond: (largeRunSteps / quantile(long, 0.5)) * 1_000 }
}

async function measure(open: OpenSubject, directory: string): Promise<Measured> {
  const subject = await open(directory)
  await subject.chain(chainSteps)
  const coldMs = Date.now() - Number(spawnedAt)
  await pause(gapMs * 4)
  const idleMib = memoryMib()
  await throughput(subject, Number(runs))
  const afterMib = memoryMib()
  for (let round = 1; round < warmUps; round += 1) await throughput(subject, Number(runs))
  const w1 = await throughput(subject, Number(runs))
  const chains = await repeated(Number(samples), () => subject.chain(chainSteps))
  const fans = await repeated(Number(samples), () => subject.fan(fanBranches))
  const large = form === 'long' ? await largeRuns(subject) : {}
  await subject.close()
  return {
    coldMs,
    idleMib,
    ...w1,
    chainP50Ms: quantile(chains, 0.5),
    chainP99Ms: quantile(chains, 0.99),
    fanMs: quantile(fans, 0.5),
    afterMib,
    ...large,
  }
}

const openerOf = async (subject: string | undefined): Promise<OpenSubject> => {
  const { openActing, openOurs } = await import('./ours.ts')
  return subject === 'acting' ? openActing : openOurs
}

const directory = mkdtempSync(join(tmpdir(), 'sagasmith-bench-'))
try {
  const open = name === 'ideal' ? openIdeal : await openerOf(name)
  console.log(JSON.stringify(await measure(open, directory)))
} finally {
  rmSync(directory, { recursive: true, force: true })
}
