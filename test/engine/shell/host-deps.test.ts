import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import type { Engine } from '../../../src-engine/runtime/engine.ts'
import { loadSettings } from '../../../src-engine/shell/config.ts'
import { createDataDirectory, dataDirectory } from '../../../src-engine/shell/data-directory.ts'
import type { HostParts } from '../../../src-engine/shell/host-deps.ts'
import { hosted } from '../../../src-engine/shell/host-deps.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import { fakeClock, silentLog, temporaryFolder } from './shell-fixtures.ts'

it('drafts are kept beside the library and never in it, whatever store the engine works on', async () => {
  const root = temporaryFolder()
  mkdirSync(join(root, 'data'))
  const directory = dataDirectory(join(root, 'data'))
  createDataDirectory(directory)
  const parts: Partial<HostParts> = {
    // Nothing but what the store is is asked of the engine.
    engine: { store: createMemoryStore(), recoveredCount: 3 } as Partial<Engine> as Engine,
    settings: loadSettings({ flags: {}, environment: {} }),
    directory,
    clock: fakeClock(),
    log: silentLog,
  }
  const { deps, info } = hosted(parts as HostParts)
  await deps.handlers['drafts.save']({ id: 'd1', title: 'Half done', path: null, etag: null, document: {} })
  expect(readdirSync(directory.drafts)).toHaveLength(1)
  expect(readdirSync(directory.workflows)).toEqual([])
  expect(info).toMatchObject({ dataDirectory: directory.root, recoveredCount: 3 })
})
