/** What a look at a call's signature or password comes to. */

/** Why a call isn't believed; the caller learns no more than that it isn't. */
export type DisbeliefReason =
  | 'missing'
  | 'malformed'
  | 'wrong'
  /** Signed longer ago, or further ahead, than clocks may differ. */
  | 'out_of_time'
  /** The secret that it is checked with isn't there or isn't one. */
  | 'no_secret'

export type Proof =
  | {
      readonly kind: 'believed'
      /** The sender's own name of the message, the same in each of its tries; null when it gives none. */
      readonly messageId: string | null
      /**
       * The signature of this very try, where the sender signs the time with it: seen twice, somebody
       * plays the call again. Null where tries can't be told apart.
       */
      readonly tryId: string | null
    }
  | { readonly kind: 'disbelieved'; readonly reason: DisbeliefReason }

export const disbelieved = (reason: DisbeliefReason): Proof => ({ kind: 'disbelieved', reason })
