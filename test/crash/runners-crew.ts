/**
 * A crew of runner processes on one data file, one of them killed again and again while runs keep coming in.
 * Whoever starts the runs executes nothing: every step is done by a process that may die at any moment.
 */

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { RunId } from '../../src-engine/model/ids.ts'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import { programOf } from '../support/program.ts'
import type { RandomSource } from '../support/random-source.ts'
import { createRandomSource } from '../support/random-source.ts'
import { checkDirectory } from './crash-run.ts'
import type { Crew } from './crew.ts'
import { createCrew } from './crew.ts'
import { crashScenarios } from './scenarios.ts'
import { openSinkEngine } from './sink-engine.ts'

export interface CrewPlan {
  readonly runners: number
  /** Stops killing and starting after this. */
  readonly forMs: number
  /** From one kill to the next. */
  readonly killEveryMs: number
  /** Goes on beyond the time until so many were killed: on a busy machine they take long to come up. */
  readonly killsMin: number
  /** Runs under way at any time. */
  readonly runsOpen: number
  readonly seed: string
}

export interface CrewResult {
  readonly kills: number
  readonly runs: number
  readonly byStatus: Readonly<Record<string, number>>
  /** From the last kill to the end of the last run. */
  readonly settleMs: number
  readonly problems: readonly string[]
}

const child = await programOf('test/crash/runner-child.ts')
/** Whatever is not final so long after the last kill hangs. */
const settleMsMax = 240_000
/** A crew of which so few could be killed in that time never comes up. */
const killingMsMax = 240_000

/** Plays the plan on a new directory and checks all that is left of it. */
export async function playCrew(plan: CrewPlan): Promise<CrewResult> {
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-crew-'))
  const crew = createCrew(() =>
    spawn(process.execPath, [child, directory], { stdio: ['pipe', 'pipe', 'pipe'] }),
  )
  try {
    const starter = await openSinkEngine({ directory, settings: engineSettings(), spanOf: () => 0 })
    for (let index = 0; index < plan.runners; index += 1) crew.hire()
    const work = keepBusy(starter, plan)
    const kills = await killFor(plan, crew, createRandomSource(plan.seed))
    const calm = performance.now()
    const { accepted, byStatus, late } = await work.settled()
    const settleMs = Math.round(performance.now() - calm)
    const ends = await crew.dismiss()
    await starter.stop()
    await starter.store.close()
    const problems = [...late, ...ends, ...(await checkDirectory(directory, accepted))]
    if ((byStatus['SUCCEEDED'] ?? 0) !== accepted.length)
      problems.push(`of ${accepted.length} runs ended ${JSON.stringify(byStatus)}`)
    return { kills, runs: accepted.length, byStatus, settleMs, problems }
  } finally {
    crew.killAll()
    rmSync(directory, { recursive: true, force: true })
  }
}

async function killFor(plan: CrewPlan, crew: Crew, random: RandomSource): Promise<number> {
  const begun = performance.now()
  let kills = 0
  for (let spent = 0; spent < plan.forMs || kills < plan.killsMin; spent = performance.now() - begun) {
    if (spent > plan.forMs + killingMsMax) break
    await new Promise((resolve) => setTimeout(resolve, plan.killEveryMs))
    if (crew.replaceOne(random)) kills += 1
  }
  return kills
}

interface Work {
  /** Starts no more runs and waits for those under way. */
  readonly settled: () => Promise<{
    readonly accepted: readonly RunId[]
    readonly byStatus: Readonly<Record<string, number>>
    readonly late: readonly string[]
  }>
}

/** As many runs as planned at any time: where one ends, the next begins. */
function keepBusy(starter: Engine, plan: CrewPlan): Work {
  const accepted: RunId[] = []
  const byStatus: Record<string, number> = {}
  const late: string[] = []
  const enough = new AbortController()
  const given = { over: false }
  const document = crashScenarios[0]?.document
  if (document === undefined) throw new Error('there is a scenario')
  const lane = async (): Promise<void> => {
    while (!given.over) {
      const { runId } = await starter.startRun({
        document,
        input: { order: accepted.length },
        baseDirectory: null,
        requestId: null,
      })
      accepted.push(runId)
      const { status, error } = await starter.waitForRun(runId, enough.signal)
      byStatus[status] = (byStatus[status] ?? 0) + 1
      if (status !== 'SUCCEEDED') late.push(`${runId} ended ${status}: ${error?.message ?? ''}`)
    }
  }
  const lanes = Array.from({ length: plan.runsOpen }, () =>
    lane().catch((thrown: unknown) => void late.push(String(thrown))),
  )
  return {
    async settled() {
      given.over = true
      const hang = setTimeout(() => enough.abort(), settleMsMax)
      await Promise.all(lanes)
      clearTimeout(hang)
      return { accepted, byStatus, late }
    },
  }
}
