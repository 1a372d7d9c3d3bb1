/** What a runner tells of the secrets that it could give to steps: names and bindings, never values. */

import type { SecretBinding, SecretHost, SecretUse } from './secret.ts'
import { bindingAgainst, isHostAllowed } from './secret.ts'

/** A secret as a runner's row has it. */
export interface ToldSecret extends SecretBinding {
  readonly name: string
}

/** The secrets of a runner that steps may use. */
export interface RunnerSecrets {
  /** Whether its vault can't be opened now: until it is, no step gets any of them. */
  readonly isLocked: boolean
  readonly known: readonly ToldSecret[]
  /** Whether it has more than these. */
  readonly more: boolean
}

/** Why a runner can't give a secret to a step. */
export type SecretShortfall = 'missing' | 'locked' | 'kinds' | 'nodes' | 'hosts'

/** A step that needs a secret. */
export interface SecretNeed extends Omit<SecretUse, 'taskKind'> {
  readonly name: string
  /** The kinds that may be the one which names it: the step's own, and its compensation's. */
  readonly taskKinds: readonly string[]
  /** Where it would go; null where only the run can tell. */
  readonly host: SecretHost | null
}

/** What keeps a runner from giving it; null when nothing does, undefined when the runner doesn't tell. */
export function secretShortfall(
  secrets: RunnerSecrets | undefined,
  { name, taskKinds, host, ...use }: SecretNeed,
): SecretShortfall | null | undefined {
  if (secrets === undefined) return undefined
  if (secrets.isLocked) return 'locked'
  const secret = secrets.known.find((known) => known.name === name)
  if (secret === undefined) return secrets.more ? undefined : 'missing'
  const against = taskKinds.map((taskKind) => bindingAgainst(secret, { ...use, taskKind }))
  const [first = null] = against
  if (first !== null && !against.includes(null)) return first
  return host === null || isHostAllowed(secret, host) ? null : 'hosts'
}
