/** The history of the open document: checkpoints, saves and published versions, and the way back to one. */

import type { DefinitionHash } from '../../src-engine/model/ids.ts'
import type { Instant } from '../../src-engine/model/time.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { takeDocument } from '../commands/take-code.ts'
import { historyWords as words } from '../text/history-words.ts'
import { fill } from '../text/messages.ts'
import { asDocument, asJson } from './blank-document.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { lineTo } from './site-lines.ts'

/** One moment that can be gone back to. */
export type HistoryEntry =
  | { readonly kind: 'named'; readonly id: string; readonly name: string; readonly at: Instant }
  | { readonly kind: 'saved'; readonly id: string; readonly at: Instant }
  | { readonly kind: 'published'; readonly id: DefinitionHash; readonly at: Instant }

/** Published versions that are listed. */
const versionsMax = 50

/** Everything that is known of the document's past, newest first. */
export async function listHistory(designer: Designer): Promise<readonly HistoryEntry[]> {
  const { id: workflowId } = designer.document.getState().history.document
  const line = lineTo(designer, null)
  const [checkpoints, { versions }] = await Promise.all([
    line.call('checkpoints.list', { workflowId }),
    line.call('workflows.versions', { workflowId, limit: versionsMax }),
  ])
  const kept = checkpoints.map(
    ({ id, name, at }): HistoryEntry =>
      name === null ? { kind: 'saved', id, at } : { kind: 'named', id, name, at },
  )
  const published = versions.map(({ hash, publishedAt }): HistoryEntry => {
    return { kind: 'published', id: hash, at: publishedAt }
  })
  return [...kept, ...published].toSorted((a, b) => b.at - a.at)
}

/** The document as it was then. */
export async function readEntry(designer: Designer, { kind, id }: HistoryEntry): Promise<WorkflowDocument> {
  const { id: workflowId } = designer.document.getState().history.document
  const line = lineTo(designer, null)
  const { document } =
    kind === 'published'
      ? await line.call('workflows.version', { hash: id })
      : await line.call('checkpoints.read', { workflowId, id })
  return asDocument(document)
}

/** Keeps the document as it is under a name; false when it could not be. */
export async function setCheckpoint(designer: Designer, name: string): Promise<boolean> {
  const { document } = designer.document.getState().history
  const kept = await attempt(designer, () => keep(designer, document, name))
  if (kept === null) return false
  designer.view.getState().announce(fill(words.kept, { name }))
  return true
}

/** Keeps what was just written to the file. */
export function keepSaved(designer: Designer, document: WorkflowDocument): void {
  // The file has it: without the engine there is only one moment less in the history.
  void keep(designer, document, null).catch(() => undefined)
}

const keep = (designer: Designer, document: WorkflowDocument, name: string | null) =>
  lineTo(designer, null).call('checkpoints.save', {
    workflowId: document.id,
    name,
    title: document.title,
    document: asJson(document),
  })

/** Makes the document what it was then, as one step; it stays the same workflow. */
export function restoreVersion(designer: Designer, version: WorkflowDocument, when: string): void {
  const { edit, endGesture, history } = designer.document.getState()
  endGesture()
  // It may be from when others had written to the file: what was trusted then still is.
  designer.trust.getState().doubt()
  edit(takeDocument(words.step, { ...version, id: history.document.id }))
  endGesture()
  designer.view.getState().toast({ tone: 'good', message: fill(words.restored, { when }), hint: null })
}
