/** The documents that this window holds: the one in front, and those of other tabs that are awake. */

import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { DocumentState } from './document-store.ts'
import type { TabsState } from './tabs/tabs-store.ts'

export interface OpenDocument {
  readonly draftId: string
  readonly path: string | null
  readonly document: WorkflowDocument
}

/** In the order of their tabs, the one in front first. */
export function openDocuments(
  front: Pick<DocumentState, 'isOpen' | 'draftId' | 'path' | 'history'>,
  tabs: TabsState['tabs'],
): readonly OpenDocument[] {
  const { isOpen, draftId, path, history } = front
  const others = tabs.flatMap(({ id, parked }) => {
    if (parked === null || (isOpen && id === draftId)) return []
    return [{ draftId: id, path: parked.draft.path, document: parked.draft.history.document }]
  })
  return isOpen ? [{ draftId, path, document: history.document }, ...others] : others
}
