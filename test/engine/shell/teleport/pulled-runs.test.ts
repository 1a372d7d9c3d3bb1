/** Pulled runs beside those of this machine: every view works on them, and nothing changes them. */

import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { EngineEvent } from '../../../../src-engine/model/event.ts'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { invocationId, nodeId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { eventsOfRun } from '../../../support/read-events.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import type { TeleportScene } from './teleport-scene.ts'
import { teleportScene } from './teleport-scene.ts'

const transform = (expression: string): JsonObject => ({ kind: 'transform', parameters: { expression } })
const orders = { nodes: { a: transform('input.n + 1'), b: transform('input * 2') }, edges: edgesOf('a>b') }

async function pulledRun(here: TeleportScene, parts: JsonObject = orders): Promise<RunId> {
  const { id } = await here.cluster.play(parts, { n: 20 })
  await here.handlers['teleport.pull']({ cluster: 'plant', runId: id, family: true })
  return id
}

const codeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.then(
    () => 'done',
    (thrown: { readonly code?: string }) => thrown.code ?? thrown,
  )

test('a pulled run is read as one of this machine, and says where it is from', async () => {
  const here = await teleportScene()
  const id = await pulledRun(here)
  const { handlers, there } = here
  const { pulled, ...snapshot } = await handlers['runs.get']({ runId: id })
  expect(snapshot).toEqual(await there['runs.get']({ runId: id }))
  expect(pulled).toMatchObject({ runId: id, origin: { cluster: 'plant' } })
  const at = { runId: id, seq: snapshot.seq - 1 }
  expect(await handlers['runs.stateAt'](at)).toEqual(await there['runs.stateAt'](at))
  for (const method of ['runs.attempts', 'runs.family', 'results.get', 'deadLetters.list'] as const) {
    const input = {
      'runs.attempts': { runId: id, invocationId: null },
      'runs.family': { runId: id, after: null, limit: 10 },
      'results.get': { runId: id, nodeId: nodeId('a'), path: '' },
      'deadLetters.list': { runId: id, reason: null, workflowId: null, after: null, limit: 10 },
    }[method]
    const [found, expected] = [handlers, there].map((of) =>
      (of[method] as (given: unknown) => Promise<unknown>)(input),
    )
    expect(await found, method).toEqual(await expected)
  }
  const hash = snapshot.run.definitionHash
  expect(await handlers['workflows.version']({ hash })).toEqual(await there['workflows.version']({ hash }))
  expect(await handlers['teleport.list']({})).toMatchObject({ runs: [{ runId: id, isSnapshot: false }] })
})

test('its dead letters are shown by their ids, and stay where they are', async () => {
  const here = await teleportScene()
  const id = await pulledRun(here, { nodes: { a: transform('$error("no")') } })
  const query = { runId: id, reason: null, workflowId: null, after: null, limit: 10 }
  const { letters } = await here.handlers['deadLetters.list'](query)
  const [letter] = letters
  expect(letter).toBeDefined()
  expect(await here.handlers['deadLetters.get']({ id: letter?.id ?? '' })).toEqual(letter)
  const discarded = here.handlers['deadLetters.discard']({ id: letter?.id ?? '', by: null })
  expect(await codeOf(discarded)).toBe('dead_letter_not_found')
})

test('its large values are read like small ones', async () => {
  const here = await teleportScene()
  const id = await pulledRun(here, { nodes: { a: transform('$join([1..20000].$string(), " ")') } })
  const { run } = await here.handlers['runs.get']({ runId: id })
  if (run.output === null) throw new Error('the run has an output')
  expect(await here.handlers['payloads.get']({ payload: run.output })).toEqual(
    await here.there['payloads.get']({ payload: run.output }),
  )
})

test('it can be followed, and what a later pull brings comes along', async () => {
  const here = await teleportScene()
  const long = { kind: 'delay', parameters: { amount: 5, unit: 'seconds' } }
  const id = await here.cluster.start({ nodes: { wait: long } })
  await here.cluster.pass(100)
  await here.handlers['teleport.pull']({ cluster: 'plant', runId: id, family: false })
  await here.engine.snapshot(id)
  const seen: EngineEvent[] = []
  const stop = here.engine.follow({ runId: id, cursor: null, receive: (events) => seen.push(...events) })
  await expect.poll(() => seen.length).toBeGreaterThan(0)
  await here.cluster.pass(10_000)
  await here.handlers['teleport.pull']({ cluster: 'plant', runId: id, family: false })
  const all = await eventsOfRun(here.cluster.store, id)
  await expect.poll(() => seen.length).toBe(all.length)
  expect(seen).toEqual(all)
  stop()
})

test('what it waited for is told as it was', async () => {
  const here = await teleportScene()
  const id = await here.cluster.start({
    nodes: { wait: { kind: 'wait-signal', parameters: { name: 'go' } } },
  })
  await here.cluster.pass(100)
  await here.handlers['teleport.pull']({ cluster: 'plant', runId: id, family: false })
  const asked = { runId: id, nodeId: null }
  const { waiting } = await here.there['runs.why'](asked)
  expect(waiting).not.toEqual([])
  expect(await here.handlers['runs.why'](asked)).toEqual({ waiting })
  const other = await here.handlers['runs.why']({ runId: id, nodeId: nodeId('other') })
  expect(other).toEqual({ waiting: [] })
})

test('everything that would change it is refused, and it stays out of the lists of this machine', async () => {
  const here = await teleportScene()
  const id = await pulledRun(here)
  const { handlers } = here
  const own = await here.own.play({ nodes: { a: transform('1') } })
  const plain = { by: null, reason: null }
  const refused = [
    handlers['runs.cancel']({ runId: id }),
    handlers['runs.rerun']({
      ...plain,
      runId: id,
      document: null,
      otherVersion: false,
      input: null,
      requestId: null,
    }),
    handlers['runs.retry']({
      ...plain,
      runId: id,
      nodeId: null,
      input: null,
      version: 'same',
      document: null,
    }),
    handlers['signals.send']({ runId: id, name: 'go', correlation: null, payload: 1, messageId: null }),
    handlers['events.emit']({ runId: id, name: 'go', correlation: null, payload: 1, messageId: null }),
    handlers['invocations.resolve']({
      runId: id,
      invocationId: invocationId(`${id}/a`),
      decision: { kind: 'fail' },
    }),
  ]
  for (const call of refused) expect(await codeOf(call)).toBe('teleport_read_only')
  const { results } = await handlers['runs.control']({
    ...plain,
    runIds: [id, own.id],
    action: 'pause',
    nodeId: null,
    wait: false,
  })
  expect(results.map(({ error }) => error?.code)).toEqual(['teleport_read_only', 'run_already_final'])
  const { runs } = await handlers['runs.list']({ statuses: null, workflowId: null, after: null, limit: 10 })
  expect(runs.map(({ run }) => run.id)).toEqual([own.id])
})

test('it is forgotten on request, and only then', async () => {
  const here = await teleportScene()
  const id = await pulledRun(here)
  await here.handlers['teleport.drop']({ runId: id })
  expect(await codeOf(here.handlers['runs.get']({ runId: id }))).toBe('run_not_found')
  expect(await codeOf(here.handlers['teleport.drop']({ runId: id }))).toBe('teleport_not_pulled')
  expect((await here.there['runs.get']({ runId: id })).run.status).toBe('SUCCEEDED')
})

test('a file of pulled runs that can’t be read stands in nobody’s way', async () => {
  const here = await teleportScene()
  writeFileSync(here.pulledFile, 'this is no database, and never was one'.repeat(100))
  const own = await here.own.play({ nodes: { a: transform('1') } })
  expect((await here.handlers['runs.get']({ runId: own.id })).run.status).toBe('SUCCEEDED')
  expect(await here.handlers['runs.cancel']({ runId: own.id })).toEqual({ status: 'SUCCEEDED' })
  expect(await codeOf(here.handlers['teleport.list']({}))).toBe('store_corrupt')
})

test('pulls and drops at the same time take turns', async () => {
  const here = await teleportScene()
  const id = await pulledRun(here)
  const pull = (family: boolean) => here.handlers['teleport.pull']({ cluster: 'plant', runId: id, family })
  const answers = await Promise.all([
    pull(true),
    pull(false),
    pull(true),
    here.handlers['teleport.drop']({ runId: id }),
  ])
  expect(answers[0]).toBe(answers[2])
  expect((await pull(false)).runs[0]?.newEvents).toBeGreaterThan(0)
  const { invocations } = await here.handlers['runs.get']({ runId: id })
  expect(invocations).toEqual((await here.there['runs.get']({ runId: id })).invocations)
})

test('a connection without a data directory says where to ask', async () => {
  const here = await teleportScene()
  expect(await codeOf(here.there['teleport.list']({}))).toBe('bad_request')
})
