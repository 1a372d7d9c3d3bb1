/** The outbox with everything that its effects bring about. */

import type { Effect } from '../../model/effect.ts'
import type { Ids } from '../../model/ports.ts'
import { createApprovalNotices } from '../approvals/approval-notices.ts'
import { createOutputScans } from '../output-policy/output-scans.ts'
import type { Outputs } from '../output-policy/outputs.ts'
import type { PayloadStore } from '../payload-store.ts'
import { endAsked } from '../steering/end-asked.ts'
import { tellResult } from '../sub-workflows/child-results.ts'
import type { RunLinksParts } from '../sub-workflows/run-links.ts'
import { createRunLinks } from '../sub-workflows/run-links.ts'
import type { EventListener, Events } from './events.ts'
import { createEvents } from './events.ts'
import { forgetValues } from './forget-values.ts'
import type { Outbox } from './outbox.ts'
import { createOutbox } from './outbox.ts'

export interface OutboxParts extends RunLinksParts {
  readonly payloads: PayloadStore
  readonly ids: Ids
  readonly outputs: Outputs
  /** Whoever is to hear of events, beside waiting steps. */
  readonly eventListeners: readonly EventListener[]
}

/** The outbox of this process, and its events. */
export function createMessaging(parts: OutboxParts): { readonly outbox: Outbox; readonly events: Events } {
  const links = createRunLinks(parts)
  const scans = createOutputScans({ ...parts, ...parts.outputs })
  const notices = createApprovalNotices(parts)
  const events = createEvents({ ...parts, outbox: () => outbox, listeners: parts.eventListeners })
  const bringAbout = (effect: Effect): Promise<void> => {
    switch (effect.kind) {
      case 'run.start':
        return links.start(effect.child)
      case 'run.follow':
        return links.follow(effect.link, effect.at)
      case 'run.ended':
        return links.ended(effect.link)
      case 'run.undo':
        return links.undo(effect.link)
      case 'run.result':
        return tellResult({ ...parts, links }, effect.link, effect.of)
      case 'run.cancel':
        return endAsked(parts, effect.asked)
      case 'circuit.told':
        return parts.dependencies.executor.circuits?.note(effect.told) ?? Promise.resolve()
      case 'approval.told':
        return notices.tell(effect.told)
      case 'output.scan':
        return scans.scan(effect)
      case 'values.forgotten':
        return forgetValues(parts.dependencies, effect)
      default:
        return events.tell(effect.event)
    }
  }
  const inner: Outbox = createOutbox(parts.dependencies, bringAbout)
  const outbox: Outbox = {
    committed: (decision) => inner.committed(decision),
    deliver: (record) => inner.deliver(record),
    repair: (takenBefore) => inner.repair(takenBefore),
    stop: async () => {
      parts.outputs.book.stop()
      notices.stop()
      // A scan that is under way is met by somebody else.
      await scans.stop()
      await inner.stop()
    },
  }
  return { outbox, events }
}
