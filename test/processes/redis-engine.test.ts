/** Engines of several runners on one Redis store: each step is done once, whoever does it. */

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { storeId } from '../../src-engine/model/ids.ts'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { composeEngine } from '../../src-engine/shell/compose-engine.ts'
import { dataDirectory } from '../../src-engine/shell/data-directory.ts'
import { storeCatalogue } from '../../src-engine/store/catalogue.ts'
import { everyEvent, verifyHistory } from '../conformance/scene.ts'
import { documentOf, edgesOf } from '../engine/model/workflow-fixture.ts'
import { startRedis } from '../support/redis-servers.ts'

const names = ['a', 'b', 'c', 'd']
const document = documentOf({
  nodes: Object.fromEntries(names.map((name) => [name, { kind: 'noop' }])),
  edges: edgesOf(...names.slice(1).map((name, index) => `${names[index]}>${name}`)),
})

test('two engines share the runs of a store, and every step of each succeeds once', async () => {
  const servers = await startRedis()
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-engines-'))
  const open = () =>
    storeCatalogue.redis({
      nodes: servers.servers.map(({ host, port }) => ({ host, port })),
      storeId: storeId('s'),
      partitions: 8,
      clock: systemClock,
      writerId: randomUUID(),
    })
  const told: string[] = []
  const log = {
    debug() {},
    info() {},
    warn: (event: string, details?: object) => told.push(`${event} ${JSON.stringify(details)}`),
    error: (event: string, details?: object) => told.push(`${event} ${JSON.stringify(details)}`),
  }
  const engines = await Promise.all(
    ['one', 'two'].map(async (name) => {
      const composed = await composeEngine({
        directory: dataDirectory(join(directory, name)),
        clock: systemClock,
        log,
        store: await open(),
        settings: engineSettings({}),
      })
      await composed.engine.start()
      return composed
    }),
  )
  const runs = await Promise.all(
    Array.from({ length: 24 }, async (_, index) => {
      const starter = engines[index % 2]?.engine
      const watcher = engines[(index + 1) % 2]?.engine
      if (starter === undefined || watcher === undefined) throw new Error('There are two engines.')
      const request = { document, input: {}, requestId: null, baseDirectory: null }
      const { runId } = await starter.startRun(request)
      // Who didn't start it hears of its end too.
      return watcher.waitForRun(runId)
    }),
  )
  expect(runs.map(({ status }) => status)).toEqual(runs.map(() => 'SUCCEEDED'))
  for (const { close } of engines) await close()
  const store = await open()
  await verifyHistory(store)
  const own = new Set(runs.map(({ id }) => id))
  const ends = (await everyEvent(store)).filter(
    ({ runId, body }) =>
      runId !== null && own.has(runId) && body.type === 'invocation.changed' && body.to === 'SUCCESS',
  )
  expect(ends).toHaveLength(runs.length * names.length)
  await store.close()
  await servers.stop()
  rmSync(directory, { recursive: true, force: true })
  expect(told).toEqual([])
})
