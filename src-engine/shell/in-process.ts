/**
 * An engine that keeps nothing: it lives in this process's memory and is gone with it. For tests and dry
 * runs. No data directory is touched, no lock is taken, no other process is involved.
 */

import type { Logger } from '../model/ports.ts'
import type { Mocking } from '../runtime/mocked-host.ts'
import { mockedHost } from '../runtime/mocked-host.ts'
import { systemClock } from '../runtime/system-ports.ts'
import { storeCatalogue } from '../store/catalogue.ts'
import { createClusterDesk } from './clusters/cluster-desk.ts'
import { type ComposedEngine, composeEngine } from './compose-engine.ts'
import type { LoadedSettings } from './config.ts'
import { loadSettings } from './config.ts'
import type { Connection } from './connection.ts'
import { dataDirectory } from './data-directory.ts'
import { connectComposed } from './in-process-connection.ts'
import { openVault } from './vault.ts'

export interface InProcessOptions {
  /** Where workflows that steps start by id are looked for: the folder of the workflow, as a rule. */
  readonly folder: string
  /** What is answered for instead of being done; null to do everything. */
  readonly mocking: Mocking | null
  readonly settings?: LoadedSettings
}

/** A started engine on a store in memory. */
export async function openInProcess(options: InProcessOptions): Promise<ComposedEngine> {
  const { folder, mocking } = options
  const settings = options.settings ?? loadSettings({ flags: {}, environment: {} })
  const composed = await composeEngine({
    directory: { ...dataDirectory(folder), workflows: folder },
    clock: systemClock,
    log: quiet,
    store: await storeCatalogue.memory({ now: () => systemClock.now() }),
    settings: settings.engine,
    ...(mocking === null ? {} : { hosted: (host) => mockedHost(host, mocking) }),
  })
  await composed.engine.start()
  return composed
}

/** The same as a command's connection; nothing but runs can be asked for. */
export async function connectInProcess(options: InProcessOptions): Promise<Connection> {
  const { folder } = options
  const settings = options.settings ?? loadSettings({ flags: {}, environment: {} })
  const directory = dataDirectory(settings.values.data)
  const vault = openVault({ directory, settings: settings.values, clock: systemClock })
  const composed = await openInProcess({ ...options, settings })
  const common = { settings, directory, vault, clock: systemClock, log: quiet }
  return connectComposed({ ...common, composed, folder, clusters: createClusterDesk(common) })
}

const nothing = (): void => undefined
/** Errors of steps are told with their run; there is no file for anything else. */
const quiet: Logger = { debug: nothing, info: nothing, warn: nothing, error: nothing }
