/** The product's engine on a store that seals, or doesn't. */

import { mkdirSync, writeFileSync } from 'node:fs'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import type { Vault } from '../../src-engine/runtime/vault/vault.ts'
import type { ComposedEngine } from '../../src-engine/shell/compose-engine.ts'
import { composeEngine } from '../../src-engine/shell/compose-engine.ts'
import { loadSettings } from '../../src-engine/shell/config.ts'
import { dataDirectory } from '../../src-engine/shell/data-directory.ts'
import { openVault } from '../../src-engine/shell/vault.ts'
import type { Store } from '../../src-engine/store/store.ts'
import { documentOf } from '../engine/model/workflow-fixture.ts'
import { silentLog } from '../engine/shell/shell-fixtures.ts'

const settingsOf = (folder: string) => loadSettings({ flags: { data: folder }, environment: {} })

/** The vault of a folder, with its key in a file. */
const vaultOf = (folder: string): Vault =>
  openVault({
    directory: dataDirectory(folder),
    settings: settingsOf(folder).values,
    clock: systemClock,
  })

/** Not started yet; on the data file of the folder where no store is given. */
export function composeSealed(given: {
  readonly folder: string
  readonly store: Store | null
  readonly wanted: boolean
}): Promise<ComposedEngine> {
  const { folder, store, wanted } = given
  return composeEngine({
    directory: dataDirectory(folder),
    clock: systemClock,
    log: silentLog,
    settings: settingsOf(folder).engine,
    vault: vaultOf(folder),
    canRunAtomicService: true,
    sealing: { wanted, watches: store !== null },
    ...(store === null ? {} : { store }),
  })
}

/** Puts the workflow that others start into the folder's library. */
export function library(folder: string): void {
  const child = documentOf({
    id: 'child',
    title: 'child',
    nodes: { shout: { kind: 'transform', parameters: { expression: 'input.secret & "!!"' } } },
  })
  const { workflows } = dataDirectory(folder)
  mkdirSync(workflows, { recursive: true })
  writeFileSync(`${workflows}/child.json`, JSON.stringify(child))
}
