/**
 * What a runner tells others of its secrets, so that who publishes a workflow hears what is missing before a
 * step does: names and bindings. Rows are written with every heartbeat, so they are few, and read ahead.
 */

import type { TaskSpecs } from '../../model/definition-hash.ts'
import type { Clock } from '../../model/ports.ts'
import type { RunnerSecrets, ToldSecret } from '../../model/runner-secrets.ts'
import type { SecretEntry } from '../../model/secret.ts'
import type { Instant, Millis } from '../../model/time.ts'
import type { Vault } from './vault.ts'

export interface ToldSecrets {
  readonly told: () => RunnerSecrets
  /** Looks again, unless it has just been looked at; never throws. */
  readonly refresh: () => Promise<void>
}

export interface ToldSecretsParts {
  readonly vault: Pick<Vault, 'state' | 'list'>
  /** What steps can be: secrets that are only for something else are nobody's business. */
  readonly specsByKind: TaskSpecs
  readonly clock: Clock
  /** How old what is told may be. */
  readonly ageMsMax: Millis
}

/** A row names no more than these. */
const toldMax = 100
/** Nor more than these characters of names and bindings. */
const toldCharsMax = 8_000

const none: RunnerSecrets = { isLocked: false, known: [], more: false }
const locked: RunnerSecrets = { ...none, isLocked: true }

/** What the vault has, as far as others may know. */
export function createToldSecrets({ vault, specsByKind, clock, ageMsMax }: ToldSecretsParts): ToldSecrets {
  let told = none
  let readAt: Instant | null = null
  const look = async (): Promise<RunnerSecrets> => {
    const { status } = await vault.state()
    if (status === 'empty') return none
    if (status !== 'open') return locked
    return tellable((await vault.list()).filter(({ kinds }) => isForSteps(kinds, specsByKind)))
  }
  return {
    told: () => told,
    async refresh() {
      const now = clock.monotonic()
      if (readAt !== null && now - readAt < ageMsMax) return
      readAt = now
      // A vault that was damaged or taken away between the two looks has nothing for anybody.
      told = await look().catch(() => locked)
    },
  }
}

const isForSteps = (kinds: SecretEntry['kinds'], specsByKind: TaskSpecs): boolean =>
  kinds === null || kinds.some((kind) => specsByKind.has(kind))

function tellable(entries: readonly SecretEntry[]): RunnerSecrets {
  const known: ToldSecret[] = []
  let room = toldCharsMax
  for (const { name, hosts, kinds, nodes } of entries) {
    const secret = { name, hosts, kinds, nodes }
    room -= JSON.stringify(secret).length
    if (known.length === toldMax || room < 0) return { isLocked: false, known, more: true }
    known.push(secret)
  }
  return { isLocked: false, known, more: false }
}
