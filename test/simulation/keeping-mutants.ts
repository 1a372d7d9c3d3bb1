/** Planted bugs in what is forgotten with its run, and what isn’t yet. */

import { effectOf } from '../../src-engine/model/effect.ts'
import type { BlobHash } from '../../src-engine/model/ids.ts'
import type { PlantedBug } from './planted-bug.ts'
import { rewriting } from './rewriting.ts'
import type { Scenario } from './scenario.ts'

const takes = ({ forgets }: Scenario): boolean => forgets

/** Only seeds in which something goes can show them. */
export const keepingBugs: readonly PlantedBug[] = [
  {
    name: 'what is not to stay is never forgotten',
    noticedBy: ['I41'],
    takes,
    store: rewriting((checkpoint) => {
      const outbox = checkpoint.writes.outbox.filter((record) => effectOf(record).kind !== 'values.forgotten')
      return { ...checkpoint, writes: { ...checkpoint.writes, outbox } }
    }),
  },
  {
    name: 'what other runs still need is forgotten with the first that ends',
    noticedBy: ['I41'],
    takes,
    shared: (store) => {
      const stored = new Set<BlobHash>()
      return {
        ...store,
        putBlob: async (bytes) => {
          const hash = await store.putBlob(bytes)
          stored.add(hash)
          return hash
        },
        dropBlobs: () => store.dropBlobs([...stored]),
      }
    },
  },
]
