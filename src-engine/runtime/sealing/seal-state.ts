/**
 * What a process may do with a workspace's values: write them as they are, seal and open them, or only look.
 * The workspace's mark and the machine's keys say which, looked at again and again.
 */

import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { Clock, Ids, Logger } from '../../model/ports.ts'
import { sealedPrefix, sealedWords } from '../../model/seal.ts'
import type { Millis } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import type { Store } from '../../store/store.ts'
import type { RegisterAge } from '../register-look.ts'
import type { KeyRing } from './key-ring.ts'
import { newKeyRing } from './key-ring.ts'
import type { SealKeys } from './seal-keys.ts'
import { loadSealMark, sealEverywhere, writeSealMark } from './seal-mark.ts'
import type { ValueCipher } from './value-cipher.ts'
import { createValueCipher } from './value-cipher.ts'
import type { Opening, ValueSeal } from './value-seal.ts'
import { createValueSeal, noKeyOpening } from './value-seal.ts'

export type SealState =
  /** Nobody seals there. */
  | { readonly kind: 'plain' }
  | { readonly kind: 'sealing'; readonly cipher: ValueCipher; readonly values: ValueSeal }
  /** The key of the workspace isn't here: what can be read is read, nothing is written. */
  | {
      readonly kind: 'reading'
      readonly problem: SagasmithError
      readonly opening: Opening
      readonly cipher: ValueCipher | null
    }

export interface SealDesk {
  readonly state: () => SealState
  /** Looks at the mark and the keys now. */
  readonly refresh: () => Promise<void>
  readonly stop: () => void
}

export interface SealDeskInput {
  /** The store below, which seals nothing. */
  readonly store: Store
  readonly keys: SealKeys
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Pick<Logger, 'info' | 'warn'>
  /** Whether it is to seal from now on, if it doesn't yet. */
  readonly wanted: boolean
}

/** How soon a process notices that its workspace seals, or seals with another key. */
const sealLookMs: Millis = second

/** A desk that has not looked yet: it takes the workspace for one that seals nothing. */
export function createSealDesk(input: SealDeskInput): SealDesk {
  return new WatchingDesk(input)
}

class WatchingDesk implements SealDesk {
  readonly #input: SealDeskInput
  #state: SealState = { kind: 'plain' }
  #cancel: () => void = () => undefined
  #isStopped = false

  constructor(input: SealDeskInput) {
    this.#input = input
  }

  state(): SealState {
    return this.#state
  }

  async refresh(): Promise<void> {
    this.#cancel()
    try {
      this.#state = await this.#look()
    } finally {
      if (!this.#isStopped) this.#cancel = this.#input.clock.after(sealLookMs, () => void this.#lookAgain())
    }
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
  }

  /** A store that doesn't answer says nothing about keys. */
  async #lookAgain(): Promise<void> {
    const before = this.#state.kind
    await this.refresh().catch(() => undefined)
    const state = this.#state
    if (state.kind === before) return
    const { log } = this.#input
    if (state.kind === 'reading') log.warn('seal.only-reading', { why: state.problem.message })
    else log.info('seal.changed', { state: state.kind })
  }

  async #look(): Promise<SealState> {
    const { store } = this.#input
    const { mark, seen } = await loadSealMark(store)
    const state = this.#state
    if (mark === null) return state.kind === 'sealing' ? state : this.#unmarked(seen)
    if (state.kind === 'sealing' && state.cipher.keyId === mark.key) {
      // Whoever began it was stopped halfway, or couldn't reach all of it.
      if (!mark.everywhere) await sealEverywhere(store, this.#input).catch(() => undefined)
      return state
    }
    const ring = await this.#ring()
    if (ring instanceof SagasmithError) return onlyReading(ring)
    if (ring?.keys.some(({ id }) => id === mark.key) === true) return this.#sealingWith(ring, mark.key)
    const cipher = ring === null ? null : createValueCipher(ring, ring.current)
    const opening = cipher === null ? noKeyOpening : createValueSeal(cipher).opening
    return { kind: 'reading', problem: keyMissing(mark.key), opening, cipher }
  }

  /** Whoever has keys seals, whatever became of the mark. */
  async #unmarked(seen: RegisterAge): Promise<SealState> {
    const ring = await this.#ring()
    const { wanted } = this.#input
    if (ring instanceof SagasmithError) {
      // A vault that nobody can read says nothing about a workspace that never sealed.
      return wanted || !unreadableVault.has(ring.code) ? onlyReading(ring) : { kind: 'plain' }
    }
    if (ring !== null) return this.#markedAgain(ring, seen)
    if (!wanted) return { kind: 'plain' }
    try {
      const key = await beginSealing(this.#input)
      const made = await this.#ring()
      if (made instanceof SagasmithError || made === null) return onlyReading(made ?? keyMissing(key))
      return this.#sealingWith(made, key)
    } catch (thrown) {
      if (thrown instanceof SagasmithError) return onlyReading(thrown)
      throw thrown
    }
  }

  /** A store that takes no writes, such as one of pulled runs, is read with the keys all the same. */
  async #markedAgain(ring: KeyRing, seen: RegisterAge): Promise<SealState> {
    const { store, clock, ids, log } = this.#input
    const mark = { key: ring.current, seen, at: clock.now(), ids }
    await writeSealMark(store, mark).catch((thrown: unknown) =>
      log.warn('seal.unmarked', { why: recordOfThrown(thrown).message }),
    )
    return this.#sealingWith(ring, ring.current)
  }

  /** Null when there are no keys; an error when nobody can say. */
  async #ring(): Promise<KeyRing | SagasmithError | null> {
    const { store, keys } = this.#input
    try {
      return await keys.read(store.info.id)
    } catch (thrown) {
      if (thrown instanceof SagasmithError) return thrown
      return new SagasmithError('seal_key_missing', {
        message: recordOfThrown(thrown).message,
        cause: thrown,
      })
    }
  }

  #sealingWith(ring: KeyRing, keyId: string): SealState {
    const cipher = createValueCipher(ring, keyId)
    return { kind: 'sealing', cipher, values: createValueSeal(cipher) }
  }
}

const unreadableVault: ReadonlySet<string> = new Set(['vault_damaged', 'vault_too_new'])

const onlyReading = (problem: SagasmithError): SealState => ({
  kind: 'reading',
  problem,
  opening: noKeyOpening,
  cipher: null,
})

/** What is said to who wants to write where another key seals. */
export function keyMissing(key: string): SagasmithError {
  const { hint } = sealedWords(`${sealedPrefix}${key}:`)
  return new SagasmithError('seal_key_missing', {
    message: `This workspace seals its values with the key ${key}, which this machine doesn’t have: it only reads here.`,
    hint,
    details: { key },
  })
}

/** How often two that begin at once may meet. */
const racesMax = 3

/**
 * Has a workspace seal that doesn't yet; one that does stays as it is. Gives the id of the key. Throws
 * `seal_key_missing` when it seals with a key that isn't here, and what the vault throws.
 */
export async function beginSealing(
  input: Pick<SealDeskInput, 'store' | 'keys' | 'ids'> & { readonly clock: Pick<Clock, 'now'> },
): Promise<string> {
  const { store, keys, clock, ids } = input
  for (let races = 0; races < racesMax; races += 1) {
    const { mark, seen } = await loadSealMark(store)
    const known = await keys.read(store.info.id)
    if (mark !== null) {
      if (known?.keys.some(({ id }) => id === mark.key) === true) return mark.key
      throw keyMissing(mark.key)
    }
    const ring = known ?? newKeyRing(store.info.id, clock.now())
    // The keys are safe before anything can be sealed with them.
    if (known === null) await keys.write(ring)
    if (await writeSealMark(store, { key: ring.current, seen, at: clock.now(), ids })) {
      // A partition that is away is told when it is back, by whoever seals there.
      await sealEverywhere(store, { clock, ids }).catch(() => undefined)
      return ring.current
    }
    // Somebody else was first, with other keys.
    if (known === null) await keys.remove(store.info.id)
  }
  throw new SagasmithError('lost_race', { message: 'Others change what the workspace seals with.' })
}
