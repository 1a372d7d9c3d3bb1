/** One wish for many runs: what is counted, what is done, and that a refusal keeps nobody else from theirs. */

import { afterEach, describe, expect, test } from 'vitest'
import type { RunId } from '../../../src-engine/model/ids.ts'
import { workflowId } from '../../../src-engine/model/ids.ts'
import type { RunRecord } from '../../../src-engine/model/run.ts'
import { minute } from '../../../src-engine/model/time.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import type { BulkPage, BulkRequest } from '../../../src-engine/protocol/run-control.ts'
import type { Engine } from '../../../src-engine/runtime/engine.ts'
import { instantOf } from '../../../src-engine/shell/commands/instant-flag.ts'
import { bulkPage } from '../../../src-engine/shell/run-bulk.ts'
import { createMemoryStore } from '../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { EnginesScene } from '../runtime/permits/engines-scene.ts'

const scenes: EnginesScene[] = []
afterEach(async () => {
  for (const { store } of scenes.splice(0)) await store.close()
})

const oneStep = (id: string): WorkflowDocument =>
  ({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: workflowId(id),
    title: id,
    nodes: { a: { kind: 'noop' } },
    edges: {},
  }) as unknown as WorkflowDocument

const everything: BulkRequest = {
  action: 'retry',
  filter: { workflowId: null, statuses: null, since: null, until: null },
  dryRun: false,
  version: 'same',
  by: 'ada',
  reason: null,
  after: null,
  limit: 50,
}

async function bulk(here: EnginesScene, request: Partial<BulkRequest>): Promise<BulkPage> {
  const [engine] = here.engines
  if (engine === undefined) throw new Error('there is an engine')
  const asked = bulkPage(engine, { ...everything, ...request })
  await here.pass(100)
  return asked
}

/** Two failed runs of `orders`, then, a minute later, one of `mail` and one of `orders` under way. */
async function someRuns(): Promise<{ readonly here: EnginesScene; readonly runs: readonly RunId[] }> {
  const here = new EnginesScene(createMemoryStore())
  scenes.push(here)
  await here.launch()
  const runs: RunId[] = []
  for (const id of ['orders', 'orders']) {
    runs.push(await here.start(oneStep(id)))
    await here.end(new Error('no'))
  }
  await here.pass(minute)
  runs.push(await here.start(oneStep('mail')))
  await here.end(new Error('no'))
  runs.push(await here.start(oneStep('orders')))
  return { here, runs }
}

describe('a wish for many runs', () => {
  test('is told before it is done', async () => {
    const { here, runs } = await someRuns()
    const page = await bulk(here, { dryRun: true })
    expect(page.counts).toEqual({ matched: 3, done: 0, refused: 0 })
    expect(page.outcomes.map(({ runId }) => runId)).toEqual([runs[2], runs[1], runs[0]])
    for (const id of runs.slice(0, 3)) expect((await here.run(id)).status).toBe('FAILED')
  })

  test('reaches the runs that the filter fits, and no others', async () => {
    const { here, runs } = await someRuns()
    const filter = { ...everything.filter, workflowId: workflowId('orders') }
    const page = await bulk(here, { filter })
    expect(page.counts).toEqual({ matched: 2, done: 2, refused: 0 })
    const after = await Promise.all(runs.map(async (id) => (await here.run(id)).status))
    expect(after).toEqual(['RUNNING', 'RUNNING', 'FAILED', 'RUNNING'])
    expect((await here.run(runs[3] as RunId)).generation).toBe(0)
  })

  test('keeps to the time in which they were created', async () => {
    const { here, runs } = await someRuns()
    const since = (await here.run(runs[2] as RunId)).createdAt
    const newer = await bulk(here, { dryRun: true, filter: { ...everything.filter, since } })
    expect(newer.outcomes.map(({ runId }) => runId)).toEqual([runs[2]])
    expect(newer.next).toBeNull()
    const older = await bulk(here, { dryRun: true, filter: { ...everything.filter, until: since } })
    expect(older.outcomes.map(({ runId }) => runId)).toEqual([runs[1], runs[0]])
  })

  test('comes in pages that reach each run once', async () => {
    const { here, runs } = await someRuns()
    const seen: RunId[] = []
    for (let after: RunId | null = null; ; ) {
      const page: BulkPage = await bulk(here, { after, limit: 1 })
      seen.push(...page.outcomes.map(({ runId }) => runId))
      if (page.next === null) break
      after = page.next
    }
    expect(seen).toEqual([runs[2], runs[1], runs[0]])
  })

  test('tells a refusal beside what was done', async () => {
    const { here, runs } = await someRuns()
    const filter = { ...everything.filter, statuses: ['FAILED', 'RUNNING'] as const }
    const page = await bulk(here, { action: 'cancel', filter })
    expect(page.counts).toEqual({ matched: 4, done: 1, refused: 3 })
    expect(page.outcomes[0]).toMatchObject({ runId: runs[3], error: null })
    expect(page.outcomes[1]?.error?.code).toBe('run_already_final')
  })
})

describe('running many again', () => {
  test('starts a new run for each that ended, with the input and the version that it had', async () => {
    const { here, runs } = await someRuns()
    const told = await bulk(here, { action: 'rerun', dryRun: true })
    expect(told.counts).toEqual({ matched: 3, done: 0, refused: 0 })
    const page = await bulk(here, { action: 'rerun', reason: 'again' })
    expect(page.counts).toEqual({ matched: 3, done: 3, refused: 0 })
    expect(page.outcomes.map(({ runId }) => runId)).toEqual([runs[2], runs[1], runs[0]])
    for (const { runId, startedRunId, before, status } of page.outcomes) {
      const [old, again] = [await here.run(runId), await here.run(startedRunId as RunId)]
      expect(again.origin).toEqual({ kind: 'rerun', runId, nodeId: null })
      expect(again).toMatchObject({ input: old.input, definitionHash: old.definitionHash })
      expect(again.cause).toEqual({ kind: 'rerun', by: 'ada', detail: 'again' })
      expect([before, status, old.status]).toEqual(['FAILED', 'FAILED', 'FAILED'])
    }
  })

  test('starts one run for each, however often the same wish is sent', async () => {
    const { here } = await someRuns()
    const wish = {
      action: 'rerun',
      requestId: 'once',
      filter: { ...everything.filter, until: here.world.now + 1 },
    }
    const started = async () =>
      (await bulk(here, wish as Partial<BulkRequest>)).outcomes.map(({ startedRunId }) => startedRunId)
    const first = await started()
    expect(new Set(first).size).toBe(3)
    // Ids name the request: one that grew with every repetition would soon be too long.
    expect(Math.max(...first.map((id) => id?.length ?? 99))).toBeLessThan(50)
    expect(await started()).toEqual(first)
  })

  test('takes the newest published version where that is asked for', async () => {
    const { here, runs } = await someRuns()
    const newer = { ...oneStep('mail'), title: 'Mail', nodes: { a: { kind: 'noop' }, b: { kind: 'noop' } } }
    const published = await here.run(await here.start(newer))
    const filter = { ...everything.filter, workflowId: workflowId('mail'), statuses: ['FAILED'] as const }
    const again = async (version: BulkRequest['version']) => {
      const { outcomes } = await bulk(here, { action: 'rerun', filter, version })
      return (await here.run(outcomes[0]?.startedRunId as RunId)).definitionHash
    }
    expect(await again('newest')).toBe(published.definitionHash)
    expect(await again('same')).toBe((await here.run(runs[2] as RunId)).definitionHash)
  })

  test('leaves what a step of another run started to that run', async () => {
    const { here, runs } = await someRuns()
    const [parent, child] = runs as readonly [RunId, RunId]
    const asked = withRuns(here, (run) => (run.id === child ? { ...run, parentRunId: parent } : run))
    const ids = async (origin: 'step' | null) =>
      (
        await bulkPage(asked, {
          ...everything,
          action: 'rerun',
          dryRun: true,
          filter: { ...everything.filter, origin },
        })
      ).outcomes.map(({ runId }) => runId)
    expect(await ids(null)).toEqual([runs[2], parent])
    expect(await ids('step')).toEqual([child])
  })
})

/** The scene's first engine over runs that look otherwise. */
function withRuns(here: EnginesScene, seen: (run: RunRecord) => RunRecord): Engine {
  const list: Store['list'] = async (partition, kind, query) => {
    const found = await here.store.list(partition, kind, query)
    return kind === 'runs' ? (found.map((run) => seen(run as RunRecord)) as typeof found) : found
  }
  return { ...(here.engines[0] as Engine), store: { ...here.store, list } }
}

describe('an instant on the command line', () => {
  test.for([
    ['90m', 10 * 60 * minute - 90 * minute],
    ['2h', 10 * 60 * minute - 120 * minute],
    ['1970-01-01T00:01:00Z', minute],
  ] as const)('%s', ([text, at]) => {
    expect(instantOf(text, 10 * 60 * minute)).toBe(at)
  })

  test('that is none is refused', () => {
    expect(() => instantOf('yesterday', 0)).toThrow('is no instant')
  })
})
