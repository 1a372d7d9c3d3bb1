/** A group of the feed with its values opened: its text is written anew, as a store would have written them. */

import type { EventDraft } from '../../model/event.ts'
import { packEvents, unpackHead } from '../../model/event-codec.ts'
import type { PackedGroup } from '../../model/packed-group.ts'
import { eventWith } from './sealed-records.ts'
import type { ValueChange } from './walk-values.ts'

/** The group itself where nothing of it is sealed. No hash covers the new text; nobody hands on hashes of groups. */
export function openedGroup(group: PackedGroup, opening: ValueChange): PackedGroup {
  const { epoch, runId, text } = group
  const sealed = group.drafts()
  const drafts = sealed.map((draft): EventDraft => eventWith(draft, opening))
  if (drafts.every((draft, index) => draft === sealed[index])) return group
  const opened = packEvents({ ...unpackHead(text, runId), epoch, runId }, drafts)
  return { ...group, text: opened, drafts: () => drafts }
}
