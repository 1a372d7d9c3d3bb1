/** What is said about a permit that is missing: a reason code, and the limit and the holders in words. */

import type { PermitPlan, WaitReason } from '../../model/invocation.ts'

/** A permit that was refused, and who has it. */
export interface MissingKey {
  readonly key: string
  readonly holders: readonly string[]
}

/** Names of this many holders are said; all of them are told by “why is it waiting?”. */
const namedMax = 5

/** The reason to wait of who asked for that plan. */
export function waitReasonOf(plan: PermitPlan | null, missing: MissingKey): WaitReason {
  const { key, holders } = missing
  return missingReason(missing, plan?.permits.find((permit) => permit.key === key)?.limit ?? holders.length)
}

/** The same for a limit that is known. */
export function missingReason({ key, holders }: MissingKey, limit: number): WaitReason {
  const named = holders.slice(0, namedMax).join(', ')
  const more = holders.length > namedMax ? ` and ${holders.length - namedMax} more` : ''
  const taken = holders.length === 0 ? 'others are in line for them' : `taken by ${named}${more}`
  return {
    code: codeOf(key),
    message: `${holders.length} of ${limit} permits of “${key}” are ${taken}.`,
  }
}

/** By the beginning of a key. */
const codes: readonly (readonly [prefix: string, code: string])[] = [
  ['rate:', 'rate_limit'],
  ['starts:', 'rate_limit'],
  ['rate-runs:', 'rate_limit'],
  ['pool:', 'pool_limit'],
  ['tenant:', 'tenant_limit'],
  ['tenant-runs:', 'tenant_limit'],
  ['workflow:', 'workflow_limit'],
  ['policy:', 'policy_limit'],
]

/** The reason code of a permit that is missing. */
function codeOf(key: string): string {
  return codes.find(([prefix]) => key.startsWith(prefix))?.[1] ?? 'concurrency_limit'
}
