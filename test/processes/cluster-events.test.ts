/** A step of this machine tells an event to a cluster, loses the answer, and is repeated: there it happened once. */

import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import type { RunId } from '../../src-engine/model/ids.ts'
import { storeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { createClusterDesk } from '../../src-engine/shell/clusters/cluster-desk.ts'
import { createClusterEvents } from '../../src-engine/shell/clusters/cluster-events.ts'
import type { ComposeInput } from '../../src-engine/shell/compose-engine.ts'
import { composeEngine } from '../../src-engine/shell/compose-engine.ts'
import { loadSettings } from '../../src-engine/shell/config.ts'
import { createDataDirectory, dataDirectory } from '../../src-engine/shell/data-directory.ts'
import { quietLog } from '../../src-engine/shell/quiet-log.ts'
import { openVault } from '../../src-engine/shell/vault.ts'
import { storeCatalogue } from '../../src-engine/store/catalogue.ts'
import type { ClusterEvents } from '../../src-engine/tasks/emit-event/cluster-events.ts'
import { documentOf, edgesOf } from '../engine/model/workflow-fixture.ts'
import { startRedis } from '../support/redis-servers.ts'

/** Takes two events of the name: the second is the one that ends it. */
const listening = documentOf({
  nodes: {
    first: { kind: 'wait-signal', parameters: { name: 'paid' } },
    second: { kind: 'wait-signal', parameters: { name: 'paid' } },
  },
  edges: edgesOf('first>second'),
})
const telling = (cluster: string): WorkflowDocument =>
  documentOf({
    nodes: {
      tell: {
        kind: 'emit-event',
        parameters: { name: 'paid', payload: 'run.input', cluster },
        retry: { maxAttempts: 3, delayMs: 1 },
      },
    },
    edges: {},
  })

const started = async (engine: Engine, document: WorkflowDocument, input = {}): Promise<RunId> =>
  (await engine.startRun({ document, input, requestId: null, baseDirectory: null })).runId

const statusesOf = async (engine: Engine, run: RunId) =>
  Object.fromEntries(
    (await engine.snapshot(run)).invocations.map(({ nodeId, status }) => [nodeId, status] as const),
  )

/** Resolves once the run's history has got there. */
function waitsAt(engine: Engine, run: RunId, node: string): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const look = async (): Promise<void> => {
    if ((await statusesOf(engine, run))[node] === 'WAITING') resolve()
  }
  const stop = engine.follow({ runId: run, cursor: [], receive: () => void look() })
  return promise.finally(stop)
}

test('an event for a cluster is there once, however often its step is repeated', async () => {
  const servers = await startRedis()
  const root = mkdtempSync(join(tmpdir(), 'sagasmith-cluster-events-'))
  onTestFinished(async () => {
    await servers.stop()
    rmSync(root, { recursive: true, force: true })
  })
  const nodes = servers.servers.map(({ host, port }) => ({ host, port }))
  const opened = async (name: string, more: Partial<ComposeInput> = {}) => {
    const directory = dataDirectory(join(root, name))
    const composed = await composeEngine({ directory, clock: systemClock, log: quietLog, ...more })
    onTestFinished(composed.close)
    await composed.engine.start()
    return composed.engine
  }
  const ids = { storeId: storeId('plant'), writerId: randomUUID(), partitions: 4 }
  const plant = await opened('plant', {
    store: await storeCatalogue.redis({ nodes, clock: systemClock, prefix: 'plant', ...ids }),
  })
  const settings = loadSettings({ flags: { data: join(root, 'here') }, environment: {} })
  const directory = dataDirectory(join(root, 'here'))
  createDataDirectory(directory)
  const vault = openVault({ directory, settings: settings.values, clock: systemClock })
  const desk = createClusterDesk({ settings, directory, vault, clock: systemClock, log: quietLog })
  onTestFinished(() => desk.close())
  const address = `redis://${nodes.map(({ host, port }) => `${host}:${port}`).join(',')}/plant`
  await desk.put({ name: 'plant', address, colour: 'blue', readOnly: false })
  const answers: string[] = []
  const tell = createClusterEvents(desk)
  const losing: ClusterEvents = async (event) => {
    answers.push(await tell(event))
    if (answers.length === 1) throw new SagasmithError('redis_timeout')
    return answers.at(-1) === 'repeated' ? 'repeated' : 'accepted'
  }
  const here = await opened('here', { clusterEvents: losing })

  const waiting = await started(plant, listening)
  await waitsAt(plant, waiting, 'first')
  const first = await here.waitForRun(await started(here, telling('plant'), { order: 1 }))
  expect(first.status).toBe('SUCCEEDED')
  expect(answers).toEqual(['accepted', 'repeated'])
  await waitsAt(plant, waiting, 'second')
  // Another run's event is another one.
  const second = await here.waitForRun(await started(here, telling('plant'), { order: 2 }))
  expect(second.status).toBe('SUCCEEDED')
  expect((await plant.waitForRun(waiting)).status).toBe('SUCCEEDED')
  expect(answers).toEqual(['accepted', 'repeated', 'accepted'])
  const lost = await here.waitForRun(await started(here, telling('elsewhere')))
  expect(lost).toMatchObject({ status: 'FAILED', error: { code: 'cluster_unknown' } })
})
