/** Requests that come twice, at once, too late or for what isn't there: on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { nodeId, runId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { Engine } from '../../../../src-engine/runtime/engine.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { eventsOfRun } from '../../../support/read-events.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene, valueOf } from '../control-flow/flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const longMs = 60_000
const slow: JsonObject = { kind: 'debug', parameters: { sleepMs: longMs } }
const noop: JsonObject = { kind: 'noop' }

describe.each(Object.entries(sceneStores))('requests on %s', (_name, open) => {
  const scene = async (): Promise<FlowScene> => {
    const made = new FlowScene(await open())
    scenes.push(made)
    await made.launch()
    return made
  }
  const start = (engine: Engine, requestId: string | null, parts: JsonObject = { nodes: { a: slow } }) =>
    engine.startRun({ document: documentOf(parts), input: { n: 1 }, requestId, baseDirectory: null })
  const runs = (here: FlowScene) =>
    here.store.list(0, 'runs', {
      filter: { statuses: null, workflowId: null, includeCore: false },
      page: { after: null, limit: 9 },
    })
  const ask = (here: FlowScene, run: RunId, action: 'cancel' | 'pause' | 'resume') => {
    const named = { by: 'ada', reason: 'wrong order' }
    return here.within(here.engine.controlRun({ runId: run, action, nodeId: null, wait: false, ...named }))
  }

  it('starts at once under one request id give one run, from one engine and from two [T18] [C67] [S46]', async () => {
    const here = await scene()
    const other = await here.launch()
    const [first] = here.engines
    if (first === undefined) throw new Error('two engines were launched')
    const started = await here.within(
      Promise.all([first, other, first, other, other].map((engine) => start(engine, 'order-7'))),
    )
    expect(new Set(started.map((answer) => answer.runId)).size).toBe(1)
    expect(await runs(here)).toHaveLength(1)
    await here.pass(longMs + 1_000)
    const [run] = await runs(here)
    expect(run?.status).toBe('SUCCEEDED')
    expect(await first.attempts(run?.id ?? runId(''), null)).toHaveLength(1)
  })

  it('a start that is repeated while its run is under way, or after its end, does nothing [C1] [S46]', async () => {
    const here = await scene()
    const first = await here.within(start(here.engine, 'again'))
    await here.pass(1_000)
    const under = await here.run(first.runId)
    expect(await here.within(start(here.engine, 'again'))).toEqual(first)
    expect(await here.run(first.runId)).toEqual(under)
    await here.pass(longMs)
    const ended = await here.run(first.runId)
    expect(await here.within(start(here.engine, 'again'))).toEqual(first)
    await here.pass(longMs)
    expect(await here.run(first.runId)).toEqual(ended)
    expect(await runs(here)).toHaveLength(1)
  })

  it('a run that is cancelled before it began executes nothing [S10]', async () => {
    const here = await scene()
    const run = await here.start({
      nodes: { a: { ...noop, pool: 'nobody' }, b: noop },
      edges: edgesOf('a>b'),
    })
    await ask(here, run, 'cancel')
    await here.pass(longMs)
    expect((await here.run(run)).status).toBe('CANCELLED')
    expect(await here.statuses(run)).toEqual({ a: 'CANCELLED' })
    expect(await here.engine.attempts(run, null)).toEqual([])
  })

  it('a cancelled run keeps what was finished, the reason, and who asked [S11]', async () => {
    const here = await scene()
    const nodes = { a: { kind: 'transform', parameters: { expression: 'input.n + 41' } }, b: slow }
    const run = await here.start({ nodes, edges: edgesOf('a>b') }, { n: 1 })
    await here.pass(1_000)
    await ask(here, run, 'cancel')
    await here.pass(1_000)
    expect((await here.run(run)).status).toBe('CANCELLED')
    const { invocations } = await here.engine.snapshot(run)
    expect(invocations.find((record) => record.nodeId === 'a')).toMatchObject({
      status: 'SUCCESS',
      output: { json: '42' },
    })
    const events = await eventsOfRun(here.store, run)
    expect(events.map((event) => event.cause)).toContainEqual({
      kind: 'cancel',
      by: 'ada',
      detail: 'wrong order',
    })
  })

  it('a cancel is refused on what succeeded or failed, and changes nothing on what is cancelled [S16] [C60]', async () => {
    const here = await scene()
    const done = await here.play({ nodes: { a: noop } })
    const failed = await here.play({ nodes: { a: { kind: 'debug', parameters: { failTimes: 9 } } } })
    expect([done.status, failed.status]).toEqual(['SUCCEEDED', 'FAILED'])
    for (const { id } of [done, failed]) {
      await expect(ask(here, id, 'cancel')).rejects.toMatchObject({ code: 'run_already_final' })
    }
    const cancelled = await here.start({ nodes: { a: slow } })
    await ask(here, cancelled, 'cancel')
    await here.pass(1_000)
    const before = await here.run(cancelled)
    expect(await ask(here, cancelled, 'cancel')).toMatchObject({ status: 'CANCELLED' })
    expect(await here.run(cancelled)).toEqual(before)
    expect([await here.run(done.id), await here.run(failed.id)]).toEqual([done, failed])
  })

  it.each([
    ['asked for', (here: FlowScene, run: RunId) => ask(here, run, 'cancel')],
    ['called off', (here: FlowScene, run: RunId) => here.within(here.engine.cancelRun(run))],
  ] as const)(
    'a run that somebody had go on after it was cancelled (%s) is cancelled by an operation of its own',
    async (_, cancel) => {
      const here = await scene()
      const run = await here.start({ nodes: { a: slow } })
      await here.pass(1_000)
      await cancel(here, run)
      await here.pass(1_000)
      expect((await here.run(run)).status).toBe('CANCELLED')
      const again = { runId: run, nodeId: null, input: null, version: 'same', document: null } as const
      await here.within(here.engine.retryRun({ ...again, by: null, reason: null }))
      await here.pass(1_000)
      await cancel(here, run)
      await here.pass(1_000)
      expect(await here.run(run)).toMatchObject({ status: 'CANCELLED', generation: 1 })
      // A store tells what is repeated by its name.
      const asked = (await eventsOfRun(here.store, run)).filter(
        ({ cause, body }) =>
          cause.kind === 'cancel' && body.type === 'run.changed' && body.set.cancelRequestedAt,
      )
      expect([asked.length, new Set(asked.map(({ opId }) => opId)).size]).toEqual([2, 2])
    },
  )

  it('a request about what is not there is a typed error, and stores nothing [S4] [S14]', async () => {
    const here = await scene()
    const nowhere = runId('run_nowhere')
    const missing = { code: 'run_not_found' }
    for (const action of ['cancel', 'pause', 'resume'] as const) {
      await expect(ask(here, nowhere, action)).rejects.toMatchObject(missing)
    }
    await expect(here.within(here.engine.snapshot(nowhere))).rejects.toMatchObject(missing)
    await expect(here.within(here.engine.waitForRun(nowhere))).rejects.toMatchObject(missing)
    const rerun = {
      document: null,
      otherVersion: false,
      input: null,
      requestId: null,
      by: null,
      reason: null,
    }
    await expect(here.within(here.engine.rerun({ runId: nowhere, ...rerun }))).rejects.toMatchObject(missing)
    const run = await here.start({ nodes: { a: slow } })
    const skip = {
      runId: run,
      action: 'skip',
      nodeId: nodeId('z'),
      by: null,
      reason: null,
      wait: false,
    } as const
    await expect(here.within(here.engine.controlRun(skip))).rejects.toMatchObject({
      code: 'invocation_not_found',
    })
    expect(await runs(here)).toHaveLength(1)
  })

  it('a paused run stays paused over restarts, with its place and results, until it is resumed [S13]', async () => {
    const here = await scene()
    const nodes = { a: { kind: 'transform', parameters: { expression: 'input.n + 1' } }, b: slow, c: noop }
    const run = await here.start({ nodes, edges: edgesOf('a>b', 'b>c') }, { n: 1 })
    await here.pass(1_000)
    await ask(here, run, 'pause')
    await here.pass(longMs)
    expect((await here.run(run)).status).toBe('PAUSED')
    here.crash()
    await here.launch()
    await here.pass(longMs)
    expect((await here.run(run)).status).toBe('PAUSED')
    expect(await here.statuses(run)).toEqual({ a: 'SUCCESS', b: 'SUCCESS', c: 'REGISTERED' })
    await ask(here, run, 'resume')
    await here.pass(10_000)
    expect(await here.outputOf(run)).toBe(2)
  })

  it('running again on another definition is refused unless it is asked for, and leaves all as it was [S5] [S6] [G27]', async () => {
    const here = await scene()
    const node = { kind: 'transform', parameters: { expression: 'input.n' } }
    const parts = (more: JsonObject): JsonObject => ({ nodes: { a: { ...node, ...more } } })
    const run = await here.play(parts({ version: '1' }), { n: 7 })
    const again = (more: JsonObject, otherVersion: boolean) =>
      here.within(
        here.engine.rerun({
          runId: run.id,
          document: documentOf(parts(more)) as unknown as JsonObject,
          otherVersion,
          input: null,
          requestId: null,
          by: null,
          reason: null,
        }),
      )
    const changed = [
      { version: '2' },
      {},
      { parameters: { expression: 'input.n + 1' } },
      { timeout: { attemptMs: 5 } },
    ]
    for (const more of changed) {
      await expect(again(more, false)).rejects.toMatchObject({ code: 'definition_mismatch' })
    }
    expect(await here.run(run.id)).toEqual(run)
    expect(await runs(here)).toHaveLength(1)
    const same = await again({ version: '1' }, false)
    const other = await again({ version: '2' }, true)
    await here.pass(1_000)
    expect([await here.outputOf(same.runId), await here.outputOf(other.runId)]).toEqual([7, 7])
    expect(same.hash).toBe(run.definitionHash)
    expect(other.hash).not.toBe(run.definitionHash)
    expect(valueOf(run)).toBe(7)
  })

  it('of a cancel and a result that race one ends the run, and nothing ends it again [C8]', async () => {
    const here = await scene()
    for (const early of [-1, 0, 1]) {
      const run = await here.start({ nodes: { a: { kind: 'debug', parameters: { sleepMs: 1_000 } } } })
      const startedAt = (await here.run(run)).createdAt
      await here.pass(startedAt + 1_000 + early - here.world.now)
      await here.within(here.engine.cancelRun(run))
      await here.pass(5_000)
      const events = await eventsOfRun(here.store, run)
      const ends = events.filter(
        ({ body }) => body.type === 'run.changed' && ['SUCCEEDED', 'CANCELLED'].includes(body.to),
      )
      expect(ends).toHaveLength(1)
      expect(Object.values(await here.statuses(run))).toHaveLength(1)
    }
  })
})
