/** Pulled runs go on where they came from: on the fix, from a step of choice, and never over somebody's head. */

import { expect, test } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { nodeId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { ResumeRequest } from '../../../../src-engine/protocol/teleport.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import type { TeleportScene } from './teleport-scene.ts'
import { teleportScene } from './teleport-scene.ts'

const transform = (expression: string): JsonObject => ({ kind: 'transform', parameters: { expression } })
const parts = {
  nodes: { a: transform('input.n + 1'), b: transform('$error("too much")'), c: transform('input') },
  edges: edgesOf('a>b', 'b>c'),
}
const changed = (nodes: JsonObject): JsonObject =>
  documentOf({ ...parts, nodes: { ...parts.nodes, ...nodes } }) as unknown as JsonObject
const fix = changed({ b: transform('input * 10') })

const asked = (runId: RunId, given: Partial<ResumeRequest> = {}): ResumeRequest => ({
  runId,
  cluster: null,
  document: null,
  nodeId: null,
  by: 'ada',
  reason: null,
  ...given,
})

async function failedRun(here: TeleportScene): Promise<RunId> {
  const { id } = await here.cluster.play(parts, { n: 1 })
  await here.handlers['teleport.pull']({ cluster: 'plant', runId: id, family: false })
  return id
}

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'done',
    (thrown: { readonly code?: string }) => thrown.code ?? thrown,
  )

test('a failed run is pulled, replayed with the fix, and resumed there with it', async () => {
  const here = await teleportScene()
  const { handlers, cluster } = here
  const runId = await failedRun(here)
  const asRecorded = { runId, document: null, nodeId: null, mocks: null }
  expect(await handlers['teleport.replay'](asRecorded)).toMatchObject({ isSame: true })
  const replayed = await handlers['teleport.replay']({ ...asRecorded, document: fix })
  expect(replayed.end).toMatchObject({ recorded: 'FAILED', replayed: 'SUCCEEDED' })
  const request = asked(runId, { document: fix })
  expect(await handlers['teleport.preview'](request)).toMatchObject({
    cluster: 'plant',
    again: ['b'],
    refusal: null,
    push: { known: false, changes: [{ what: 'node', id: 'b', change: 'changed' }] },
  })
  expect((await cluster.run(runId)).generation).toBe(0)
  const answer = await cluster.within(handlers['teleport.resume'](request))
  expect(answer).toMatchObject({ cluster: 'plant', generation: 1, again: ['b'] })
  await cluster.pass(500)
  expect(await cluster.run(runId)).toMatchObject({
    status: 'SUCCEEDED',
    definitionHash: replayed.replayedHash,
  })
  expect(await cluster.outputOf(runId)).toBe(20)
  expect((await cluster.executions(runId)).filter(([step]) => step === 'a')).toHaveLength(1)
  const again = await handlers['teleport.pull']({ cluster: 'plant', runId, family: false })
  expect(again.runs[0]).toMatchObject({ run: { status: 'SUCCEEDED' }, rolledBack: false })
  expect(await handlers['teleport.replay'](asRecorded)).toMatchObject({ isSame: true })
})

test('a run that has moved on is not resumed: it is said what happened', async () => {
  const here = await teleportScene()
  const { handlers, cluster } = here
  const runId = await failedRun(here)
  await cluster.within(
    here.there['runs.retry']({
      runId,
      nodeId: null,
      input: null,
      version: 'same',
      document: null,
      by: 'bo',
      reason: null,
    }),
  )
  await cluster.pass(500)
  const { refusal, again } = await handlers['teleport.preview'](asked(runId))
  expect(refusal).toMatchObject({ code: 'teleport_run_moved', details: { status: 'FAILED', generation: 1 } })
  expect(refusal?.message).toContain('retry by bo took it from FAILED to RUNNING')
  expect(again).toEqual([])
  expect(await codeOf(cluster.within(handlers['teleport.resume'](asked(runId))))).toBe('teleport_run_moved')
  expect((await cluster.run(runId)).generation).toBe(1)
  await handlers['teleport.pull']({ cluster: 'plant', runId, family: false })
  await cluster.within(handlers['teleport.resume'](asked(runId)))
  expect((await cluster.run(runId)).generation).toBe(2)
})

test('whoever is faster wins: the retry itself looks at the version', async () => {
  const here = await teleportScene()
  const runId = await failedRun(here)
  const { version } = await here.cluster.run(runId)
  const retry = (ifVersion: number) =>
    here.cluster.within(
      here.there['runs.retry']({
        runId,
        nodeId: null,
        input: null,
        version: 'same',
        document: null,
        by: null,
        reason: null,
        ifVersion,
      }),
    )
  expect(await codeOf(retry(version - 1))).toBe('teleport_run_moved')
  expect(await codeOf(retry(version))).toBe('done')
})

test('a read-only connection is pulled from and never resumed on', async () => {
  const here = await teleportScene()
  here.setReadOnly(true)
  const runId = await failedRun(here)
  const { refusal } = await here.handlers['teleport.preview'](asked(runId))
  expect(refusal).toMatchObject({ code: 'cluster_read_only' })
  expect(await codeOf(here.handlers['teleport.resume'](asked(runId)))).toBe('cluster_read_only')
  expect((await here.cluster.run(runId)).generation).toBe(0)
})

test('kept results must mean the same in the fix; from the changed step on it goes', async () => {
  const here = await teleportScene()
  const { handlers, cluster } = here
  const runId = await failedRun(here)
  const document = changed({ a: transform('input.n + 2'), b: transform('input * 10') })
  const { refusal } = await handlers['teleport.preview'](asked(runId, { document }))
  expect(refusal).toMatchObject({ code: 'kept_results_do_not_fit', details: { nodeIds: ['a'] } })
  const resumed = cluster.within(handlers['teleport.resume'](asked(runId, { document })))
  expect(await codeOf(resumed)).toBe('kept_results_do_not_fit')
  const fromA = asked(runId, { document, nodeId: nodeId('a') })
  expect(await handlers['teleport.preview'](fromA)).toMatchObject({ again: ['a'], refusal: null })
  await cluster.within(handlers['teleport.resume'](fromA))
  await cluster.pass(500)
  expect(await cluster.outputOf(runId)).toBe(30)
})

test('what was not pulled, or is no version of the workflow, is refused', async () => {
  const here = await teleportScene()
  const { id } = await here.cluster.play(parts, { n: 1 })
  expect(await codeOf(here.handlers['teleport.resume'](asked(id)))).toBe('teleport_not_pulled')
  const replay = here.handlers['teleport.replay']({ runId: id, document: null, nodeId: null, mocks: null })
  expect(await codeOf(replay)).toBe('teleport_not_pulled')
  await here.handlers['teleport.pull']({ cluster: 'plant', runId: id, family: false })
  const another = { ...fix, id: 'another' }
  const resumed = here.handlers['teleport.resume'](asked(id, { document: another }))
  expect(await codeOf(resumed)).toBe('bad_request')
})
