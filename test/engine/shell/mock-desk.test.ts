/** The place of mocks: a run there is followed as any other, and nothing outside hears of it. */

import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import type { RunId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { runMachine } from '../../../src-engine/model/run-status.ts'
import { createChannelPair } from '../../../src-engine/protocol/channel-pair.ts'
import type { EngineClient } from '../../../src-engine/protocol/client.ts'
import { createClient } from '../../../src-engine/protocol/client.ts'
import { mockPlace } from '../../../src-engine/protocol/mock-place.ts'
import type { RunSnapshot } from '../../../src-engine/protocol/snapshot.ts'
import type { EngineHost } from '../../../src-engine/shell/engine-host.ts'
import { openEngineHost } from '../../../src-engine/shell/engine-host.ts'

const dataDir = mkdtempSync(join(tmpdir(), 'sagasmith-mocks-'))
const kept = join(dataDir, 'kept.txt')
let host: EngineHost
beforeAll(async () => {
  host = await openEngineHost({ dataDir, mode: 'work', role: 'test' })
})
afterAll(async () => {
  await host.close()
  rmSync(dataDir, { recursive: true, force: true })
})

function clientOf(cluster?: string): EngineClient {
  const [near, far] = createChannelPair()
  host.serve(far, { requireToken: null })
  return createClient(near, { token: null, ...(cluster === undefined ? {} : { cluster }) })
}

/** Asks a host that nobody answers for and writes a file. */
const shop = (mocks: JsonObject = {}): JsonObject => ({
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: 'shop',
  title: 'Shop',
  nodes: {
    ask: {
      kind: 'http-request',
      parameters: { method: 'GET', url: 'http://shop.invalid/price' },
      ...(Object.keys(mocks).length === 0 ? {} : { mocks }),
    },
    keep: { kind: 'write-file', parameters: { path: kept, content: 'kept' } },
  },
  edges: { e1: { from: { node: 'ask', port: 'out' }, to: { node: 'keep', port: 'in' } } },
})

const start = (client: EngineClient, document: JsonObject) =>
  client.call('runs.start', { document, input: null, baseDirectory: null, requestId: null })

/** The run once it is over. */
const ended = (client: EngineClient, runId: RunId): Promise<RunSnapshot> =>
  new Promise((resolve) => {
    const look = async (): Promise<void> => {
      const snapshot = await client.call('runs.get', { runId })
      if (runMachine.final.has(snapshot.run.status)) resolve(snapshot)
    }
    client.subscribe(
      { topic: { kind: 'run', runId }, cursor: null },
      { snapshot: () => void look(), events: () => void look() },
    )
  })

const outputOf = ({ invocations }: RunSnapshot, id: string): unknown => {
  const output = invocations.find(({ nodeId }) => nodeId === id)?.output
  return output?.kind === 'inline' ? JSON.parse(output.json) : null
}

test('kinds answer where nodes say nothing; nodes that say something give that, also in a run again', async () => {
  const client = clientOf(mockPlace)
  const first = await ended(client, (await start(client, shop())).runId)
  expect(first.run.status).toBe('SUCCEEDED')
  expect(outputOf(first, 'ask')).toMatchObject({ status: 200 })
  const given = shop({ cheap: { output: { price: 3 } } })
  // Mocks are no part of what a workflow means: both are the same version.
  const { runId, hash } = await start(client, given)
  expect(hash).toBe(first.run.definitionHash)
  expect(outputOf(await ended(client, runId), 'ask')).toEqual({ price: 3 })
  const again = await client.call('runs.rerun', {
    runId,
    input: null,
    document: null,
    otherVersion: false,
    requestId: null,
    by: null,
    reason: null,
  })
  expect(outputOf(await ended(client, again.runId), 'ask')).toEqual({ price: 3 })
  expect(existsSync(kept)).toBe(false)
  client.close()
})

test('a step that is to fail fails, and nothing of it is among the runs of the computer', async () => {
  const [client, own] = [clientOf(mockPlace), clientOf()]
  const failing = shop({ down: { error: { code: 'http_status', message: 'The shop is closed.' } } })
  const { run } = await ended(client, (await start(client, failing)).runId)
  expect(run).toMatchObject({ status: 'FAILED', error: { message: 'The shop is closed.' } })
  const { runs } = await own.call('runs.list', { statuses: null, workflowId: null, after: null, limit: 10 })
  expect(runs).toEqual([])
  // Whoever comes later sees the runs that are there.
  const later = clientOf(mockPlace)
  expect((await later.call('runs.get', { runId: run.id })).run.status).toBe('FAILED')
  for (const one of [client, own, later]) one.close()
})

test('an engine that carried many runs makes place for the next one, and those runs can still be looked at', async () => {
  const client = clientOf(mockPlace)
  const idle: JsonObject = {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: 'idle',
    title: 'Idle',
    nodes: {},
    edges: {},
  }
  const { runId } = await start(client, { ...idle, nodes: { only: { kind: 'noop' } } })
  await ended(client, runId)
  for (let count = 0; count < 50; count += 1)
    await ended(client, (await start(client, { ...idle, nodes: { only: { kind: 'noop' } } })).runId)
  const next = clientOf(mockPlace)
  await expect(next.call('runs.get', { runId })).rejects.toMatchObject({ code: 'run_not_found' })
  expect((await client.call('runs.get', { runId })).run.status).toBe('SUCCEEDED')
  client.close()
  next.close()
})
