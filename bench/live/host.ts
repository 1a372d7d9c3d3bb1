/** The engine that is looked at, as a process of its own: it serves who looks, and works when it is told to. */

import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import { composeEngine } from '../../src-engine/shell/compose-engine.ts'
import { openEngineHost } from '../../src-engine/shell/engine-host.ts'
import { startServer } from '../../src-engine/shell/server.ts'
import { subjectOf } from '../ours.ts'
import { throughput } from '../throughput.ts'

/** So many runs; null to end. */
export interface Work {
  readonly runs: number | null
}

const slots = 512

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

async function stop(): Promise<void> {
  await server.close()
  await subject.close()
  await rm(dataDir, { recursive: true, force: true })
  process.disconnect()
}

process.on('message', ({ runs }: Work) => {
  if (runs === null) void stop()
  else void throughput(subject, runs).then((worked) => process.send?.(worked))
})
process.send?.({ url: server.url })
