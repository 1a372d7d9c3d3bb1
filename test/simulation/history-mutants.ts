/** Planted bugs in what is kept beside the events: definitions, attempts, and what runners say of themselves. */

import type { Store } from '../../src-engine/store/store.ts'
import type { PlantedBug } from './planted-bug.ts'

/** What a load gives, changed. */
const loading =
  (kind: string, change: (found: object) => object) =>
  (store: Store): Store => ({
    ...store,
    load: async (partition, asked, input) => {
      const found = await store.load(partition, asked, input)
      return (asked === kind && found !== null ? change(found) : found) as never
    },
  })

const withVariable = (version: object): object => {
  if (!('document' in version) || typeof version.document !== 'string') return version
  const document = { ...(JSON.parse(version.document) as object), variables: { planted: 1 } }
  return { ...version, document: JSON.stringify(document) }
}

export const historyBugs: readonly PlantedBug[] = [
  {
    name: 'a definition is another one than was published',
    noticedBy: ['I27'],
    says: 'another one',
    shared: loading('workflowVersion', withVariable),
  },
  {
    name: 'a runner executes what it doesn’t know',
    noticedBy: ['I27'],
    says: 'doesn’t know',
    shared: (store) => ({
      ...store,
      list: async (partition, kind, query) => {
        const listed = await store.list(partition, kind, query)
        if (kind !== 'runners') return listed
        return listed.map((runner) => ({ ...runner, capabilities: ['other'] })) as never
      },
    }),
  },
  {
    name: 'the last attempt is not kept',
    noticedBy: ['I28'],
    shared: loading('attempts', (attempts) => (attempts as readonly unknown[]).slice(0, -1)),
  },
]
