/** Outputs that stay only as long as their run: read by everybody meanwhile, and nowhere afterwards. */

import { afterEach, describe, expect, it } from 'vitest'
import type { BlobHash, RunId } from '../../../../src-engine/model/ids.ts'
import { nodeId } from '../../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../../src-engine/model/invocation.ts'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import { runOutputGraceMs } from '../../../../src-engine/model/limits.ts'
import type { RunRecord } from '../../../../src-engine/model/run.ts'
import { createPayloadStore } from '../../../../src-engine/runtime/payload-store.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { readHistory } from '../../../support/history.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { machineOn } from '../sealing/seal-scene.ts'
import { FlowScene, valueOf } from './flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const canary = 'canary-5f2c9e71'
/** In two halves, so that no field of a document has it. */
const halves = { a: 'canary-', b: '5f2c9e71' }
const transform = (expression: string, more: JsonObject = {}): JsonObject => ({
  kind: 'transform',
  parameters: { expression },
  ...more,
})
const secret = (keepOutput: string, more: JsonObject = {}): JsonObject =>
  transform('{ "token": input.a & input.b, "rows": [1, 2, 3] }', { keepOutput, ...more })
const waits: JsonObject = { kind: 'wait-signal', parameters: { name: 'go' } }
const fails: JsonObject = { kind: 'debug', parameters: { failTimes: 9, retryable: false } }
/** Later than the replayer's next look at what is due. */
const look = 5 * 60_000
/** A day takes too many beats. */
const graceMs = 6 * look

const blobsOf = (values: unknown): readonly BlobHash[] => [
  ...new Set(
    [...JSON.stringify(values).matchAll(/"hash":"([0-9a-f]{64})"/g)].map(([, hash]) => hash as BlobHash),
  ),
]

/** What is told of the value anywhere: in records, events and what lies beside them. */
async function found(store: Store): Promise<boolean> {
  const { events, runs } = await readHistory(store)
  const told = [events, runs.map(({ run, invocations }) => [run, [...invocations.values()]])]
  const texts = await Promise.all(
    blobsOf(told).map((hash) =>
      store.getBlob(hash).then(
        (bytes) => new TextDecoder().decode(bytes),
        () => '',
      ),
    ),
  )
  return `${JSON.stringify(told)}${texts.join('')}`.includes(canary)
}

describe.each(Object.entries(sceneStores))('on %s', (_name, open) => {
  const scene = async (): Promise<FlowScene> => {
    const here = new FlowScene(await open(), { unkeptGraceMs: graceMs })
    scenes.push(here)
    await here.launch()
    return here
  }
  const record = async (here: FlowScene, run: RunId, node: string): Promise<InvocationRecord> => {
    const records = await here.store.load(0, 'invocations', { runId: run })
    const made = records.filter((one) => one.nodeId === node).at(-1)
    if (made === undefined) throw new Error(`${node} hasn’t begun`)
    return made
  }
  const read = async (here: FlowScene, run: RunId, node: string | null): Promise<JsonValue> => {
    const wanted = { runId: run, nodeId: node === null ? null : nodeId(node) }
    return createPayloadStore(here.store).value(await here.within(here.engine.results.read(wanted)))
  }
  const go = async (here: FlowScene, run: RunId): Promise<void> => {
    const signal = { runId: run, name: 'go', correlation: null, payload: null, messageId: null }
    await here.within(here.engine.sendSignal(signal))
    await here.pass(1_000)
  }
  const retry = (here: FlowScene, run: RunRecord, from: string | null = null) =>
    here.within(
      here.engine.retryRun({
        ...{ runId: run.id, nodeId: from === null ? null : nodeId(from), input: null },
        ...{ version: 'same', document: null, by: null, reason: null },
      }),
    )

  it('what undoes a step, and nothing else that the workflow has, leaves nothing that is not to stay', async () => {
    const here = await scene()
    const undo = secret('none')
    const run = await here.start(
      {
        nodes: { make: transform('1', { compensation: { node: 'undo' } }), fail: fails, undo },
        edges: edgesOf('make>fail'),
      },
      halves,
    )
    await here.pass(1_000)
    expect((await here.run(run)).status).toBe('COMPENSATED')
    await here.pass(graceMs + look)
    const records = await here.store.load(0, 'invocations', { runId: run })
    const undoing = records.find(({ role }) => role === 'compensation')
    expect(undoing?.output).toMatchObject({ kind: 'blob', fleeting: {} })
    const isThere = (hash: BlobHash) =>
      here.store.getBlob(hash).then(
        () => true,
        () => false,
      )
    const blobs = blobsOf(undoing)
    expect(await Promise.all(blobs.map(isThere))).toEqual(blobs.map(() => false))
  })

  it.each(['none', 'summary'])(
    '%s: whoever reads it under way gets it, and it goes with the run’s end',
    async (keep) => {
      const here = await scene()
      const run = await here.start(
        {
          nodes: { make: secret(keep), hold: waits, use: transform('$length(nodes.make.output.token)') },
          edges: edgesOf('make>hold', 'hold>use'),
        },
        halves,
      )
      await here.pass(1_000)
      expect(await read(here, run, 'make')).toEqual({ token: canary, rows: [1, 2, 3] })
      await go(here, run)
      expect([(await here.run(run)).status, await here.outputOf(run)]).toEqual(['SUCCEEDED', canary.length])
      expect((await record(here, run, 'make')).output).toMatchObject({
        kind: 'blob',
        fleeting: {
          summary:
            keep === 'none' ? null : JSON.stringify({ token: '15 characters', rows: ['3 items', 'number'] }),
        },
      })
      await expect(read(here, run, 'make')).rejects.toMatchObject({ code: 'output_not_kept' })
      expect(await found(here.store)).toBe(false)
      // The view is still a replay of the events.
      const { invocations } = await here.within(here.engine.snapshot(run))
      expect(invocations.find((one) => one.nodeId === 'make')).toEqual(await record(here, run, 'make'))
    },
  )

  it('all of it stays where nothing else is said, however much that is', async () => {
    const here = await scene()
    const run = await here.play(
      { nodes: { make: secret('full'), end: transform('1') }, edges: edgesOf('make>end') },
      halves,
    )
    expect(await read(here, run.id, 'make')).toMatchObject({ token: canary })
  })

  it('what only hands it on keeps it no longer; what is made of it is its maker’s', async () => {
    const here = await scene()
    const run = await here.play(
      {
        nodes: {
          make: secret('none'),
          if: { kind: 'if', parameters: { condition: 'true' } },
          fork: { kind: 'fork', parameters: { branches: [{ title: 'x' }, { title: 'y' }] } },
          pass: { kind: 'log', parameters: { message: 'on its way' } },
          off: { ...transform('1'), bypassed: true },
          all: { kind: 'join' },
          each: { kind: 'map', parameters: { items: 'input.pass.rows' } },
          row: transform('item * 2', { parent: 'each' }),
        },
        edges: edgesOf(
          'make>if',
          'if:true>fork',
          'fork:branch-1>pass',
          'fork:branch-2>off',
          'pass>all',
          'off>all',
          'all>each',
        ),
      },
      halves,
    )
    expect([run.status, valueOf(run)]).toEqual(['SUCCEEDED', [2, 4, 6]])
    expect(await found(here.store)).toBe(false)
  })

  it('a step that was tried again leaves nothing of its first try', async () => {
    const here = await scene()
    const parameters = { failTimes: 1, produce: 'value', value: '{{ input.a & input.b }}' }
    const retry = { maxAttempts: 2, delayMs: 100, jitter: 0 }
    const run = await here.start(
      {
        nodes: { make: { kind: 'debug', parameters, retry, keepOutput: 'none' }, end: transform('1') },
        edges: edgesOf('make>end'),
      },
      halves,
    )
    await here.pass(1_000)
    expect((await here.run(run)).status).toBe('SUCCEEDED')
    const { events } = await readHistory(here.store)
    // What it was called with twice, and what it gave.
    const kept = JSON.stringify(events).match(/"[0-9a-f]{64}","bytes":\d+,"fleeting"/g)
    expect(new Set(kept).size).toBe(3)
    expect(await found(here.store)).toBe(false)
  })

  it('a map of such results gives them on, and keeps them no longer', async () => {
    const here = await scene()
    const run = await here.play(
      {
        nodes: {
          each: { kind: 'map', parameters: { items: '[1, 2]' } },
          make: {
            ...secret('none'),
            parameters: { expression: 'run.input.a & run.input.b' },
            parent: 'each',
          },
          loop: { kind: 'loop', parameters: { mode: 'count', count: 2 } },
          turn: { kind: 'noop', parent: 'loop' },
          use: transform('$join(input, "+")= "canary-5f2c9e71+canary-5f2c9e71"'),
        },
        edges: edgesOf('each>loop', 'loop>use'),
      },
      halves,
    )
    expect([run.status, valueOf(run)]).toEqual(['SUCCEEDED', true])
    expect(await found(here.store)).toBe(false)
  })

  it('what the run itself gives stays a little for whoever waits for it', async () => {
    const here = await scene()
    const run = await here.play({ nodes: { make: secret('none') } }, halves)
    expect(await read(here, run.id, null)).toMatchObject({ token: canary })
    await here.pass(runOutputGraceMs + look)
    await expect(read(here, run.id, null)).rejects.toMatchObject({ code: 'output_not_kept' })
    expect(await found(here.store)).toBe(false)
  })

  it('a run that failed goes on with it for its time, and from the step itself afterwards', async () => {
    const here = await scene()
    const parts = {
      nodes: { make: secret('none'), fail: fails, use: transform('nodes.make.output.token') },
      edges: edgesOf('make>fail', 'fail>use'),
    }
    const run = await here.play(parts, halves)
    expect(run.status).toBe('FAILED')
    await here.pass(graceMs - look)
    await retry(here, run)
    await here.pass(1_000)
    expect((await here.run(run.id)).status).toBe('FAILED')
    // The first end’s time is over, and the second one’s isn’t.
    await here.pass(2 * look)
    expect(await read(here, run.id, 'make')).toMatchObject({ token: canary })
    await here.pass(graceMs)
    expect(await found(here.store)).toBe(false)
    here.instead.set('debug', { execute: async () => ({ kind: 'completed', output: null, ports: null }) })
    await retry(here, run)
    await here.pass(1_000)
    expect(await here.run(run.id)).toMatchObject({ status: 'FAILED', error: { code: 'output_not_kept' } })
    await retry(here, run, 'make')
    await here.pass(1_000)
    expect((await here.run(run.id)).status).toBe('SUCCEEDED')
  })

  it('the run that waits for another one has what that gave until its own end', async () => {
    const here = await scene()
    const child = documentOf({ id: 'child', title: 'child', nodes: { make: secret('none') } })
    here.workflows.set('child', { document: child, folder: null })
    const run = await here.start(
      {
        nodes: {
          sub: { kind: 'sub-workflow', parameters: { workflow: 'child' } },
          hold: waits,
          use: transform('nodes.sub.output.rows'),
        },
        edges: edgesOf('sub>hold', 'hold>use'),
      },
      halves,
    )
    await here.pass(runOutputGraceMs + look)
    expect(await read(here, run, 'sub')).toMatchObject({ token: canary })
    await go(here, run)
    expect(await here.outputOf(run)).toEqual([1, 2, 3])
    await expect(read(here, run, 'sub')).rejects.toMatchObject({ code: 'output_not_kept' })
  })

  it.each(['effect.before-delivery', 'effect.after-delivery'] as const)(
    'it goes also where the process dies at %s',
    async (name) => {
      const here = new FlowScene(await open(), { unkeptGraceMs: graceMs })
      scenes.push(here)
      await here.launch({ name, nth: 1 })
      const id = await here.start(
        { nodes: { make: secret('none'), end: transform('1') }, edges: edgesOf('make>end') },
        halves,
      )
      await here.pass(1_000)
      expect(here.isDead).toBe(true)
      await here.launch()
      await here.pass(look)
      expect((await here.run(id)).status).toBe('SUCCEEDED')
      expect(await found(here.store)).toBe(false)
    },
  )
})

it('goes from a store that seals, too, and what it seals opens to the same payload', async () => {
  const raw = createMemoryStore()
  const { store } = await machineOn(raw, true)
  const here = new FlowScene(store)
  scenes.push(here)
  await here.launch()
  const run = await here.play(
    { nodes: { make: secret('summary'), end: transform('1') }, edges: edgesOf('make>end') },
    halves,
  )
  const of = async (from: Store) =>
    (await from.load(0, 'invocations', { runId: run.id })).find(({ nodeId: id }) => id === 'make')?.output
  expect(await of(store)).toMatchObject({
    kind: 'blob',
    fleeting: { summary: expect.stringContaining('rows') },
  })
  const sealed = await of(raw)
  expect(sealed).toMatchObject({ kind: 'sealed', fleeting: true })
  expect(JSON.stringify(sealed)).not.toContain('rows')
  await expect(createPayloadStore(store).value((await of(store)) as never)).rejects.toMatchObject({
    code: 'output_not_kept',
  })
})
