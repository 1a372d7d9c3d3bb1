/** Replaying recorded runs: on their own version nothing differs, and what a change changes is told step by step. */

import { afterEach, describe, expect, it } from 'vitest'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import { nodeId } from '../../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { ReplayReport, ReplayRequest } from '../../../../src-engine/protocol/teleport.ts'
import { createExpressionService } from '../../../../src-engine/runtime/expressions/expression-service.ts'
import { systemClock } from '../../../../src-engine/runtime/system-ports.ts'
import { replayOf } from '../../../../src-engine/runtime/teleport/replay.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import { taskMocksByKind } from '../../../../src-engine/tasks/mocks.ts'
import { createTaskRuns } from '../../../../src-engine/tasks/runs.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'
import type { TaskRun } from '../../../../src-engine/tasks/task.ts'
import { partitionedOf } from '../../../simulation/stores.ts'
import { documentOf, edgesOf } from '../../model/workflow-fixture.ts'
import type { PullScene } from './pull-scene.ts'
import { pullSceneOn } from './pull-scene.ts'
import { replaySamples, transform } from './replay-samples.ts'

const expressions = createExpressionService({ clock: systemClock })
const scenes: PullScene[] = []
afterEach(async () => {
  for (const scene of scenes.splice(0)) await scene.close()
  await expressions.close()
})

const scene = async (): Promise<PullScene> => {
  const made = await pullSceneOn(partitionedOf(createMemoryStore({ partitions: 4 })))
  scenes.push(made)
  return made
}

/** Kinds that were really run in a replay. */
const executed: string[] = []
const runs = createTaskRuns({
  sandbox: { open: () => Promise.reject(new Error('no sandbox here')) },
  environment: {},
  lookup: () => Promise.reject(new Error('no network here')),
} as never)

function watched(kind: string): TaskRun<unknown> | null {
  const run = runs.get(kind)
  if (run === undefined) return null
  return {
    execute: (parameters, context) => {
      executed.push(`${kind} ${context.nodeId}`)
      return run.execute(parameters, context)
    },
  }
}

/** Of the pulled copy. */
async function replay(
  here: PullScene,
  runId: RunId,
  given: Partial<ReplayRequest> = {},
): Promise<ReplayReport> {
  executed.splice(0)
  await here.pull(runId)
  return replayOf(
    {
      store: here.store(runId),
      host: {
        specsByKind: taskSpecsByKind,
        runOf: watched,
        resolver: expressions,
        echoService: async () => '',
      },
      validation: {},
      kindMocks: taskMocksByKind,
      clock: systemClock,
    },
    { runId, document: null, nodeId: null, mocks: null, ...given },
  )
}

const changed = (parts: JsonObject): JsonObject => documentOf(parts) as unknown as JsonObject
const verdicts = ({ steps }: ReplayReport): Record<string, string> =>
  Object.fromEntries(
    steps.map(({ nodeId: id, path, verdict, source }) => [
      path === '' ? id : `${id}@${path}`,
      `${verdict} ${source}`,
    ]),
  )
const stepOf = ({ steps }: ReplayReport, id: string) => steps.find(({ nodeId: found }) => found === id)

const write = (path: string): JsonObject => ({
  kind: 'write-file',
  parameters: { path, content: '{{ input }}' },
})

describe('a replay on the version that the run was bound to', () => {
  it.each(Object.entries(replaySamples))('is the same: %s', async (name, { parts, input }) => {
    const here = await scene()
    const run = await here.cluster.play(parts, input ?? {})
    expect(run.finishedAt).not.toBeNull()
    const report = await replay(here, run.id)
    const roomless = report.steps.filter(({ recorded }) => recorded === 'CONCURRENCY_CONTROLLED_FINAL')
    expect(roomless).toHaveLength(name.includes('no room') ? 1 : 0)
    const wrong = report.steps.filter(({ verdict }) => verdict !== 'same')
    expect({ wrong, end: report.end.differences }).toEqual({ wrong: [], end: [] })
    expect(report.isSame).toBe(true)
    expect(report.end).toMatchObject({ recorded: run.status, replayed: run.status })
    // Only what steers the run is done again.
    expect(executed.filter((text) => !/^(map|loop|semaphore|stop) /.test(text))).toEqual([])
    expect(await replay(here, run.id)).toEqual(report)
  })

  it('is the same where somebody cancelled the run, and where its time was over', async () => {
    const here = await scene()
    const long = { kind: 'delay', parameters: { amount: 5, unit: 'seconds' } }
    const cancelled = await here.cluster.start({
      nodes: { a: transform('1'), wait: long },
      edges: edgesOf('a>wait'),
    })
    await here.cluster.pass(500)
    await here.cluster.within(here.cluster.engine.cancelRun(cancelled))
    await here.cluster.pass(500)
    expect((await here.cluster.run(cancelled)).status).toBe('CANCELLED')
    expect(await replay(here, cancelled)).toMatchObject({ isSame: true, end: { replayed: 'CANCELLED' } })
    const late = await here.cluster.start({ nodes: { wait: long }, settings: { timeoutMs: 1_000 } })
    await here.cluster.pass(40_000)
    expect((await here.cluster.run(late)).status).toBe('TIMED_OUT')
    expect(await replay(here, late)).toMatchObject({ isSame: true, end: { replayed: 'TIMED_OUT' } })
  })

  it('ends where the record of a run that goes on ends', async () => {
    const here = await scene()
    const wait = { kind: 'wait-signal', parameters: { name: 'go' } }
    const id = await here.cluster.start({ nodes: { a: transform('1'), wait }, edges: edgesOf('a>wait') })
    await here.cluster.pass(500)
    const report = await replay(here, id)
    expect(verdicts(report)).toEqual({ a: 'same recorded', wait: 'open recorded' })
    expect(report.isSame).toBe(true)
  })

  it('takes what a person had done again from where it counts', async () => {
    const here = await scene()
    const parts = { nodes: { a: transform('1'), b: transform('$error("no")') }, edges: edgesOf('a>b') }
    const { id } = await here.cluster.play(parts)
    const fixed = { nodes: { a: transform('1'), b: transform('input + 1') }, edges: edgesOf('a>b') }
    const retried = here.cluster.engine.retryRun({
      runId: id,
      nodeId: null,
      input: null,
      version: 'newest',
      document: changed(fixed),
      by: null,
      reason: null,
    })
    await here.cluster.within(retried)
    await here.cluster.pass(500)
    const report = await replay(here, id)
    expect(verdicts(report)).toEqual({ a: 'same recorded', b: 'same recorded' })
    expect(report.end).toMatchObject({ recorded: 'SUCCEEDED', replayed: 'SUCCEEDED' })
  })
})

describe('a replay with a changed workflow', () => {
  const before = {
    nodes: {
      a: transform('input.n + 1'),
      b: transform('$error("too much")'),
      c: write('/never/written.txt'),
    },
    edges: edgesOf('a>b', 'b>c'),
  }
  const after = (parts: JsonObject) => ({ document: changed({ ...before, ...parts }) })

  it('shows what the fix changes: what is computed anew, what is mocked, and how it ends', async () => {
    const here = await scene()
    const { id } = await here.cluster.play(before, { n: 1 })
    const report = await replay(here, id, after({ nodes: { ...before.nodes, b: transform('input * 10') } }))
    expect(verdicts(report)).toEqual({ a: 'same recorded', b: 'differs computed', c: 'new mocked' })
    const [definition, status] = stepOf(report, 'b')?.differences ?? []
    expect(definition).toEqual({
      what: 'definition',
      recorded: '{"parameters.expression":"$error(\\"too much\\")"}',
      replayed: '{"parameters.expression":"input * 10"}',
    })
    expect(status).toEqual({ what: 'status', recorded: '"FAILED"', replayed: '"SUCCESS"' })
    expect(stepOf(report, 'c')).toMatchObject({ error: null })
    expect(report.end).toMatchObject({ recorded: 'FAILED', replayed: 'SUCCEEDED' })
    expect(report.isSame).toBe(false)
    expect(executed).toEqual(['transform b'])
  })

  it('has what follows a change told as far as it gets something else', async () => {
    const here = await scene()
    const parts = {
      nodes: { a: transform('input.n'), b: transform('input + 1'), same: transform('"x"') },
      edges: edgesOf('a>b', 'a>same'),
    }
    const { id } = await here.cluster.play(parts, { n: 1 })
    const document = changed({ ...parts, nodes: { ...parts.nodes, a: transform('input.n * 5') } })
    const report = await replay(here, id, { document })
    expect(stepOf(report, 'b')?.differences).toEqual([
      { what: 'input', recorded: '1', replayed: '5' },
      { what: 'parameters', recorded: '{"expression":2}', replayed: '{"expression":6}' },
      { what: 'output', recorded: '2', replayed: '6' },
    ])
    // It gets something else, and gives the same.
    expect(stepOf(report, 'same')?.differences).toMatchObject([{ what: 'input' }])
  })

  it('tells what is new and what is gone', async () => {
    const here = await scene()
    const parts = { nodes: { a: transform('1'), old: transform('2') }, edges: edgesOf('a>old') }
    const { id } = await here.cluster.play(parts)
    const document = changed({
      nodes: { a: transform('1'), fresh: transform('3') },
      edges: edgesOf('a>fresh'),
    })
    const report = await replay(here, id, { document })
    expect(verdicts(report)).toEqual({ a: 'same recorded', fresh: 'new computed', old: 'gone none' })
    expect(report.counts).toMatchObject({ same: 1, new: 1, gone: 1 })
    expect(report.end.differences).toMatchObject([{ what: 'output' }])
  })

  it('never really runs what has an effect: it is mocked, or refused by name', async () => {
    const here = await scene()
    const { id } = await here.cluster.play({ nodes: { a: transform('1') } })
    const call = { kind: 'sub-workflow', parameters: { workflow: 'other' } }
    const document = changed({ nodes: { a: transform('1'), call }, edges: edgesOf('a>call') })
    const report = await replay(here, id, { document })
    expect(stepOf(report, 'call')).toMatchObject({
      verdict: 'failed',
      source: 'none',
      error: { code: 'teleport_not_recorded' },
    })
    expect(report.end.replayed).toBe('FAILED')
    expect(executed).toEqual([])
    const mocked = { ...call, mocks: { fine: { output: 7 } } }
    const other = changed({ nodes: { a: transform('1'), call: mocked }, edges: edgesOf('a>call') })
    expect(stepOf(await replay(here, id, { document: other }), 'call')).toMatchObject({
      verdict: 'new',
      source: 'mocked',
      replayed: 'SUCCESS',
    })
  })

  it('asks those that were stopped what they would have given, once nothing stops them', async () => {
    const here = await scene()
    const parts = {
      nodes: {
        bad: transform('$error("no")'),
        wait: { kind: 'delay', parameters: { amount: 5, unit: 'seconds' } },
      },
    }
    const { id } = await here.cluster.play(parts)
    const document = changed({ ...parts, nodes: { ...parts.nodes, bad: transform('1') } })
    const report = await replay(here, id, { document })
    expect(stepOf(report, 'wait')).toMatchObject({
      verdict: 'differs',
      source: 'mocked',
      recorded: 'CANCELLED',
      replayed: 'SUCCESS',
    })
    expect(report.end.replayed).toBe('SUCCEEDED')
  })

  it('begins with a step of choice: what is before it keeps its result, whatever it means now', async () => {
    const here = await scene()
    const { id } = await here.cluster.play(before, { n: 1 })
    const nodes = { ...before.nodes, a: transform('99'), b: transform('input * 10') }
    const report = await replay(here, id, { ...after({ nodes }), nodeId: nodeId('b') })
    expect(verdicts(report)).toMatchObject({ a: 'kept recorded', b: 'differs computed' })
    const wrong = replay(here, id, { nodeId: nodeId('nowhere') })
    await expect(wrong).rejects.toMatchObject({ code: 'invocation_not_found' })
  })

  it('refuses what is no version of the workflow', async () => {
    const here = await scene()
    const { id } = await here.cluster.play(before, { n: 1 })
    const other = replay(here, id, { document: changed({ ...before, id: 'another' }) })
    await expect(other).rejects.toMatchObject({ code: 'bad_request' })
    const broken = replay(here, id, { document: changed({ ...before, edges: edgesOf('a>nowhere') }) })
    await expect(broken).rejects.toMatchObject({ code: 'document_invalid' })
  })
})

describe('a replay of a run with a circuit breaker', () => {
  /** Whoever can't pay opens it for an hour. */
  const shop = (pay: string, failures: number): JsonObject => ({
    nodes: {
      guard: { kind: 'circuit-breaker', parameters: { failures, openMs: 3_600_000, key: 'input.of' } },
      pay: { ...transform(pay), parent: 'guard' },
      paid: transform('"paid " & input'),
      later: transform('"it is " & input.status'),
      broken: transform('"broken: " & input.error.code'),
    },
    edges: edgesOf('guard>paid', 'guard:open>later', 'guard:error>broken'),
  })
  const parts = shop('input.ok ? 7 : $error("no money")', 1)
  const played = async () => {
    const here = await scene()
    const [ok, of] = [true, 'ada']
    const letIn = await here.cluster.play(parts, { ok, of })
    const failed = await here.cluster.play(parts, { ok: false, of })
    const keptOut = await here.cluster.play(parts, { ok, of })
    const circuits = () => here.cluster.within(here.cluster.engine.circuits.list(null))
    return { here, letIn, failed, keptOut, circuits }
  }
  const same = (...ids: readonly string[]) => Object.fromEntries(ids.map((id) => [id, 'same recorded']))

  it('is the same for whom it let in, who failed inside and whom it kept out, and tells no breaker', async () => {
    const { here, letIn, failed, keptOut, circuits } = await played()
    const known = await circuits()
    expect(known).toMatchObject([{ circuit: { status: 'open', failures: 1 } }])
    const again = async ({ id }: { readonly id: RunId }) => {
      const report = await replay(here, id)
      expect([report.isSame, report.end.differences]).toEqual([true, []])
      return { steps: verdicts(report), executed: [...executed] }
    }
    const inside = { guard: 'same computed', 'pay@guard:0': 'same recorded' }
    const asked = ['circuit-breaker guard']
    expect(await again(letIn)).toEqual({ steps: { ...inside, ...same('paid') }, executed: asked })
    // Its parameters can't be resolved: it fails as it did, before anything answers for it.
    const failing = { ...inside, 'pay@guard:0': 'same computed' }
    expect(await again(failed)).toEqual({ steps: { ...failing, ...same('broken') }, executed: asked })
    expect(await again(keptOut)).toEqual({ steps: same('guard', 'later'), executed: [] })
    expect(await circuits()).toEqual(known)
    // What was open then stays so in the record, whatever became of it.
    await here.cluster.within(here.cluster.engine.circuits.reset(known[0]?.id ?? ''))
    expect(await again(keptOut)).toEqual({ steps: same('guard', 'later'), executed: [] })
    expect(await circuits()).toEqual([])
  })

  it('keeps out whom it kept out while it means the same, and lets in once it means something else', async () => {
    const { here, keptOut } = await played()
    const fixed = changed(shop('8', 1))
    const report = await replay(here, keptOut.id, { document: fixed })
    expect([verdicts(report), report.end.differences]).toEqual([same('guard', 'later'), []])
    const patient = changed(shop('8', 5))
    const other = await replay(here, keptOut.id, { document: patient })
    expect(verdicts(other)).toEqual({
      ...{ guard: 'differs computed', 'pay@guard:0': 'new computed', paid: 'new computed' },
      later: 'gone none',
    })
    expect(other.end).toMatchObject({
      replayed: 'SUCCEEDED',
      differences: [{ what: 'output', recorded: '"it is open"', replayed: '"paid 8"' }],
    })
  })
})
