/** Planted bugs in rollbacks: what is undone twice, too early, in the wrong order, not at all or for nothing. */

import { isRecorded } from '../../src-engine/core/run-state.ts'
import type { Checkpoint } from '../../src-engine/model/checkpoint.ts'
import { errorRecord } from '../../src-engine/model/errors.ts'
import type { InvocationId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { LoadQueries, Store } from '../../src-engine/store/store.ts'
import type { PlantedBug } from './planted-bug.ts'
import { rewriting, telling } from './rewriting.ts'

function withPlace(record: InvocationRecord, placeOf: (place: number) => number): InvocationRecord {
  const { wait } = record
  if (wait?.kind !== 'rollback') return record
  return { ...record, wait: { ...wait, place: placeOf(wait.place) } }
}

/** Leaves out one of the compensations that wait. */
const forgetting = (store: Store): Store => ({
  ...store,
  load: async (partition, kind, input) => {
    const loaded = await store.load(partition, kind, input)
    if (kind !== 'invocations') return loaded
    const records = loaded as LoadQueries['invocations']['output']
    const first = records.find(isRecorded)
    return records.filter((record) => record !== first)
  },
})

/** Runs that steps started have nothing to undo, where `isHidden` says so of the run and of the one that waits. */
const hidingOfChildren =
  (isHidden: (child: RunRecord, parent: RunRecord) => boolean) =>
  (store: Store): Store => ({
    ...store,
    load: async (partition, kind, input) => {
      const loaded = await store.load(partition, kind, input)
      if (kind !== 'invocations') return loaded
      const { runId } = input as LoadQueries['invocations']['input']
      const child = await store.load(partition, 'run', { runId })
      if (child === null || child.parentRunId === null) return loaded
      const parent = await store.load(partition, 'run', { runId: child.parentRunId })
      if (parent === null || !isHidden(child, parent)) return loaded
      const records = loaded as LoadQueries['invocations']['output']
      return records.filter((record) => !isRecorded(record))
    },
  })

/** Whoever reads a workflow finds all its steps in one scope whose order doesn't matter. */
const undoingTogether = (store: Store): Store => ({
  ...store,
  load: async (partition, kind, input) => {
    const loaded = await store.load(partition, kind, input)
    if (kind !== 'workflowVersion' || loaded === null) return loaded
    const version = loaded as NonNullable<LoadQueries['workflowVersion']['output']>
    const document = JSON.parse(version.document) as WorkflowDocument
    const all = { nodes: Object.keys(document.nodes), order: 'parallel' }
    return { ...version, document: JSON.stringify({ ...document, sagaScopes: { all } }) } as never
  },
})

/** Runs that were undone are said to have succeeded. */
const praising = (store: Store): Store => ({
  ...store,
  list: async (partition, kind, input) => {
    const listed = await store.list(partition, kind, input)
    if (kind !== 'runs') return listed
    const runs = listed as unknown as readonly RunRecord[]
    return runs.map((run) => (run.status === 'COMPENSATED' ? { ...run, status: 'SUCCEEDED' } : run)) as never
  },
})

/** What undoes a step is registered with its end, and so is what would come after a failure of it. */
function twice(checkpoint: Checkpoint): Checkpoint {
  const registered = checkpoint.events.find(
    ({ body }) => body.type === 'invocation.registered' && body.invocation.role === 'compensation',
  )
  if (registered?.body.type !== 'invocation.registered') return checkpoint
  const { body } = registered
  const own = `${body.invocation.id}2` as InvocationId
  const twin = { ...body.invocation, id: own, version: 1 }
  return {
    ...checkpoint,
    expect: {
      ...checkpoint.expect,
      invocations: [...checkpoint.expect.invocations, { id: own, version: 0, fence: null }],
    },
    writes: { ...checkpoint.writes, invocations: [...checkpoint.writes.invocations, twin] },
    events: [...checkpoint.events, { ...registered, invocationId: own, body: { ...body, invocation: twin } }],
  }
}

/** Bugs that only seeds with something to undo can show. */
export const sagaBugs: readonly PlantedBug[] = [
  {
    name: 'what was undone is undone again with what failed',
    noticedBy: ['I22'],
    says: 'was undone 2 times',
    store: (store: Store) =>
      telling(store, (record) =>
        record.role === 'compensation' && record.status === 'SUCCESS'
          ? { ...record, status: 'FAILED', error: errorRecord('debug_failure') }
          : record,
      ),
  },
  {
    name: 'steps are undone in the order in which they ended',
    noticedBy: ['I22'],
    says: 'goes on before',
    store: (store: Store) => telling(store, (record) => withPlace(record, (place) => 1_000 - place)),
  },
  {
    name: 'steps are undone together although they belong to no scope',
    noticedBy: ['I22'],
    says: 'goes on before',
    store: undoingTogether,
  },
  {
    name: 'one of the steps is not undone',
    noticedBy: ['I22'],
    says: 'but',
    store: forgetting,
  },
  {
    name: 'nothing undoes what the run did that a step waited for',
    noticedBy: ['I22'],
    says: 'nothing undoes',
    store: hidingOfChildren(
      ({ status }, parent) => status === 'SUCCEEDED' && parent.status !== 'COMPENSATING',
    ),
  },
  {
    name: 'a step counts as undone before the run is that it waited for',
    noticedBy: ['I22'],
    says: 'is done, but its run',
    store: hidingOfChildren(
      ({ status }, parent) => status === 'SUCCEEDED' && parent.status === 'COMPENSATING',
    ),
  },
  {
    name: 'what undoes a step is there twice',
    noticedBy: ['I22'],
    says: 'begins anew',
    store: rewriting(twice),
  },
  {
    name: 'a run succeeds whose steps were undone',
    noticedBy: ['I23'],
    shared: praising,
  },
].map((bug) => ({ ...bug, takes: ({ saga }) => saga !== null }))
