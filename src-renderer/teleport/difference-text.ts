/** What a replay came to, and what was recorded, as people read it. Pure. */

import { invocationStatuses } from '../../src-engine/model/invocation-status.ts'
import type { ReplayedStep } from '../../src-engine/protocol/teleport.ts'
import { invocationStyle } from '../status/status-style.ts'
import { teleportWords as words } from '../text/teleport-words.ts'

type What = ReplayedStep['differences'][number]['what']

/** A text without its quotes, a state as cards say it, anything else as JSON. */
export function differenceText(what: What, json: string | null): string {
  if (json === null) return words.nothing
  const text = /^"[^"\\]*"$/.test(json) ? json.slice(1, -1) : json
  const status = what === 'status' ? invocationStatuses.find((known) => known === text) : undefined
  return status === undefined ? text : invocationStyle[status].label
}
