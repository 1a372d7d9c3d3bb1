/** Runs in line, as decisions: what they write, take and release. */

import { describe, expect, it } from 'vitest'
import { compileWorkflow } from '../../../../src-engine/core/compile.ts'
import { pauseRun, resumeRun } from '../../../../src-engine/core/control/pause.ts'
import type { Decision, DecisionContext } from '../../../../src-engine/core/draft.ts'
import { applyDecision } from '../../../../src-engine/core/draft.ts'
import { addRunPermitWrites } from '../../../../src-engine/core/permits/held-by-run.ts'
import type { PermitWrites } from '../../../../src-engine/core/permits/held-permits.ts'
import {
  beginRun,
  inLine,
  queueRun,
  refuseRun,
  stayInLine,
} from '../../../../src-engine/core/permits/run-line.ts'
import { runPlan, whenFull } from '../../../../src-engine/core/permits/run-permits.ts'
import { cancelRun } from '../../../../src-engine/core/requests.ts'
import type { MutableRunState } from '../../../../src-engine/core/run-state.ts'
import { createRunState } from '../../../../src-engine/core/run-state.ts'
import { definitionHash, invocationId, opId, runId, workflowId } from '../../../../src-engine/model/ids.ts'
import type { PermitPlan } from '../../../../src-engine/model/invocation.ts'
import { newRun } from '../../../../src-engine/model/new-records.ts'
import type { RunRecord } from '../../../../src-engine/model/run.ts'
import type { WorkflowDocument, WorkflowSettings } from '../../../../src-engine/model/workflow.ts'
import { createMemoryStore } from '../../../../src-engine/store/memory/memory-store.ts'
import type { Store } from '../../../../src-engine/store/store.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'

const settings: WorkflowSettings = { concurrency: { limit: 1 }, timeoutMs: 1_000 }
const document = {
  format: 'sagasmith.workflow',
  schemaVersion: 1,
  id: workflowId('limited'),
  title: 'Limited',
  settings,
  nodes: { work: { kind: 'noop' } },
  edges: {},
} as WorkflowDocument
const workflow = compileWorkflow(document, taskSpecsByKind)
const demand = { tenant: 'local', tenantLimit: null, key: undefined, hash: (text: string) => text }
const plan = runPlan(workflow.runPermits, demand) as PermitPlan
const missing = { key: 'workflow:limited', holders: ['other'] }

let decisions = 0
const context = (now = 100): DecisionContext => ({
  now,
  actor: { kind: 'run', id: null },
  cause: { kind: 'test', by: null, detail: null },
  opId: opId(`decision:${(decisions += 1)}`),
  epoch: 1,
  claimant: null,
  pools: null,
})

const aRun = (set: Partial<RunRecord> = {}): RunRecord =>
  newRun({
    id: runId('run_1'),
    workflowId: document.id,
    workflowTitle: document.title,
    definitionHash: definitionHash(`w1_${'0'.repeat(64)}`),
    input: { kind: 'inline', json: '{}' },
    now: 10,
    seed: 'seed',
    ...set,
  })

async function accept(store: Store, state: MutableRunState, decision: Decision | null): Promise<RunRecord> {
  if (decision === null) throw new Error('there was nothing to decide')
  expect(await store.commit(0, [decision.checkpoint])).toEqual([{ kind: 'accepted' }])
  applyDecision(state, decision)
  return state.run
}

describe('a run in line', () => {
  const queued = async (set: Partial<RunRecord> = {}) => {
    const store = createMemoryStore()
    await store.migrate()
    const state = createRunState(workflow, inLine(aRun(set), plan, missing))
    await accept(store, state, queueRun(state, context(), null))
    return { store, state }
  }
  const holders = async (store: Store) =>
    (await store.load(0, 'slotHolders', { key: missing.key })).map(({ holder }) => holder)

  it('is there without a step, holds nothing, and is found by what it waits for', async () => {
    const { store, state } = await queued()
    expect(state.run).toMatchObject({ status: 'CREATED', version: 1, waitReason: { code: 'workflow_limit' } })
    expect(state.invocations.size).toBe(0)
    expect(await holders(store)).toEqual([])
    const waiting = await store.load(0, 'permitWaiters', { key: missing.key, limit: 5 })
    expect(waiting.runs.map(({ id }) => id)).toEqual(['run_1'])
  })

  it('begins with its permits, and gives them back with its end', async () => {
    const { store, state } = await queued()
    const run = await accept(store, state, beginRun(state, context(500), { plan, isGated: false }))
    expect(run).toMatchObject({ status: 'RUNNING', startedAt: 500, deadlineAt: 1_500, waitReason: null })
    expect([...state.invocations.values()].map(({ cause }) => cause.kind)).toEqual(['start'])
    expect(await holders(store)).toEqual(['run_1'])
    expect(beginRun(state, context(), { plan, isGated: false })).toBeNull()
    expect((await accept(store, state, cancelRun(state, context()))).status).toBe('CANCELLED')
    expect(await holders(store)).toEqual([])
  })

  it('keeps the bound that its parent gave it', async () => {
    const { store, state } = await queued({ deadlineAt: 700 })
    expect(
      (await accept(store, state, beginRun(state, context(500), { plan, isGated: false }))).deadlineAt,
    ).toBe(700)
  })

  it('doesn’t begin, and doesn’t end, while it is paused', async () => {
    const { store, state } = await queued()
    await accept(store, state, pauseRun(state, context()))
    expect(state.run).toMatchObject({ status: 'CREATED', pauseRequestedAt: 100 })
    expect(beginRun(state, context(), { plan, isGated: false })).toBeNull()
    await accept(store, state, resumeRun(state, context()))
    expect((await accept(store, state, beginRun(state, context(), { plan, isGated: false }))).status).toBe(
      'RUNNING',
    )
  })

  it('ends at once when it is cancelled', async () => {
    const { store, state } = await queued()
    expect(await accept(store, state, cancelRun(state, context()))).toMatchObject({ status: 'CANCELLED' })
    expect(beginRun(state, context(), { plan, isGated: false })).toBeNull()
  })

  it('says when another permit is missing, and nothing when it is the same', async () => {
    const { store, state } = await queued()
    expect(stayInLine(state, context(), missing)).toBeNull()
    const other = { key: 'tenant-runs:local', holders: ['x', 'y'] }
    const run = await accept(store, state, stayInLine(state, context(), other))
    expect(run).toMatchObject({ permits: { blockedBy: other.key, blockedSince: 10 } })
    expect(run.waitReason?.code).toBe('tenant_limit')
  })
})

describe('a run that finds no room', () => {
  const refused = (as: 'skip' | 'fail', set: Partial<RunRecord> = {}) => {
    const state = createRunState(workflow, aRun({ ...set, permits: plan }))
    return refuseRun(state, context(), { missing, as, version: null })
  }

  it('is skipped or fails in its first checkpoint, with the reason', async () => {
    for (const [as, status] of [
      ['skip', 'CANCELLED'],
      ['fail', 'FAILED'],
    ] as const) {
      const store = createMemoryStore()
      await store.migrate()
      const { checkpoint, changes } = refused(as)
      expect(await store.commit(0, [checkpoint])).toEqual([{ kind: 'accepted' }])
      expect(changes.run).toMatchObject({ status, finishedAt: 100, error: { code: 'concurrency_limit' } })
      expect(checkpoint.writes).toMatchObject({ take: [], release: [], invocations: [] })
    }
  })

  it('tells the step that waits for it', () => {
    const parent = { parentRunId: runId('above'), parentInvocationId: invocationId('above/call') }
    const kinds = refused('skip', parent).checkpoint.writes.outbox.map(({ kind }) => kind)
    expect(kinds).toEqual(['run.ended'])
  })
})

describe('the permits of a run', () => {
  const writesOf = (before: RunRecord | null, after: RunRecord): PermitWrites => {
    const writes: PermitWrites = { take: [], release: [] }
    addRunPermitWrites(writes, { before, after }, 100)
    return writes
  }
  const rated = { ...plan, permits: [...plan.permits, { key: 'rate-runs:limited', limit: 2, windowMs: 50 }] }
  const running = aRun({ permits: rated, status: 'RUNNING' })
  const ended = aRun({ permits: rated, status: 'FAILED', finishedAt: 90 })

  it('are taken at the start; a rate counts from then', () => {
    expect(writesOf(null, running).take).toEqual([
      { key: 'workflow:limited', holder: 'run_1', limit: 1, expiresAt: null },
      { key: 'rate-runs:limited', holder: 'run_1', limit: 2, expiresAt: 150 },
    ])
    expect(writesOf(running, { ...running, status: 'WAITING' })).toEqual({ take: [], release: [] })
  })

  it('are released at the end, but for rates', () => {
    expect(writesOf(running, ended)).toEqual({
      take: [],
      release: [{ key: 'workflow:limited', holder: 'run_1' }],
    })
  })

  it('never keep a person from having an ended run go on', () => {
    const [taken, ...more] = writesOf(ended, running).take
    expect(taken).toMatchObject({ key: 'workflow:limited', limit: Number.MAX_SAFE_INTEGER })
    expect(more).toEqual([])
  })
})

describe('what becomes of a run too many', () => {
  it('is its workflow’s word for the workflow’s permits, and to wait for all others', () => {
    for (const onFull of ['queue', 'skip', 'replace', 'fail'] as const) {
      const permits = compileWorkflow(
        { ...document, settings: { concurrency: { limit: 1, onFull } } },
        taskSpecsByKind,
      ).runPermits
      expect(whenFull(permits, 'workflow:limited')).toBe(onFull)
      expect(whenFull(permits, 'tenant-runs:local')).toBe('queue')
      // A rate leaves nobody to take the place of.
      expect(whenFull(permits, 'rate-runs:limited')).toBe(onFull === 'replace' ? 'queue' : onFull)
    }
  })

  it('has a key of its own for each value of the workflow’s expression', () => {
    const keyed = { ...demand, key: { b: 1, a: [2] } }
    expect(runPlan(workflow.runPermits, keyed)?.permits[0]?.key).toBe('workflow:limited:{"a":[2],"b":1}')
    expect(runPlan(null, demand)).toBeNull()
  })
})
