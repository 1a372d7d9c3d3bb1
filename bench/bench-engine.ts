/** The product's engine as the shells compose it, on SQLite with `synchronous=FULL` unless told otherwise. */

import { engineSettings } from '../src-engine/model/settings/engine-settings.ts'
import type { WorkflowDocument } from '../src-engine/model/workflow.ts'
import { systemClock } from '../src-engine/runtime/system-ports.ts'
import { composeEngine } from '../src-engine/shell/compose-engine.ts'
import { dataDirectory } from '../src-engine/shell/data-directory.ts'
import type { Store } from '../src-engine/store/store.ts'

/** More than the default: it suits steps that wait, and the fan's are all ready at once. */
const slots = 512

export interface BenchEngine {
  /** Resolves when a run of the workflow has succeeded; throws when it ended otherwise. */
  readonly run: (document: WorkflowDocument) => Promise<void>
  readonly close: () => Promise<void>
}

/** Starts an engine on a directory, or on another store. */
export async function openBenchEngine(directory: string, store?: Store): Promise<BenchEngine> {
  const { engine, close } = await composeEngine({
    directory: dataDirectory(directory),
    clock: systemClock,
    settings: engineSettings({ maxConcurrentTasks: slots }),
    log: { debug() {}, info() {}, warn: console.error, error: console.error },
    ...(store === undefined ? {} : { store }),
  })
  await engine.start()
  return {
    run: async (document) => {
      const { runId } = await engine.startRun({ document, input: null, baseDirectory: null, requestId: null })
      const { status } = await engine.waitForRun(runId)
      if (status !== 'SUCCEEDED') throw new Error(`the run ${runId} ended ${status}`)
    },
    close,
  }
}
