/** Runs that steps of other runs start, with the product's own tasks, on every store. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { nodeId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject, JsonValue } from '../../../../src-engine/model/json.ts'
import { subWorkflowDepthMax } from '../../../../src-engine/model/limits.ts'
import type { RunRecord } from '../../../../src-engine/model/run.ts'
import type { WorkflowDocument } from '../../../../src-engine/model/workflow.ts'
import { sceneStores } from '../../../simulation/stores.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import { FlowScene, valueOf } from './flow-scene.ts'

const scenes: FlowScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
})

const call = (parameters: Record<string, JsonValue> = {}, more: JsonObject = {}): JsonObject => ({
  kind: 'sub-workflow',
  parameters: { workflow: 'child', ...parameters },
  ...more,
})
const transform = (expression: string): JsonObject => ({ kind: 'transform', parameters: { expression } })
/** Long enough that nothing of it happens by itself. */
const longMs = 5_000
const long = { kind: 'delay', parameters: { amount: 5, unit: 'seconds' } }

describe.each(Object.entries(sceneStores))('sub-workflows on %s', (_name, open) => {
  const scene = async (): Promise<FlowScene> => {
    const made = new FlowScene(await open())
    scenes.push(made)
    await made.launch()
    return made
  }
  const give = (here: FlowScene, parts: JsonObject, id = 'child'): void => {
    here.workflows.set(id, { document: documentOf({ id, title: id, ...parts }), folder: null })
  }
  const runs = async (here: FlowScene): Promise<readonly RunRecord[]> => {
    const filter = { statuses: null, workflowId: null, includeCore: false }
    return here.store.list(0, 'runs', { filter, page: { after: null, limit: 100 } })
  }
  const childOf = async (here: FlowScene, parent: RunId): Promise<RunRecord> => {
    const found = (await runs(here)).filter((run) => run.parentRunId === parent)
    expect(found).toHaveLength(1)
    return found[0] as RunRecord
  }
  const outbox = (here: FlowScene) =>
    here.store.list(0, 'outbox', {
      filter: { dueBefore: Number.MAX_SAFE_INTEGER },
      page: { after: null, limit: 100 },
    })

  it('a step goes on with the output of a run of its own [T4] [S29] [C55] [P22] [P50]', async () => {
    const here = await scene()
    give(here, { nodes: { double: transform('input.n * 2') } })
    const nodes = { sub: call({ input: '{"n": input.amount}' }), after: transform('input + 1') }
    const run = await here.play({ nodes, edges: edgesOf('sub>after') }, { amount: 20 })
    expect([run.status, valueOf(run)]).toEqual(['SUCCEEDED', 41])
    const child = await childOf(here, run.id)
    expect(child).toMatchObject({ status: 'SUCCEEDED', workflowId: 'child' })
    expect(child.parentInvocationId).toBe(`${run.id}/sub`)
    expect(await outbox(here)).toEqual([])
  })

  it('neither it nor what it starts is validated again at the next start, though both are bound anew', async () => {
    let looks = 0
    const here = new FlowScene(await open())
    scenes.push(here)
    const checkExpression = (): null => {
      looks += 1
      return null
    }
    here.validation = { checkExpression }
    await here.launch()
    give(here, { nodes: { double: transform('input.n * 2') } })
    const parts = { nodes: { sub: call({ input: '{"n": input.amount}' }) } }
    expect((await here.play(parts, { amount: 1 })).status).toBe('SUCCEEDED')
    const once = looks
    expect(once).toBeGreaterThan(0)
    expect((await here.play(parts, { amount: 2 })).status).toBe('SUCCEEDED')
    expect(looks).toBe(once)
    give(here, { nodes: { double: transform('input.n * 3') } })
    expect((await here.play(parts, { amount: 2 })).status).toBe('SUCCEEDED')
    expect(looks).toBeGreaterThan(once)
  })

  it('waiting for it holds no slot, and the run says what it waits for [P21]', async () => {
    const here = await scene()
    give(here, { nodes: { long } })
    const run = await here.start({ nodes: { sub: call() } })
    await here.pass(1_000)
    expect(await here.statuses(run)).toEqual({ sub: 'WAITING' })
    expect((await here.run(run)).status).toBe('WAITING')
    expect(here.engine.load()).toMatchObject({ taken: 0 })
    await here.pass(longMs)
    expect((await here.run(run)).status).toBe('SUCCEEDED')
  })

  it('a step that only starts it goes on at once with its id', async () => {
    const here = await scene()
    give(here, { nodes: { long } })
    const run = await here.play({ nodes: { sub: call({ mode: 'start' }) } })
    expect(run.status).toBe('SUCCEEDED')
    const child = await childOf(here, run.id)
    expect(valueOf(run)).toEqual({ runId: child.id })
    expect(child.status).toBe('WAITING')
    await here.pass(longMs)
    expect((await here.run(child.id)).status).toBe('SUCCEEDED')
  })

  it('its failure, its timeout and its cancel are errors that the error port takes [C55] [S29] [C56]', async () => {
    const here = await scene()
    const outcomes: Record<string, JsonObject> = {
      fails: { nodes: { stop: { kind: 'stop', parameters: { status: 'failed', message: 'no stock' } } } },
      late: { nodes: { long }, settings: { timeoutMs: 500 } },
      gone: { nodes: { stop: { kind: 'stop', parameters: { status: 'cancelled' } } } },
    }
    const seen: Record<string, unknown> = {}
    for (const [id, parts] of Object.entries(outcomes)) {
      give(here, parts, id)
      const nodes = { sub: call({ workflow: id }), rescue: transform('input.error') }
      const run = await here.play({ nodes, edges: edgesOf('sub:error>rescue') })
      const statuses = await here.statuses(run.id)
      const error = valueOf(run) as { code: string; details: { status: string } }
      seen[id] = [run.status, statuses['sub'], error.code, error.details.status]
      const plain = await here.play({ nodes: { sub: call({ workflow: id }) } })
      expect(plain.status).toBe('FAILED')
    }
    expect(seen).toEqual({
      fails: ['SUCCEEDED', 'FAILED', 'sub_run_failed', 'FAILED'],
      late: ['SUCCEEDED', 'TIMEOUT', 'sub_run_failed', 'TIMED_OUT'],
      gone: ['SUCCEEDED', 'FAILED', 'sub_run_cancelled', 'CANCELLED'],
    })
  })

  it('a retry of the step is another run', async () => {
    const here = await scene()
    give(here, { nodes: { flaky: { kind: 'debug', parameters: { failTimes: 9 } } } })
    const retry = { maxAttempts: 3, delayMs: 100, jitter: 0 }
    const run = await here.play({ nodes: { sub: call({}, { retry }) } })
    expect(run).toMatchObject({ status: 'FAILED', error: { code: 'sub_run_failed' } })
    const children = (await runs(here)).filter(({ parentRunId }) => parentRunId === run.id)
    expect(children.map(({ status }) => status)).toEqual(['FAILED', 'FAILED', 'FAILED'])
  })

  it('cancel, pause and resume reach the child, also through several levels [G25] [C60]', async () => {
    const here = await scene()
    give(here, { nodes: { long } }, 'inner')
    give(here, { nodes: { sub: call({ workflow: 'inner' }) } })
    const parent = await here.start({ nodes: { sub: call() } })
    await here.pass(100)
    const child = await childOf(here, parent)
    const inner = await childOf(here, child.id)
    const ask = (action: 'pause' | 'resume' | 'cancel', node: string | null = null) =>
      here.within(
        here.engine.controlRun({
          runId: parent,
          action,
          nodeId: node === null ? null : nodeId(node),
          by: null,
          reason: null,
          wait: false,
        }),
      )
    const statuses = async () =>
      Promise.all([parent, child.id, inner.id].map(async (id) => (await here.run(id)).status))
    await ask('pause')
    await here.pass(100)
    expect(await statuses()).toEqual(['PAUSED', 'PAUSED', 'PAUSED'])
    await here.pass(2 * longMs)
    expect(await statuses()).toEqual(['PAUSED', 'PAUSED', 'PAUSED'])
    await ask('resume')
    // What was due meanwhile is due now.
    await here.pass(10)
    await ask('pause', 'sub').catch(() => null)
    await here.pass(100)
    await here.pass(longMs)
    const ended = await statuses()
    expect(ended.every((status) => status === 'SUCCEEDED')).toBe(true)

    const second = await here.start({ nodes: { sub: call() } })
    await here.pass(100)
    const below = await childOf(here, second)
    const deepest = await childOf(here, below.id)
    await here.within(here.engine.cancelRun(second))
    await here.pass(100)
    expect((await here.run(second)).status).toBe('CANCELLED')
    expect((await here.run(below.id)).status).toBe('CANCELLED')
    expect((await here.run(deepest.id)).status).toBe('CANCELLED')
    expect(await outbox(here)).toEqual([])
  })

  it('a paused step pauses its run, and a skipped one ends it', async () => {
    const here = await scene()
    give(here, { nodes: { long } })
    const parent = await here.start({
      nodes: { sub: call(), after: transform('1') },
      edges: edgesOf('sub>after'),
    })
    await here.pass(100)
    const child = await childOf(here, parent)
    const ask = (action: 'pause' | 'resume' | 'skip') =>
      here.within(
        here.engine.controlRun({
          runId: parent,
          action,
          nodeId: nodeId('sub'),
          by: null,
          reason: null,
          wait: false,
        }),
      )
    await ask('pause')
    await here.pass(100)
    expect((await here.run(child.id)).status).toBe('PAUSED')
    await ask('resume')
    await here.pass(100)
    expect((await here.run(child.id)).status).toBe('WAITING')
    await ask('skip')
    await here.pass(100)
    expect((await here.run(child.id)).status).toBe('CANCELLED')
    expect((await here.run(parent)).status).toBe('SUCCEEDED')
  })

  it('neither the deadline of the parent nor the total time of the step is outlived', async () => {
    const here = await scene()
    give(here, { nodes: { long } })
    const parent = await here.start({ nodes: { sub: call() }, settings: { timeoutMs: 1_000 } })
    const limited = await here.start({ nodes: { sub: call({}, { timeout: { totalMs: 2_000 } }) } })
    await here.pass(100)
    const [child, other] = [await childOf(here, parent), await childOf(here, limited)]
    expect(child.deadlineAt).toBe((await here.run(parent)).deadlineAt)
    await here.pass(5_000)
    expect((await here.run(parent)).status).toBe('TIMED_OUT')
    expect(['TIMED_OUT', 'CANCELLED']).toContain((await here.run(child.id)).status)
    expect((await here.statuses(limited))['sub']).toBe('TIMEOUT')
    expect((await here.run(other.id)).status).toBe('CANCELLED')
  })

  it('the version is the one of the moment in which the parent starts, or the one that is named [G27]', async () => {
    const here = await scene()
    give(here, { nodes: { say: transform('"old"') } })
    const parts = { nodes: { long, sub: call() }, edges: edgesOf('long>sub') }
    const run = await here.start(parts)
    await here.pass(100)
    give(here, { nodes: { say: transform('"new"') } })
    await here.pass(longMs)
    expect(await here.outputOf(run)).toBe('old')
    const { definitionHash } = await childOf(here, run)
    const named = await here.play({ nodes: { sub: call({ version: definitionHash }) } })
    expect(valueOf(named)).toBe('old')
    expect(valueOf(await here.play({ nodes: { sub: call() } }))).toBe('new')
    const dynamic = { nodes: { sub: call({ workflow: '{{ input.which }}' }) } }
    expect(valueOf(await here.play(dynamic, { which: 'child' }))).toBe('new')
  })

  it('circles, too deep nesting and unknown workflows are refused by name [C55]', async () => {
    const here = await scene()
    const refused = async (parts: JsonObject): Promise<unknown> => {
      const document = documentOf(parts)
      const started = here.engine.startRun({ document, input: {}, requestId: null, baseDirectory: null })
      return here.within(started).then(
        () => null,
        (thrown: unknown) => (thrown as { code: string }).code,
      )
    }
    give(here, { nodes: { sub: call({ workflow: 'other' }) } }, 'child')
    give(here, { nodes: { sub: call({ workflow: 'child' }) } }, 'other')
    expect(await refused({ nodes: { sub: call() } })).toBe('sub_workflow_cycle')
    expect(await refused({ nodes: { sub: call({ workflow: 'nobody' }) } })).toBe('sub_workflow_not_found')
    for (let level = 0; level <= subWorkflowDepthMax; level += 1) {
      give(here, { nodes: { sub: call({ workflow: `l${level + 1}` }) } }, `l${level}`)
    }
    expect(await refused({ nodes: { sub: call({ workflow: 'l0' }) } })).toBe('sub_workflow_too_deep')
    // A circle that only an expression closes is found when its step runs.
    give(here, { nodes: { sub: call({ workflow: '{{ input.which }}', input: 'input' }) } }, 'loose')
    const run = await here.play({ nodes: { sub: call({ workflow: 'loose' }) } }, { which: 'loose' })
    expect(run).toMatchObject({ status: 'FAILED', error: { code: 'sub_run_failed' } })
    expect(run.error?.details['cause']).toBe('sub_workflow_cycle')
    const form = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
    give(here, { nodes: { say: transform('1') }, input: form }, 'strict')
    const wrong = await here.play({ nodes: { sub: call({ workflow: 'strict', input: '{"n": "x"}' }) } })
    expect(wrong).toMatchObject({ status: 'FAILED', error: { code: 'input_invalid' } })
  })

  it('a run that is waited for takes no place of its own among those of its tenant', async () => {
    const here = new FlowScene(await open(), { tenantConcurrentRunsMax: 1 })
    scenes.push(here)
    await here.launch()
    give(here, { nodes: { one: transform('input + 1') } })
    const run = await here.play({ nodes: { sub: call() } }, 1)
    expect([run.status, valueOf(run)]).toEqual(['SUCCEEDED', 2])
  })

  it('an effect that fails is soon tried again', async () => {
    const here = await scene()
    give(here, { nodes: { one: transform('input + 1') } })
    here.failing = 'runs are not read'
    const parent = await here.start({ nodes: { sub: call() } }, 1)
    await here.pass(4_000)
    expect((await here.run(parent)).status).toBe('WAITING')
    here.failing = null
    await here.pass(6_000)
    expect(await here.outputOf(parent)).toBe(2)
  })

  it('an engine that lives on does what a dead one left, at a tick of the replayer', async () => {
    const here = await scene()
    const before = here.engines.length
    await here.launch({ name: 'effect.before-delivery', nth: 1 })
    give(here, { nodes: { one: transform('input + 1') } })
    const parent = await here.start({ nodes: { sub: call() } }, 1)
    await here.pass(1_000)
    expect([here.engines.length - before, here.isDead]).toEqual([1, true])
    expect((await runs(here)).filter(({ parentRunId }) => parentRunId === parent)).toEqual([])
    await here.pass(200_000)
    expect(await here.outputOf(parent)).toBe(2)
    expect(await outbox(here)).toEqual([])
  })

  it('a rerun keeps the versions of its run, and another child is another version', async () => {
    const here = await scene()
    give(here, { nodes: { say: transform('"old"') } })
    const parts = { nodes: { sub: call() } }
    const run = await here.play(parts)
    const again = async (document: WorkflowDocument | null, otherVersion = false) => {
      const request = { runId: run.id, otherVersion, input: null, requestId: null, by: null, reason: null }
      const given = document as unknown as JsonObject | null
      const started = await here.within(here.engine.rerun({ ...request, document: given }))
      await here.pass(1_000)
      return here.outputOf(started.runId)
    }
    const drawn = documentOf(parts)
    expect(await again(drawn)).toBe('old')
    give(here, { nodes: { say: transform('"new"') } })
    expect(await again(null)).toBe('old')
    await expect(again(drawn)).rejects.toMatchObject({ code: 'definition_mismatch' })
    expect(await again(drawn, true)).toBe('new')
  })

  it('a run that goes on after its child failed starts another child', async () => {
    const here = await scene()
    give(here, { nodes: { stop: { kind: 'stop', parameters: { status: 'failed', message: 'no' } } } })
    const parts = { nodes: { sub: call() } }
    const run = await here.play(parts)
    expect(run.status).toBe('FAILED')
    give(here, { nodes: { say: transform('"mended"') } })
    const request = { runId: run.id, nodeId: null, input: null, by: null, reason: null }
    const document = documentOf(parts) as unknown as JsonObject
    await here.within(here.engine.retryRun({ ...request, version: 'newest', document }))
    await here.pass(1_000)
    expect(await here.outputOf(run.id)).toBe('mended')
    const children = (await runs(here)).filter(({ parentRunId }) => parentRunId === run.id)
    expect(children.map(({ status }) => status).sort()).toEqual(['FAILED', 'SUCCEEDED'])
  })

  const crashes = [
    'effect.before-delivery',
    'effect.after-delivery',
    'effect.delivered',
    'start.before-commit',
    'start.after-commit',
    'attempt.before-commit',
    'attempt.after-commit',
  ] as const
  it.each(crashes)(
    'killed at %s, at its first to fourth passing, nothing is lost or started twice',
    async (name) => {
      for (let nth = 1; nth <= 4; nth += 1) {
        const here = new FlowScene(await open())
        scenes.push(here)
        await here.launch({ name, nth })
        give(here, {
          nodes: { one: transform('input.n + 1'), two: transform('input * 10') },
          edges: edgesOf('one>two'),
        })
        const document = documentOf({
          nodes: { sub: call(), after: transform('input + 1') },
          edges: edgesOf('sub>after'),
        })
        const request = { document, input: { n: 3 }, requestId: 'once', baseDirectory: null }
        await Promise.race([here.engine.startRun(request), here.pass(1_000)])
        await here.pass(1_000)
        await here.launch()
        const { runId } = await here.within(here.engine.startRun(request))
        await here.pass(1_000)
        expect([name, nth, (await here.run(runId)).status]).toEqual([name, nth, 'SUCCEEDED'])
        expect(await here.outputOf(runId)).toBe(41)
        expect((await childOf(here, runId)).status).toBe('SUCCEEDED')
        expect(await outbox(here)).toEqual([])
      }
    },
  )
})
