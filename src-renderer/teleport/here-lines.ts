/** What really happens when the rest of a run is done here, line by line. Pure. */

import type { NodeId } from '../../src-engine/model/ids.ts'
import type { HerePreview } from '../../src-engine/protocol/teleport.ts'
import { runStyle } from '../status/status-style.ts'
import { fill } from '../text/messages.ts'
import { teleportWords as words } from '../text/teleport-words.ts'

export function hereLines(preview: HerePreview, nameOf: (id: NodeId) => string): readonly string[] {
  const { cluster: name, there, cancels, again, acting, missingSecrets, undoneThere } = preview
  const namesOf = (ids: readonly NodeId[]): string => ids.map(nameOf).join(', ')
  const status = there === null ? words.goneThere : runStyle[there].label
  return [
    fill(cancels ? words.cancelsThere : words.leavesThere, { name, status }),
    ...(again.length === 0 ? [] : [fill(words.beginsAnew, { steps: namesOf(again) })]),
    acting.length === 0
      ? cancels
        ? words.actsAsDrawn
        : words.actsNot
      : fill(words.acts, { steps: namesOf(acting) }),
    ...(missingSecrets.length === 0 ? [] : [fill(words.lacksSecrets, { names: missingSecrets.join(', ') })]),
    ...(undoneThere.length === 0 ? [] : [fill(words.undoneThere, { name, steps: namesOf(undoneThere) })]),
  ]
}
