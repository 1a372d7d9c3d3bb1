/**
 * An engine that keeps nothing: it lives in this process's memory and is gone with it. For tests and dry
 * runs. No data directory is touched, no lock is taken, no other process is involved.
 */

import type { Mocking } from '../runtime/mocked-host.ts'
import { mockedHost } from '../runtime/mocked-host.ts'
import { systemClock } from '../runtime/system-ports.ts'
import { storeCatalogue } from '../store/catalogue.ts'
import type { ComposedEngine, ComposeInput } from './compose-engine.ts'
import { composeEngine } from './compose-engine.ts'
import type { LoadedSettings } from './config.ts'
import { loadSettings } from './config.ts'
import type { DataDirectory } from './data-directory.ts'
import { dataDirectory } from './data-directory.ts'
import { quietLog } from './quiet-log.ts'

export interface InProcessOptions extends Pick<ComposeInput, 'sandbox' | 'sqlite'> {
  /** Where workflows that steps start by id are looked for: the folder of the workflow, as a rule. */
  readonly folder: string
  /** What is answered for instead of being done; null to do everything. */
  readonly mocking: Mocking | null
  readonly settings?: LoadedSettings
}

/** A started engine on a store in memory. */
export async function openInProcess(options: InProcessOptions): Promise<ComposedEngine> {
  const { folder, mocking, settings: given, ...sandboxing } = options
  const settings = given ?? loadSettings({ flags: {}, environment: {} })
  const composed = await composeEngine({
    ...sandboxing,
    directory: besideWorkflow(folder, settings),
    clock: systemClock,
    log: quietLog,
    store: await storeCatalogue.memory({ now: () => systemClock.now() }),
    settings: settings.engine,
    kernel: settings.values,
    ...(mocking === null ? {} : { hosted: (host) => mockedHost(host, mocking) }),
  })
  await composed.engine.start()
  return composed
}

/** The workflow's own folder is the library; custom tasks are those of the data directory. */
export const besideWorkflow = (folder: string, { values }: LoadedSettings): DataDirectory => ({
  ...dataDirectory(folder),
  workflows: folder,
  tasks: dataDirectory(values.data).tasks,
})
