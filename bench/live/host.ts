/** The engine that is looked at, as a process of its own: it serves who looks, and works when it is told to. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import { composeEngine } from '../../src-engine/shell/compose-engine.ts'
import { openEngineHost } from '../../src-engine/shell/engine-host.ts'
import { startServer } from '../../src-engine/shell/server.ts'
import { subjectOf } from '../ours.ts'
import { chainSteps } from '../subject.ts'

/** So many runs; null to end. */
export interface Work {
  readonly runs: number | null
}

export interface Worked {
  readonly stepsPerSecond: number
  readonly cpuMicrosPerStep: number
}

const slots = 512
const inFlight = 50

const dataDir = await mkdtemp(join(tmpdir(), 'sagasmith-live-bench-'))
const host = await openEngineHost({
  dataDir,
  role: 'serve',
  mode: 'work',
  compose: (input) => composeEngine({ ...input, settings: engineSettings({ maxConcurrentTasks: slots }) }),
})
const server = await startServer({
  port: 0,
  renderer: null,
  serve: (channel, options) => void host.serve(channel, options),
})
const subject = subjectOf({
  run: async (document) => {
    const { runId } = await host.engine.startRun({
      document,
      input: null,
      baseDirectory: null,
      requestId: null,
    })
    const { status } = await host.engine.waitForRun(runId)
    if (status !== 'SUCCEEDED') throw new Error(`the run ${runId} ended ${status}`)
  },
  close: () => host.close(),
})

async function work(runs: number): Promise<Worked> {
  const cpu = process.cpuUsage()
  const began = performance.now()
  let left = runs
  const lane = async (): Promise<void> => {
    for (; left > 0; ) {
      left -= 1
      await subject.chain(chainSteps)
    }
  }
  await Promise.all(Array.from({ length: inFlight }, lane))
  const seconds = (performance.now() - began) / 1_000
  const { user, system } = process.cpuUsage(cpu)
  const steps = runs * chainSteps
  return { stepsPerSecond: steps / seconds, cpuMicrosPerStep: (user + system) / steps }
}

async function stop(): Promise<void> {
  await server.close()
  await subject.close()
  await rm(dataDir, { recursive: true, force: true })
  process.disconnect()
}

process.on('message', ({ runs }: Work) => {
  if (runs === null) void stop()
  else void work(runs).then((worked) => process.send?.(worked))
})
process.send?.({ url: server.url })
