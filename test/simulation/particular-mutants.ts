/** Planted bugs in what only some steps say of themselves: it is not heard, or heard of others. */

import type { SagaScope, WorkflowDocument, WorkflowNode } from '../../src-engine/model/workflow.ts'
import type { ListQueries, LoadQueries, Page, Store } from '../../src-engine/store/store.ts'
import type { PlantedBug } from './planted-bug.ts'
import { rewriting, withFields } from './rewriting.ts'

/** Whoever reads a workflow reads another one. */
const reading =
  (change: (document: WorkflowDocument) => WorkflowDocument) =>
  (store: Store): Store => ({
    ...store,
    load: async (partition, kind, input) => {
      const loaded = await store.load(partition, kind, input)
      if (kind !== 'workflowVersion' || loaded === null) return loaded
      const version = loaded as NonNullable<LoadQueries['workflowVersion']['output']>
      const document = JSON.parse(version.document) as WorkflowDocument
      return { ...version, document: JSON.stringify(change(document)) } as never
    },
  })

const eachNode =
  (change: (node: WorkflowNode) => WorkflowNode) =>
  (document: WorkflowDocument): WorkflowDocument => ({
    ...document,
    nodes: Object.fromEntries(Object.entries(document.nodes).map(([id, node]) => [id, change(node)])),
  })

const unconditional = (node: WorkflowNode): WorkflowNode => {
  const { retryIf: _retryIf, ...retry } = node.retry ?? {}
  return node.retry === undefined ? node : { ...node, retry }
}

const unending = ({ stopAfterIf: _stopAfterIf, stopAs: _stopAs, ...node }: WorkflowNode): WorkflowNode => node

const open = ({ redact: _redact, ...node }: WorkflowNode): WorkflowNode => node

const asking = (document: WorkflowDocument): WorkflowDocument => ({
  ...document,
  sagaScopes: Object.fromEntries(
    Object.entries(document.sagaScopes ?? {}).map(([id, { onFailure: _onFailure, ...scope }]) => [
      id,
      scope satisfies SagaScope,
    ]),
  ),
})

/** What a map takes over is said to be of the items beside those. */
const mixingUp = rewriting((checkpoint) =>
  withFields(checkpoint, ({ dispatch }) => {
    if (dispatch?.taken === undefined) return {}
    const taken = dispatch.taken.map((stretch) => ({ ...stretch, from: stretch.at + 1 }))
    return { dispatch: { ...dispatch, taken } }
  }),
)

/** Whoever looks for runs of one workflow finds those of all. */
const findingAll = (store: Store): Store => ({
  ...store,
  list: (partition, kind, input) => {
    if (kind !== 'runs') return store.list(partition, kind, input)
    const { filter, page } = input as unknown as {
      readonly filter: ListQueries['runs']['filter']
      readonly page: Page
    }
    return store.list(partition, kind, {
      filter: { ...filter, workflowId: null },
      page,
    })
  },
})

/** Bugs that only seeds can show whose steps say more of themselves. */
export const particularBugs: readonly PlantedBug[] = [
  {
    name: 'nobody asks whether a failure is to be tried again',
    noticedBy: ['I42'],
    store: reading(eachNode(unconditional)),
  },
  {
    name: 'a run goes on after the step that was to end it',
    noticedBy: ['I43'],
    store: reading(eachNode(unending)),
  },
  {
    name: 'what was to be taken out of a result is written',
    noticedBy: ['I44'],
    store: reading(eachNode(open)),
  },
  {
    name: 'a map takes over what another item gave',
    noticedBy: ['I45'],
    says: 'takes over',
    store: mixingUp,
  },
  {
    name: 'a step asks runs of workflows that it didn’t mean',
    noticedBy: ['I46'],
    says: 'is no run of',
    store: findingAll,
  },
  {
    name: 'a person is asked about what a group has said already',
    noticedBy: ['I23'],
    says: 'a person is asked',
    store: reading(asking),
  },
].map((bug) => ({ ...bug, takes: ({ particular }) => particular }))
