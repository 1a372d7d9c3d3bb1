/** The rest of a pulled run is done on this machine, with its real effects, and never in two places at once. */

import { expect, test } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { nodeId, runId as toRunId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { replayRun } from '../../../../src-engine/model/replay.ts'
import type { HereRequest } from '../../../../src-engine/protocol/teleport.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import type { TeleportScene } from './teleport-scene.ts'
import { teleportScene } from './teleport-scene.ts'

const transform = (expression: string): JsonObject => ({ kind: 'transform', parameters: { expression } })
const parts = {
  nodes: { a: transform('input.n + 1'), b: transform('$error("too much")'), c: transform('input') },
  edges: edgesOf('a>b', 'b>c'),
}
const fix = documentOf({
  ...parts,
  nodes: { ...parts.nodes, b: transform('input * 10') },
}) as unknown as JsonObject
const waits = {
  nodes: { a: transform('input.n + 1'), wait: { kind: 'wait-signal', parameters: { name: 'go' } } },
  edges: edgesOf('a>wait'),
}

const asked = (runId: RunId, given: Partial<HereRequest> = {}): HereRequest => ({
  runId,
  document: null,
  nodeId: null,
  there: 'leave',
  by: 'ada',
  reason: null,
  ...given,
})

async function failedRun(here: TeleportScene, input: JsonObject = { n: 1 }): Promise<RunId> {
  const { id } = await here.cluster.play(parts, input)
  await here.handlers['teleport.pull']({ cluster: 'plant', runId: id, family: false })
  return id
}

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'done',
    (thrown: { readonly code?: string }) => thrown.code ?? thrown,
  )

test('what failed there is done here on the fix; what was done there is not done again', async () => {
  const here = await teleportScene()
  const { handlers, own, cluster } = here
  const runId = await failedRun(here)
  const hereId = toRunId(`${runId}-here1`)
  const request = asked(runId, { document: fix })
  expect(await handlers['teleport.previewHere'](request)).toEqual({
    cluster: 'plant',
    hereId,
    there: 'FAILED',
    cancels: false,
    again: ['b'],
    acting: [],
    missingSecrets: [],
    undoneThere: [],
    refusal: null,
  })
  expect(await own.store.load(0, 'run', { runId: hereId }), 'a look makes nothing').toBeNull()
  const answer = await own.within(handlers['teleport.here'](request))
  expect(answer).toMatchObject({ runId: hereId, cluster: 'plant', cancelled: false, again: ['b'] })
  await own.pass(500)
  expect(await own.run(hereId)).toMatchObject({
    status: 'SUCCEEDED',
    origin: { kind: 'fork', runId },
    cause: { kind: 'teleport', by: 'ada', detail: `${runId} of plant` },
  })
  expect(await own.outputOf(hereId)).toBe(20)
  expect((await own.executions(hereId)).map(([step]) => step)).toEqual(['b#1', 'c#1'])
  expect((await cluster.run(runId)).status, 'there it is as it was').toBe('FAILED')
  // Its own events tell all of it, the adopted steps too.
  const feed = { after: { partition: 0, epoch: 0, seq: 0 }, runId: hereId, until: null, limit: 1_000 }
  const told = replayRun(await own.store.readEvents(feed))
  expect(told.run).toEqual(await own.store.load(0, 'run', { runId: hereId }))
  expect([...told.invocations.values()]).toEqual(await own.store.load(0, 'invocations', { runId: hereId }))
})

const undo = { task: { kind: 'noop', parameters: {} } }
const undoable = (node: JsonObject): JsonObject => ({ ...node, sideEffect: 'idempotent', compensation: undo })

test('what was done there is undone there, what was done here here, and nothing twice', async () => {
  const here = await teleportScene()
  const { handlers, own, cluster } = here
  // There a failure undoes nothing by itself.
  const made = {
    nodes: { ...parts.nodes, a: undoable(parts.nodes.a), c: transform('$error("too much")') },
    edges: parts.edges,
  }
  const { id: runId } = await cluster.play({ ...made, settings: { rollbackOn: [] } }, { n: 1 })
  await handlers['teleport.pull']({ cluster: 'plant', runId, family: false })
  const nodes = { ...made.nodes, b: undoable(transform('input * 10')) }
  const document = documentOf({ ...made, nodes }) as unknown as JsonObject
  const request = asked(runId, { document, nodeId: nodeId('b') })
  expect(await handlers['teleport.previewHere'](request)).toMatchObject({
    again: ['b'],
    undoneThere: ['a'],
    refusal: null,
  })
  const { runId: hereId } = await own.within(handlers['teleport.here'](request))
  await own.pass(5_000)
  // Here it goes wrong again, behind a step that was done here.
  expect((await own.run(hereId)).status).toBe('COMPENSATED')
  const undos = async (scene: typeof own, of: RunId) =>
    (await scene.store.load(0, 'invocations', { runId: of })).flatMap((record) =>
      record.role === 'compensation' ? [[record.nodeId, record.status]] : [],
    )
  expect(await undos(own, hereId)).toEqual([['b', 'SUCCESS']])
  expect(await own.engine.saga.show(hereId)).toMatchObject({
    leftBehind: [{ nodeId: 'a', message: 'What undoes it isn’t recorded in this run.' }],
  })
})

test('while it goes on here nobody resumes it there, nor a second time here', async () => {
  const here = await teleportScene()
  const { handlers, own } = here
  const runId = await failedRun(here)
  const document = documentOf({
    ...parts,
    nodes: { ...parts.nodes, b: { kind: 'wait-signal', parameters: { name: 'go' } } },
  }) as unknown as JsonObject
  await own.within(handlers['teleport.here'](asked(runId, { document })))
  await own.pass(100)
  const resume = { ...asked(runId, { document: fix }), cluster: null }
  expect(await handlers['teleport.preview'](resume)).toMatchObject({
    refusal: { code: 'teleport_goes_on_here' },
  })
  expect(await codeOf(handlers['teleport.resume'](resume))).toBe('teleport_goes_on_here')
  expect(await codeOf(handlers['teleport.here'](asked(runId, { document: fix })))).toBe(
    'teleport_goes_on_here',
  )
})

test('what goes on there is left alone, or cancelled there before anything is done here', async () => {
  const here = await teleportScene()
  const { handlers, own, cluster } = here
  const run = await cluster.start(waits, { n: 1 })
  await cluster.pass(500)
  await handlers['teleport.pull']({ cluster: 'plant', runId: run, family: false })
  const left = await handlers['teleport.previewHere'](asked(run))
  expect(left).toMatchObject({
    there: 'WAITING',
    cancels: false,
    again: [],
    refusal: { code: 'teleport_goes_on_there' },
  })
  expect(await codeOf(handlers['teleport.here'](asked(run)))).toBe('teleport_goes_on_there')
  const request = asked(run, { there: 'cancel' })
  here.setReadOnly(true)
  expect(await handlers['teleport.previewHere'](request)).toMatchObject({
    refusal: { code: 'cluster_read_only' },
  })
  expect(await codeOf(handlers['teleport.here'](request))).toBe('cluster_read_only')
  here.setReadOnly(false)
  expect(await handlers['teleport.previewHere'](request)).toMatchObject({ cancels: true, refusal: null })
  const [answer] = await Promise.all([handlers['teleport.here'](request), cluster.pass(2_000)])
  expect(answer).toMatchObject({ cancelled: true, again: ['wait'] })
  expect((await cluster.run(run)).status).toBe('CANCELLED')
  await own.within(
    own.engine.sendSignal({
      runId: answer.runId,
      name: 'go',
      correlation: null,
      payload: 5,
      messageId: null,
    }),
  )
  await own.pass(500)
  expect(await own.run(answer.runId)).toMatchObject({ status: 'SUCCEEDED' })
  expect((await own.executions(answer.runId)).map(([step]) => step)).toEqual(['wait#1'])
})

test('it is told which steps act from here, and which secrets are missing', async () => {
  const here = await teleportScene()
  const request = {
    kind: 'http-request',
    parameters: { url: 'https://shop.example.com/', headers: { Authorization: '{{ secrets.SHOP }}' } },
  }
  const acting = { nodes: { ...parts.nodes, c: request, d: request }, edges: edgesOf('a>d', 'd>b', 'b>c') }
  const { id } = await here.cluster.play(
    { ...acting, nodes: { ...acting.nodes, d: transform('1') } },
    { n: 1 },
  )
  await here.handlers['teleport.pull']({ cluster: 'plant', runId: id, family: false })
  expect(await here.handlers['teleport.previewHere'](asked(id))).toMatchObject({
    again: ['b'],
    acting: ['c'],
    missingSecrets: ['SHOP'],
  })
})

test('large values come along, and nothing is made of what can’t go on', async () => {
  const here = await teleportScene()
  const { handlers, own } = here
  const large = 'x'.repeat(300_000)
  const run = await failedRun(here, { n: 1, large })
  const from = asked(run, { document: fix, nodeId: nodeId('a') })
  const { runId } = await own.within(handlers['teleport.here'](from))
  await own.pass(500)
  expect(await own.outputOf(runId)).toBe(20)
  const { input } = await own.run(runId)
  expect(input).toMatchObject({ kind: 'blob' })
  const done = await here.cluster.play({ nodes: { a: transform('1') } })
  await handlers['teleport.pull']({ cluster: 'plant', runId: done.id, family: false })
  expect(await codeOf(handlers['teleport.here'](asked(done.id)))).toBe('run_not_retryable')
  expect(await own.store.load(0, 'run', { runId: toRunId(`${done.id}-here1`) })).toBeNull()
})
