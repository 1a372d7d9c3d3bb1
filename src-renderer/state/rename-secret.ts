/** A secret gets another name, and with it all that names it in this window. */

import { closeGesture, perform } from '../commands/history.ts'
import { renameSecretIn } from '../commands/rename-secret.ts'
import type { Designer } from './designer.ts'
import { tellError } from './designer.ts'
import { isDirty } from './document-store.ts'
import { keepDraft } from './journal.ts'

/**
 * First in the vault, then in each open document as one step of its own. Files that aren't open and published
 * versions stay as they are. Throws what the vault refuses; nothing was changed then.
 */
export async function renameSecret(
  designer: Designer,
  names: { readonly from: string; readonly to: string },
): Promise<void> {
  await designer.connection.call('secrets.rename', names)
  // What is being written hands over first: it may name the secret too.
  for (const handOver of designer.settle) handOver()
  const edit = renameSecretIn(names)
  const { document, tabs } = designer
  if (document.getState().isOpen) {
    document.getState().edit(edit)
    document.getState().endGesture()
  }
  for (const { id, parked } of tabs.getState().tabs) {
    if (parked === null || id === tabs.getState().active) continue
    const history = closeGesture(perform(parked.draft.history, edit))
    if (history.document === parked.draft.history.document) continue
    const draft = { ...parked.draft, history }
    tabs.getState().change(id, { parked: { ...parked, draft }, isDirty: isDirty(draft) })
    // It stays in this window meanwhile, and is written with its next edit.
    keepDraft(designer, draft).catch((error: unknown) => tellError(designer, error))
  }
}
