/** What the loss of a server costs a store that several servers keep, in the store's terms and in words. */

/** As it was found when the store was opened. */
export interface FailoverSafety {
  /** `safe`: a write counts when a replica has it. `fast`: the last ones before a failover may be lost. */
  readonly mode: 'safe' | 'fast'
  /** `no-replicas`: no server has one, so none could ever confirm a write. `asked`: whoever opened it says so. */
  readonly why: 'replicas' | 'asked' | 'no-replicas'
  /** Addresses of the masters without a replica. In safe mode nothing that is written there is confirmed. */
  readonly alone: readonly string[]
}

/** The same for people, in a sentence. */
export function safetyText({ mode, why, alone }: FailoverSafety): string {
  if (mode === 'safe') {
    return alone.length === 0
      ? 'Safe: a write counts once a replica has it.'
      : `Safe, but ${alone.join(', ')} has no replica now: no write there counts until one is back.`
  }
  const reason =
    why === 'no-replicas' ? 'no server has a replica' : 'the address asks for it with durability=fast'
  return `Fast, because ${reason}: the last writes before a server is lost may be lost too, and are named if they are.`
}
