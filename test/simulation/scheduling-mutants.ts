/** Planted bugs in who may do what: pools and their permits. */

import type { PlantedBug } from './planted-bug.ts'
import { rewriting } from './rewriting.ts'
import { allRounder } from './scheduling.ts'

const { pools } = allRounder

/** Bugs that only seeds with pools can show. */
export const schedulingBugs: readonly PlantedBug[] = [
  {
    name: 'a claim takes work of any pool',
    noticedBy: ['I36'],
    store: (store) => ({
      ...store,
      fetch: (request) => store.fetch({ ...request, pools }),
      claim: (request) => store.claim({ ...request, pools }),
    }),
  },
  {
    name: 'the permit of a pool is kept by what has ended',
    noticedBy: ['I11'],
    store: rewriting((checkpoint) => ({
      ...checkpoint,
      writes: {
        ...checkpoint.writes,
        release: checkpoint.writes.release.filter(({ key }) => !key.startsWith('pool:')),
      },
    })),
  },
]
