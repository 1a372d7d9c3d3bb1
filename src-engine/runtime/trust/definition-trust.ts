/**
 * What a runner that doesn't trust every definition would execute. Kept ahead of the claim, which asks for
 * work of these alone; and asked once more before a step begins, for others write to the store too.
 */

import type { TaskSpecs } from '../../model/definition-hash.ts'
import { definitionHashOf } from '../../model/definition-hash.ts'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { DefinitionHash } from '../../model/ids.ts'
import { pageSizeMax } from '../../model/limits.ts'
import type { Clock, Logger } from '../../model/ports.ts'
import type { Instant, Millis } from '../../model/time.ts'
import type { DefinitionSignature, RunnerTrust, TrustList, TrustPolicy } from '../../model/trust.ts'
import { readSignatures, signaturesPrefix, signedDefinition } from '../../model/trust.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import type { Store } from '../../store/store.ts'
import { isSignatureOf } from './signing.ts'

/** What the owner of a runner says. */
export interface TrustSource {
  readonly policy: Exclude<TrustPolicy, 'all'>
  /** Throws when it can't be read: then nothing is trusted. */
  readonly read: () => Promise<TrustList>
}

export interface DefinitionTrust {
  /** All that it would execute now. */
  readonly definitions: () => readonly DefinitionHash[]
  readonly accepts: (hash: DefinitionHash) => boolean
  /** Throws `definition_altered` when a document isn't what its hash says; it is never trusted again. */
  readonly verify: (hash: DefinitionHash, document: WorkflowDocument) => void
  /** Looks again at what is trusted, unless it has just been looked at. Throws what the store throws. */
  readonly refresh: () => Promise<void>
  /** What others may know of it. */
  readonly told: () => RunnerTrust
}

export interface DefinitionTrustParts {
  readonly source: TrustSource
  readonly store: Store
  readonly partition: number
  readonly specsByKind: TaskSpecs
  /** The engine's own workflows: they come with it. */
  readonly own: readonly WorkflowDocument[]
  readonly clock: Clock
  readonly log: Logger
  /** How old what is known may be. */
  readonly ageMsMax: Millis
}

/** Pages of signed definitions that are looked at. */
const pagesMax = 50
/** A row of a runner is written with every heartbeat: it names no more than these. */
const toldMax = 100

export function createDefinitionTrust(parts: DefinitionTrustParts): DefinitionTrust {
  return new ListedTrust(parts)
}

const nothingTrusted: TrustList = { approved: [], revoked: [], keys: [] }

class ListedTrust implements DefinitionTrust {
  readonly #parts: DefinitionTrustParts
  readonly #own: readonly DefinitionHash[]
  /** Hashes whose document in the store is another one. */
  readonly #altered = new Set<DefinitionHash>()
  /** Signatures that were verified: what they say never changes. */
  readonly #verified = new Map<string, boolean>()
  #definitions: readonly DefinitionHash[]
  #accepted: ReadonlySet<DefinitionHash>
  #readAt: Instant | null = null

  constructor(parts: DefinitionTrustParts) {
    this.#parts = parts
    this.#own = parts.own.map((document) => definitionHashOf(document, parts.specsByKind))
    this.#definitions = this.#own
    this.#accepted = new Set(this.#own)
  }

  definitions(): readonly DefinitionHash[] {
    return this.#definitions
  }

  accepts(hash: DefinitionHash): boolean {
    return this.#accepted.has(hash)
  }

  verify(hash: DefinitionHash, document: WorkflowDocument): void {
    if (definitionHashOf(document, this.#parts.specsByKind) === hash) return
    this.#altered.add(hash)
    this.#accept(this.#definitions)
    this.#parts.log.error('trust.altered', { hash })
    throw new SagasmithError('definition_altered', { details: { hash } })
  }

  async refresh(): Promise<void> {
    const { source, clock, ageMsMax } = this.#parts
    const now = clock.now()
    // A clock that went back makes what is known no younger.
    if (this.#readAt !== null && now >= this.#readAt && now - this.#readAt < ageMsMax) return
    const list = await this.#list()
    const vouched = source.policy === 'approved' ? list.approved : await this.#signed(list)
    const revoked = new Set(list.revoked)
    this.#accept([...this.#own, ...vouched.filter((hash) => !revoked.has(hash))])
    this.#readAt = now
  }

  told(): RunnerTrust {
    const { length } = this.#own
    const others = this.#definitions.slice(length)
    return {
      policy: this.#parts.source.policy,
      definitions: others.slice(0, toldMax),
      more: others.length > toldMax,
    }
  }

  #accept(hashes: readonly DefinitionHash[]): void {
    const kept = hashes.filter((hash) => !this.#altered.has(hash))
    // The same list as long as it says the same: who is asked for work of it remembers what it asked for.
    const before = this.#definitions
    if (kept.length === before.length && kept.every((hash, index) => hash === before[index])) return
    this.#definitions = kept
    this.#accepted = new Set(this.#definitions)
  }

  async #list(): Promise<TrustList> {
    try {
      return await this.#parts.source.read()
    } catch (thrown) {
      this.#parts.log.error('trust.unreadable', { error: recordOfThrown(thrown).message })
      return nothingTrusted
    }
  }

  async #signed({ keys }: TrustList): Promise<readonly DefinitionHash[]> {
    const { store, partition } = this.#parts
    const trusted = new Set(keys)
    const found: DefinitionHash[] = []
    if (trusted.size === 0) return found
    let after: string | null = null
    for (let count = 0; count < pagesMax; count += 1) {
      const page: readonly { readonly key: string; readonly value: Parameters<typeof readSignatures>[0] }[] =
        await store.list(partition, 'registers', {
          filter: { prefix: signaturesPrefix },
          page: { after, limit: pageSizeMax },
        })
      for (const { key, value } of page) {
        const hash = signedDefinition(key)
        const isSigned = (item: DefinitionSignature): boolean =>
          trusted.has(item.key) && hash !== null && this.#isValid(hash, item)
        if (hash !== null && readSignatures(value).some(isSigned)) found.push(hash)
      }
      after = page.at(-1)?.key ?? null
      if (page.length < pageSizeMax) break
    }
    return found
  }

  #isValid(hash: DefinitionHash, signature: DefinitionSignature): boolean {
    const name = `${hash} ${signature.key} ${signature.signature}`
    const known = this.#verified.get(name)
    if (known !== undefined) return known
    const valid = isSignatureOf(hash, signature)
    this.#verified.set(name, valid)
    return valid
  }
}
