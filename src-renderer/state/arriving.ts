/**
 * A workflow from elsewhere whose id is known here: published as it is, it would take the place of the one that has it,
 * with its triggers. Whoever takes it in says which it is.
 */

import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { arrivalWords as words } from '../text/arrival-words.ts'
import { fill } from '../text/messages.ts'
import type { Twin } from './arriving-wish.ts'
import { newWorkflowId } from './blank-document.ts'
import type { Designer } from './designer.ts'
import { tellMissingSecrets } from './match-secrets.ts'
import { openInTab } from './tabs/tabs.ts'

/** Opens it as a new document; one whose id is taken asks before. */
export async function takeInDocument(designer: Designer, document: WorkflowDocument): Promise<void> {
  const twin = openTwin(designer, document) ?? (await knownTwin(designer, document))
  if (twin === null) return openArrived(designer, document)
  designer.view.getState().askArriving({ document, twin })
}

/** Opens it as a workflow of its own, or as the one that has its id. */
export function settleArriving(designer: Designer, choice: 'copy' | 'same'): void {
  const { arriving, askArriving } = designer.view.getState()
  if (arriving === null) return
  askArriving(null)
  const { document } = arriving
  openArrived(designer, choice === 'same' ? document : copyOf(designer, document))
}

function copyOf({ ambient }: Designer, document: WorkflowDocument): WorkflowDocument {
  const title = fill(words.copied, { title: document.title })
  return { ...document, id: newWorkflowId(ambient), title }
}

function openArrived(designer: Designer, document: WorkflowDocument): void {
  openInTab(designer, { document, path: null, etag: null }, { isSaved: false })
  tellMissingSecrets(designer)
}

function openTwin({ document, tabs }: Designer, { id }: WorkflowDocument): Twin | null {
  const front = document.getState()
  const parked = tabs.getState().tabs.flatMap((tab) => tab.parked?.draft ?? [])
  const found = [...(front.isOpen ? [front] : []), ...parked].find(
    ({ history }) => history.document.id === id,
  )
  return found === undefined ? null : { title: found.history.document.title, path: found.path }
}

/** One of the library, or one that was published; null also where the engine doesn't say: that keeps nobody from opening. */
async function knownTwin({ connection }: Designer, { id }: WorkflowDocument): Promise<Twin | null> {
  const [entries, published] = await Promise.all([
    connection.call('library.list', {}).catch(() => []),
    connection.call('workflows.versions', { workflowId: id, limit: 1 }).catch(() => null),
  ])
  const entry = entries.find((one) => one.id === id)
  if (entry !== undefined) return { title: entry.title, path: entry.path }
  const title = published?.versions[0]?.title
  return title === undefined ? null : { title, path: null }
}
