/** How planted bugs change what is written and what is read. */

import type { Checkpoint } from '../../src-engine/model/checkpoint.ts'
import type { EventDraft } from '../../src-engine/model/event.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import type { LoadQueries, Store } from '../../src-engine/store/store.ts'
import type { RandomSource } from '../support/random-source.ts'

type Rewrite = (checkpoint: Checkpoint, random: RandomSource) => Checkpoint

/** A store whose commits are changed on their way. */
export const rewriting =
  (rewrite: Rewrite) =>
  (store: Store, random: RandomSource): Store => ({
    ...store,
    commit: (partition, checkpoints) =>
      store.commit(
        partition,
        checkpoints.map((checkpoint) => rewrite(checkpoint, random)),
      ),
  })

type Changed = Extract<EventDraft['body'], { readonly type: 'invocation.changed' }>

/** The same with other fields in both, the records and what the events tell of them. */
export const withFields = (
  checkpoint: Checkpoint,
  fields: (record: InvocationRecord) => Partial<InvocationRecord>,
): Checkpoint => ({
  ...checkpoint,
  writes: {
    ...checkpoint.writes,
    invocations: checkpoint.writes.invocations.map((record) => ({ ...record, ...fields(record) })),
  },
  events: checkpoint.events.map((event) => {
    const { body, invocationId: id } = event
    const record = checkpoint.writes.invocations.find((item) => item.id === id)
    if (record === undefined) return event
    if (body.type === 'invocation.registered') {
      const invocation = { ...body.invocation, ...fields(record) }
      return { ...event, body: { ...body, invocation } }
    }
    if (body.type !== 'invocation.changed') return event
    return { ...event, body: { ...body, set: { ...body.set, ...fields(record) } } }
  }),
})

/** The same with other fields in the run where its signals change, and in what the events tell of them. */
export const withRun = (
  checkpoint: Checkpoint,
  fields: (run: RunRecord) => Partial<RunRecord>,
): Checkpoint => {
  const { run } = checkpoint.writes
  const tells = checkpoint.events.some(
    ({ body }) => body.type === 'run.changed' && body.set.signals !== undefined,
  )
  if (run === null || !tells) return checkpoint
  const set = fields(run)
  const events = checkpoint.events.map((event) => {
    const { body } = event
    return body.type === 'run.changed' && body.set.signals !== undefined
      ? { ...event, body: { ...body, set: { ...body.set, ...set } } }
      : event
  })
  return { ...checkpoint, events, writes: { ...checkpoint.writes, run: { ...run, ...set } } }
}

/** The same with what its events tell of invocations changed. */
export const withChanges = (checkpoint: Checkpoint, change: (body: Changed) => Changed): Checkpoint => ({
  ...checkpoint,
  events: checkpoint.events.map((event) =>
    event.body.type === 'invocation.changed' ? { ...event, body: change(event.body) } : event,
  ),
})

/** Records as the mutant's store tells them. */
export const telling = (store: Store, tell: (record: InvocationRecord) => InvocationRecord): Store => ({
  ...store,
  load: async (partition, kind, input) => {
    const loaded = await store.load(partition, kind, input)
    if (kind !== 'invocations') return loaded
    const records = loaded as LoadQueries['invocations']['output']
    return records.map(tell) as never
  },
})
