/** Change what steps give in test runs. Sets have names; each step has at most one mock in each. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { NodeMock, WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { DocumentDraft, Edit } from './edit.ts'
import { singleEdit } from './edit.ts'

type MockDraft = NonNullable<DocumentDraft['nodes'][NodeId]['mocks']>[string]

/** The names of all sets, also of those that only steps mention, in their order. */
export function mockSetsOf({
  mockSets = {},
  nodes,
}: Pick<WorkflowDocument, 'mockSets' | 'nodes'>): readonly string[] {
  const names = new Set(Object.keys(mockSets))
  for (const { mocks } of Object.values(nodes)) for (const name of Object.keys(mocks ?? {})) names.add(name)
  return [...names].sort()
}

const setName = /^[A-Za-z][A-Za-z0-9_-]{0,63}$/

/** Whether a set may be called that. */
export const isMockSetName = (name: string): boolean => setName.test(name)

export const addMockSet = (set: string): Edit =>
  singleEdit('Add a set of mocks', (draft) => {
    draft.mockSets ??= {}
    draft.mockSets[set] ??= {}
  })

/** The document whose steps have the mocks of that set and no others. */
export function withMocksOf(document: WorkflowDocument, set: string): WorkflowDocument {
  const nodes = Object.entries(document.nodes).map(([id, { mocks, ...node }]) => {
    const mock = mocks?.[set]
    return [id, mock === undefined ? node : { ...node, mocks: { [set]: mock } }]
  })
  return { ...document, nodes: Object.fromEntries(nodes) as WorkflowDocument['nodes'] }
}

/** With all mocks that steps have in it. */
export const removeMockSet = (set: string): Edit =>
  singleEdit('Remove a set of mocks', (draft) => {
    if (draft.mockSets !== undefined) delete draft.mockSets[set]
    if (Object.keys(draft.mockSets ?? {}).length === 0) delete draft.mockSets
    for (const id of Object.keys(draft.nodes) as NodeId[]) put(draft, { id, set, mock: null })
  })

export interface MockPlace {
  readonly id: NodeId
  readonly set: string
  /** The part of it that is written. */
  readonly field?: string
}

/** What a step gives in a set; null for its own work. `field` joins typing into one step. */
export const setMock = ({ id, set, field = '' }: MockPlace, mock: NodeMock | null): Edit => ({
  label: 'Change a mock',
  gesture: field === '' ? null : `mock:${id}:${set}:${field}`,
  recipe: (draft) => {
    draft.mockSets ??= {}
    draft.mockSets[set] ??= {}
    put(draft, { id, set, mock })
  },
})

/** What many steps give in a set, as one step to undo; steps that aren't named keep theirs. */
export const recordMocks = (set: string, mocks: ReadonlyMap<NodeId, NodeMock>): Edit =>
  singleEdit('Record mocks', (draft) => {
    draft.mockSets ??= {}
    draft.mockSets[set] ??= {}
    for (const [id, mock] of mocks) put(draft, { id, set, mock })
  })

function put(
  draft: DocumentDraft,
  { id, set, mock }: { readonly id: NodeId; readonly set: string; readonly mock: NodeMock | null },
): void {
  const node = draft.nodes[id]
  if (node === undefined) return
  if (mock !== null) {
    node.mocks ??= {}
    // Plain JSON, as the draft's own.
    node.mocks[set] = structuredClone(mock) as MockDraft
  } else if (node.mocks !== undefined) {
    delete node.mocks[set]
    if (Object.keys(node.mocks).length === 0) delete node.mocks
  }
}
