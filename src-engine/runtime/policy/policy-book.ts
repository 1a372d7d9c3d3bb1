/**
 * The policy as this process knows it: read before any work is taken, again when something was written elsewhere
 * (at most once a second), and at an interval. Others' changes are in effect here within little more than that
 * second.
 */

import type { Checkpoint } from '../../model/checkpoint.ts'
import { noWrites } from '../../model/checkpoint.ts'
import { SagasmithError } from '../../model/errors.ts'
import type { RunnerId } from '../../model/ids.ts'
import { opId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import type { PolicyDocument } from '../../model/policy/policy.ts'
import { policyJson } from '../../model/policy/policy.ts'
import type { PolicyIndex, PolicySnapshot } from '../../model/policy/policy-snapshots.ts'
import {
  noPolicyIndex,
  policyContentKey,
  policyRegisterKey,
  readPolicyIndex,
  withSnapshot,
  writePolicyIndex,
} from '../../model/policy/policy-snapshots.ts'
import { parsePolicy } from '../../model/policy/read-policy.ts'
import type { Clock, Ids, Logger } from '../../model/ports.ts'
import type { Millis } from '../../model/time.ts'
import type { Hint } from '../../store/hints.ts'
import { news, tells } from '../../store/hints.ts'
import type { Store } from '../../store/store.ts'
import { moveRegister } from '../move-register.ts'
import { isNewer, lookAtRegister, neverSeen } from '../register-look.ts'
import type { Reread } from '../reread.ts'
import { createReread } from '../reread.ts'

/** `unread` before the first look, `unreadable` where what is stored makes no sense: then nobody can be asked. */
export type KnownPolicy =
  | { readonly kind: 'unread' | 'unreadable' | 'none' }
  | { readonly kind: 'policy'; readonly hash: string; readonly policy: PolicyDocument }

export interface PolicyBook {
  readonly known: () => KnownPolicy
  /** Reads it now; when that fails, what was known goes on to count. */
  readonly refresh: () => Promise<void>
  /** Follows what others write. */
  readonly start: () => void
  readonly stop: () => void
  /** Which policies are kept, read now. */
  readonly index: () => Promise<PolicyIndex>
  /** A policy that is kept; null for none of that hash. */
  readonly kept: (hash: string) => Promise<PolicyDocument | null>
  /**
   * Makes a policy the one that counts, for everybody. Throws `policy_changed` when another one counts than was
   * expected, `lost_race` when others change it all the time.
   */
  readonly change: (change: PolicyChange) => Promise<PolicyIndex>
}

export interface PolicyChange {
  /** Null for none. */
  readonly to: { readonly policy: PolicyDocument; readonly snapshot: PolicySnapshot } | null
  readonly by: string
  readonly note: string | null
  /** The hash that must count until then, null for none; absent for whichever does. */
  readonly expected?: string | null | undefined
}

export interface PolicyBookDependencies {
  readonly store: Store
  readonly partition: number
  readonly owner: RunnerId
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  readonly pollIntervalMs: Millis
}

/** Nothing is read yet. */
export function createPolicyBook(dependencies: PolicyBookDependencies): PolicyBook {
  return new RegisteredPolicy(dependencies)
}

class RegisteredPolicy implements PolicyBook {
  readonly #dependencies: PolicyBookDependencies
  #known: KnownPolicy = { kind: 'unread' }
  #seen = neverSeen
  readonly #reread: Reread
  #stopPoll: () => void = () => {}
  #unwatch: () => void = () => {}

  constructor(dependencies: PolicyBookDependencies) {
    this.#dependencies = dependencies
    this.#reread = createReread(dependencies, { read: () => this.#read(), unread: 'policy.unread' })
  }

  known(): KnownPolicy {
    return this.#known
  }

  start(): void {
    const { store, partition } = this.#dependencies
    if (store.info.multiProcess) {
      const hint: Hint = (origin, found) => {
        if (origin === 'elsewhere' && tells(found, news.registers)) this.#reread.note()
      }
      this.#unwatch = store.watch(partition, hint, 'news')
    }
    this.#poll()
  }

  stop(): void {
    this.#stopPoll()
    this.#unwatch()
    this.#reread.stop()
  }

  #poll(): void {
    const { clock, pollIntervalMs } = this.#dependencies
    this.#reread.note()
    this.#stopPoll = clock.after(pollIntervalMs, () => this.#poll())
  }

  refresh(): Promise<void> {
    return this.#reread.now()
  }

  async index(): Promise<PolicyIndex> {
    const { store, partition } = this.#dependencies
    const register = await store.load(partition, 'register', { key: policyRegisterKey })
    return (register === null ? null : readPolicyIndex(register.value)) ?? noPolicyIndex
  }

  async kept(hash: string): Promise<PolicyDocument | null> {
    const { store, partition } = this.#dependencies
    const register = await store.load(partition, 'register', { key: policyContentKey(hash) })
    const read = register === null ? null : parsePolicy(register.value)
    return read?.ok === true ? read.value : null
  }

  async #read(): Promise<void> {
    const { log } = this.#dependencies
    const look = await lookAtRegister(this.#dependencies, policyRegisterKey)
    // Of two readings under way at a time the older one may answer last.
    if (!isNewer(look, this.#seen) && this.#known.kind !== 'unreadable') return
    const { epoch, version, register } = look
    const index = register === null ? noPolicyIndex : readPolicyIndex(register.value)
    const hash = index?.current ?? null
    const policy = hash === null ? null : await this.kept(hash)
    if (isNewer(this.#seen, look)) return
    this.#seen = { epoch, version }
    if (index !== null && hash === null) this.#known = { kind: 'none' }
    else if (hash === null || policy === null) {
      log.error('policy.unreadable', { version, hash })
      this.#known = { kind: 'unreadable' }
    } else this.#known = { kind: 'policy', hash, policy }
  }

  async change(change: PolicyChange): Promise<PolicyIndex> {
    const { to, by, expected } = change
    const key = policyRegisterKey
    const lost = 'The policy could not be set: others set it all the time.'
    const index = await moveRegister(this.#dependencies, { key, lost }, async (register) => {
      const before = (register === null ? null : readPolicyIndex(register.value)) ?? noPolicyIndex
      const { current } = before
      if (expected !== undefined && expected !== current)
        throw new SagasmithError('policy_changed', { details: { expected, current } })
      const after =
        to === null ? { index: { ...before, current: null }, dropped: [] } : withSnapshot(before, to.snapshot)
      const version = register?.version ?? 0
      return { answer: after.index, checkpoint: await this.#written({ ...change, ...after, version }) }
    })
    this.#dependencies.log.info('policy.changed', { hash: index.current, by })
    await this.refresh()
    return index
  }

  async #written(
    change: PolicyChange & {
      readonly version: number
      readonly index: PolicyIndex
      readonly dropped: readonly string[]
    },
  ): Promise<Checkpoint> {
    const { partition, owner, clock, ids } = this.#dependencies
    const { index, to, by, note, dropped, version } = change
    const writes: { readonly key: string; readonly value: JsonValue | null }[] = [
      { key: policyRegisterKey, value: writePolicyIndex(index) },
      ...dropped.map((hash) => ({ key: policyContentKey(hash), value: null })),
    ]
    const expected = [{ key: policyRegisterKey, version }]
    for (const { key } of writes.slice(1)) expected.push({ key, version: await this.#versionOf(key) })
    if (to !== null) {
      const key = policyContentKey(to.snapshot.hash)
      writes.push({ key, value: policyJson(to.policy) })
      expected.push({ key, version: await this.#versionOf(key) })
    }
    return {
      partition,
      opId: opId(`policy:${ids.next()}`),
      actor: { kind: 'operator', id: owner },
      at: clock.now(),
      expect: { invocations: [], registers: expected },
      writes: { ...noWrites, registers: writes },
      events: writes.map(({ key, value }) => ({
        runId: null,
        invocationId: null,
        cause: { kind: 'policy', by, detail: note },
        body: { type: 'register.changed', key, value },
      })),
    }
  }

  async #versionOf(key: string): Promise<number> {
    const { store, partition } = this.#dependencies
    return (await store.load(partition, 'register', { key }))?.version ?? 0
  }
}
