/** Ended runs that go on, over engines that die, other versions and dead letters, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { SagasmithError } from '../../../../src-engine/model/errors.ts'
import { idempotencyKeyOf } from '../../../../src-engine/model/idempotency-key.ts'
import type { DefinitionHash, RunId } from '../../../../src-engine/model/ids.ts'
import { nodeId, storeId, workflowId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { replayRun } from '../../../../src-engine/model/replay.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import type { RetryAnswer, RetryRequest } from '../../../../src-engine/protocol/run-control.ts'
import { noRecords } from '../../../../src-engine/store/memory/memory-records.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { eventsOfRun } from '../../../support/read-events.ts'
import { EnginesScene } from '../permits/engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const documentOf = (parts: JsonObject = {}): WorkflowDocument =>
  ({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId('three'),
    title: 'Three steps',
    nodes: { a: { kind: 'noop' }, b: { kind: 'noop' }, c: { kind: 'noop' } },
    edges: {
      ab: { from: { node: 'a', port: 'out' }, to: { node: 'b', port: 'in' } },
      bc: { from: { node: 'b', port: 'out' }, to: { node: 'c', port: 'in' } },
    },
    ...parts,
  }) as unknown as WorkflowDocument

const plain: Omit<RetryRequest, 'runId'> = {
  nodeId: null,
  input: null,
  version: 'same',
  document: null,
  by: 'ada',
  reason: 'the disk is free again',
}

describe.each(Object.entries(sceneStores))('a run that goes on, on %s', (_name, open) => {
  async function failedRun(): Promise<{ readonly here: EnginesScene; readonly runId: RunId }> {
    const here = new EnginesScene(await open())
    scenes.push(here)
    await here.launch()
    const runId = await here.start(documentOf())
    await here.end()
    await here.end(new Error('disk full'))
    expect((await here.run(runId)).status).toBe('FAILED')
    return { here, runId }
  }

  async function retry(
    here: EnginesScene,
    request: Partial<RetryRequest> & { readonly runId: RunId },
    engine = 0,
  ): Promise<RetryAnswer> {
    const asked = here.engines[engine]?.retryRun({ ...plain, ...request })
    const settled = asked?.then(
      (answer) => ({ answer }),
      (thrown: unknown) => ({ thrown }),
    )
    await here.pass(100)
    const got = await settled
    if (got === undefined) throw new Error(`there is no engine ${engine}`)
    if ('thrown' in got) throw got.thrown
    return got.answer
  }

  it('keeps what succeeded and ends well, and its letter is gone', async () => {
    const { here, runId } = await failedRun()
    const engine = here.engines[0]
    const query = { reason: null, workflowId: null, runId, after: null, limit: 10 }
    expect((await engine?.deadLetters.list(query))?.letters).toHaveLength(1)
    const answer = await retry(here, { runId })
    expect(answer).toMatchObject({ generation: 1, status: 'RUNNING', again: ['b'] })
    expect((await engine?.deadLetters.list(query))?.letters).toEqual([])
    expect((await here.run(runId)).output).toBeNull()
    await here.end()
    await here.end()
    expect((await here.run(runId)).status).toBe('SUCCEEDED')
    const nodes = (await here.records(runId)).map((record) => `${record.nodeId}${record.generation}`)
    expect(nodes).toEqual(['a0', 'b0', 'b1', 'c1'])
  })

  it('has other idempotency keys for what it does again', async () => {
    const { here, runId } = await failedRun()
    await retry(here, { runId })
    const records = (await here.records(runId)).filter((record) => record.nodeId === 'b')
    const keys = records.map(({ generation, path }) =>
      idempotencyKeyOf({ storeId: storeId('s'), runId, generation, nodeId: nodeId('b'), path }),
    )
    expect(new Set(keys).size).toBe(2)
  })

  it('is picked up by another engine when its own dies', async () => {
    const { here, runId } = await failedRun()
    await here.launch()
    await retry(here, { runId })
    const owner = here.atWork[0]?.engine ?? 0
    here.processes[owner]?.die()
    here.atWork.splice(0)
    await here.pass(20 * 60_000)
    await here.end()
    await here.end()
    expect((await here.run(runId)).status).toBe('SUCCEEDED')
    const events = await eventsOfRun(here.store, runId)
    const told = replayRun(events)
    expect(told.run).toEqual(await here.run(runId))
    expect([...told.invocations.values()]).toEqual(await here.records(runId))
  })

  it('goes on at the word of an engine that has never seen it', async () => {
    const { here, runId } = await failedRun()
    await here.launch()
    await retry(here, { runId, nodeId: nodeId('a') }, 1)
    for (const _ of ['a', 'b', 'c']) await here.end()
    expect((await here.run(runId)).status).toBe('SUCCEEDED')
  })

  it('is bound to the newest version where that was asked for', async () => {
    const { here, runId } = await failedRun()
    const fixed = documentOf({
      nodes: { a: { kind: 'noop' }, b: { kind: 'log', parameters: { message: 'x' } }, c: { kind: 'noop' } },
    })
    const { hash } = await retry(here, { runId, version: 'newest', document: fixed as unknown as JsonObject })
    const run = await here.run(runId)
    expect(run.definitionHash).toBe(hash)
    expect((await here.records(runId)).at(-1)).toMatchObject({ nodeId: 'b', taskKind: 'log' })
    await here.end()
    await here.end()
    expect((await here.run(runId)).status).toBe('SUCCEEDED')
  })

  it('finds the newest version among those that were published', async () => {
    const { here, runId } = await failedRun()
    const other = documentOf({ settings: { output: '"done"' } })
    const second = await here.start(other)
    const { hash } = await retry(here, { runId, version: 'newest' })
    expect(hash).toBe((await here.run(second)).definitionHash)
  })

  it('stays as it is when a kept result would mean something else [S5] [S6]', async () => {
    const { here, runId } = await failedRun()
    const before = await here.run(runId)
    const other = documentOf({
      nodes: { a: { kind: 'log', parameters: { message: 'x' } }, b: { kind: 'noop' }, c: { kind: 'noop' } },
    })
    const asked = retry(here, { runId, version: 'newest', document: other as unknown as JsonObject })
    await expect(asked).rejects.toMatchObject({
      code: 'kept_results_do_not_fit',
      details: { nodeIds: ['a'] },
    })
    expect(await here.run(runId)).toEqual(before)
  })

  it('has the step work on the input that it was given', async () => {
    const { here, runId } = await failedRun()
    await retry(here, { runId, nodeId: nodeId('b'), input: { value: { better: true } } })
    await here.end()
    const [record] = (await here.records(runId)).filter(({ generation }) => generation === 1)
    expect(record?.input).toEqual({ kind: 'inline', json: '{"better":true}' })
  })
})

it('a run that was bound to another version while somebody looked at it is left as it is', async () => {
  const records = noRecords(0)
  const store = createMemoryStore({ records: [records] })
  let other: DefinitionHash | null = null
  const here = new EnginesScene({
    ...store,
    load: async (partition, what, given) => {
      const found = await store.load(partition, what, given)
      const run = what === 'run' ? records.runs.get((given as { runId: RunId }).runId) : undefined
      // Somebody had it go on with another document, and it has failed again.
      if (run !== undefined && other !== null) records.runs.set(run.id, { ...run, definitionHash: other })
      other = null
      return found
    },
  })
  scenes.push(here)
  await here.launch()
  const runId = await here.start(documentOf())
  await here.end(new Error('disk full'))
  const second = await here.start(documentOf({ settings: { output: '"done"' } }))
  await here.pass(10 * 60_000)
  const { definitionHash } = await here.run(second)
  const before = await here.run(runId)
  other = definitionHash
  const asked = here.engines[0]?.retryRun({ ...plain, runId }).catch(({ code }: SagasmithError) => code)
  await here.pass(100)
  expect(await asked).toBe('lost_race')
  expect(await here.run(runId)).toEqual({ ...before, definitionHash })
})
