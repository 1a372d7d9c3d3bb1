/** The end of an attempt that asks a person: what they are shown is kept, and bound by its hash. */

import type { AttemptEnd } from '../../core/finish-attempt.ts'
import type { ApprovalShown } from '../../model/approval.ts'
import { approvalHash } from '../../model/approval.ts'
import type { JsonObject } from '../../model/json.ts'
import { canonicalJson } from '../../model/json.ts'
import { taskOutputBytesMax } from '../../model/limits.ts'
import type { TaskOutcome } from '../../tasks/task.ts'
import type { AttemptWork } from '../attempt-work.ts'
import type { PayloadStore } from '../payload-store.ts'

/** What the step asks, as its end. */
export async function asked(
  payloads: PayloadStore,
  { work }: { readonly work: AttemptWork },
  { shown, terms }: Extract<TaskOutcome, { readonly kind: 'asks' }>,
): Promise<AttemptEnd> {
  const { run, record } = work
  const { approvers, otherPerson, pushBack, onReject, onExpiry } = terms
  const hash = approvalHash(
    {
      runId: run.id,
      generation: record.generation,
      nodeId: record.nodeId,
      path: record.path,
      definitionHash: run.definitionHash,
      parameters: { approvers, otherPerson, pushBack, onReject, onExpiry },
    },
    shown,
  )
  const kept = await payloads.keep(canonicalJson(jsonOf(shown)), taskOutputBytesMax)
  return { kind: 'asks', request: { ...terms, for: 'node', hash, shown: kept, policy: null } }
}

/** The same, as JSON: its type has no index signature. */
const jsonOf = ({ title, message, details, form }: ApprovalShown): JsonObject => ({
  ...{ title, message, details, form },
})
