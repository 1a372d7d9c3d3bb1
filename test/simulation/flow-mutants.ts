/** Planted bugs around signals, limits of runs, registered demands, bodies and sub-workflows. */

import type { PlantedBug } from './planted-bug.ts'
import { rewriting, telling, withFields, withRun } from './rewriting.ts'

/** Bugs in what runs do with one another and inside themselves. */
export const flowBugs: readonly PlantedBug[] = [
  {
    name: 'a kept signal is forgotten',
    noticedBy: ['I25'],
    store: rewriting((checkpoint) =>
      withRun(checkpoint, ({ signals }) => (signals.length > 0 ? { signals: [] } : {})),
    ),
  },
  {
    name: 'the newest of the kept signals comes first',
    noticedBy: ['I25'],
    store: rewriting((checkpoint) =>
      withRun(checkpoint, ({ signals }) => (signals.length > 1 ? { signals: signals.toReversed() } : {})),
    ),
  },
  {
    name: 'a signal is taken twice',
    noticedBy: ['I25'],
    store: rewriting((checkpoint) =>
      withFields(checkpoint, ({ cause }) =>
        cause.kind === 'signal' ? { cause: { ...cause, by: 'the same' } } : {},
      ),
    ),
  },
  {
    name: 'two more runs than the limit may be under way',
    noticedBy: ['I20'],
    store: (store) => ({
      ...store,
      commit: (partition, checkpoints) =>
        store.commit(
          partition,
          checkpoints.map((checkpoint) => {
            const take = checkpoint.writes.take.map((slot) => ({ ...slot, limit: slot.limit + 2 }))
            return { ...checkpoint, writes: { ...checkpoint.writes, take } }
          }),
        ),
    }),
  },
  {
    name: 'nobody asks whether the same is registered already',
    noticedBy: ['I21'],
    store: (store) => ({
      ...store,
      commit: (partition, checkpoints) =>
        store.commit(
          partition,
          checkpoints.map((checkpoint) => {
            const take = checkpoint.writes.take.filter(({ key }) => !key.startsWith('reg:'))
            return { ...checkpoint, writes: { ...checkpoint.writes, take } }
          }),
        ),
      load: async (partition, kind, input) =>
        kind === 'slotHolders' && (input as { readonly key: string }).key.startsWith('reg:')
          ? ([] as never)
          : store.load(partition, kind, input),
    }),
  },
  {
    name: 'what another run gave is recorded as something else',
    noticedBy: ['I17', 'I24'],
    store: rewriting((checkpoint) =>
      withFields(checkpoint, ({ taskKind, status, output }) =>
        taskKind === 'sub-workflow' && status === 'SUCCESS' && output !== null
          ? { output: { kind: 'inline', json: '"other"' } }
          : {},
      ),
    ),
  },
  {
    name: 'a turn is left out',
    noticedBy: ['I18'],
    shared: (store) =>
      telling(store, (record) =>
        record.path.endsWith(':1') ? { ...record, path: `${record.path.slice(0, -1)}2` } : record,
      ),
  },
]
