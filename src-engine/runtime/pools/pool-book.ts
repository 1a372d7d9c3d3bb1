/**
 * The rules of pools as this process knows them: read when something was written elsewhere, at most once a
 * second, and at every poll. Others' changes are in effect here within little more than that second.
 */

import type { Checkpoint, Register } from '../../model/checkpoint.ts'
import { opId } from '../../model/ids.ts'
import type { PoolChange, PoolRule, PoolRules } from '../../model/pools.ts'
import {
  changePools,
  noPoolRules,
  poolRuleOf,
  poolsRegisterKey,
  readPoolRules,
  writePoolRules,
} from '../../model/pools.ts'
import type { Clock, Ids, Logger } from '../../model/ports.ts'
import type { Store } from '../../store/store.ts'
import { moveRegister } from '../move-register.ts'
import { registerCheckpoint } from '../register-checkpoint.ts'
import { isNewer, lookAtRegister, neverSeen } from '../register-look.ts'
import type { Reread } from '../reread.ts'
import { createReread } from '../reread.ts'

export interface PoolBook {
  /** As they were last read. */
  readonly rules: () => PoolRules
  /** Something was written elsewhere: it may have been the rules. */
  readonly noteChange: () => void
  /** Reads them now; when that fails, what was known goes on to count. */
  readonly refresh: () => Promise<void>
  /**
   * Changes a pool for everybody, or leaves it when its rule isn't the expected one by then. Throws `lost_race`
   * when others change them all the time.
   */
  readonly change: (change: PoolChange, isExpected?: (rule: PoolRule) => boolean) => Promise<void>
  /** Calls after each change that this process made or noticed. */
  readonly onChange: (call: (rules: PoolRules) => void) => void
  readonly stop: () => void
}

export interface PoolBookDependencies {
  readonly store: Store
  readonly partition: number
  /** Who writes: the runner's id. */
  readonly owner: string
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
}

export function createPoolBook(dependencies: PoolBookDependencies): PoolBook {
  return new RegisteredPools(dependencies)
}

/** The rules as they are stored; none where they can't be read. */
export async function loadPoolRules(store: Store, partition: number): Promise<PoolRules> {
  return rulesIn(await store.load(partition, 'register', { key: poolsRegisterKey }))
}

const rulesIn = (register: Register | null): PoolRules =>
  (register === null ? null : readPoolRules(register.value)) ?? noPoolRules

class RegisteredPools implements PoolBook {
  readonly #dependencies: PoolBookDependencies
  readonly #listeners: ((rules: PoolRules) => void)[] = []
  #rules: PoolRules = noPoolRules
  #seen = neverSeen
  readonly #reread: Reread

  constructor(dependencies: PoolBookDependencies) {
    this.#dependencies = dependencies
    this.#reread = createReread(dependencies, { read: () => this.#read(), unread: 'pools.unread' })
  }

  rules(): PoolRules {
    return this.#rules
  }

  onChange(call: (rules: PoolRules) => void): void {
    this.#listeners.push(call)
  }

  stop(): void {
    this.#reread.stop()
  }

  noteChange(): void {
    this.#reread.note()
  }

  refresh(): Promise<void> {
    return this.#reread.now()
  }

  async #read(): Promise<void> {
    const { log } = this.#dependencies
    const look = await lookAtRegister(this.#dependencies, poolsRegisterKey)
    // Of two readings under way at a time the older one may answer last.
    if (!isNewer(look, this.#seen)) return
    const { epoch, version, register } = look
    const rules = register === null ? noPoolRules : readPoolRules(register.value)
    this.#seen = { epoch, version }
    // Better no rules than no work: what can't be read is as if nobody had said anything.
    if (rules === null) log.error('pools.unreadable', { version })
    this.#adopt(rules ?? noPoolRules)
  }

  #adopt(rules: PoolRules): void {
    this.#rules = rules
    for (const call of this.#listeners) call(rules)
  }

  async change(change: PoolChange, isExpected?: (rule: PoolRule) => boolean): Promise<void> {
    const { clock, log } = this.#dependencies
    const lost = `The pool ${change.name} could not be changed: others change pools all the time.`
    const rules = await moveRegister(this.#dependencies, { key: poolsRegisterKey, lost }, (register) => {
      const before = rulesIn(register)
      if (isExpected?.(poolRuleOf(before, change.name)) === false) return { answer: null, checkpoint: null }
      const after = changePools(before, change, clock.now())
      return { answer: after, checkpoint: this.#written(after, register?.version ?? 0) }
    })
    if (rules !== null) {
      const { status, limit } = poolRuleOf(rules, change.name)
      log.info('pools.changed', { pool: change.name, status, limit })
    }
    await this.#read()
  }

  #written(rules: PoolRules, version: number): Checkpoint {
    const { partition, owner, clock, ids } = this.#dependencies
    return registerCheckpoint({
      ...{ partition, key: poolsRegisterKey, version, value: writePoolRules(rules), at: clock.now() },
      opId: opId(`pools:${ids.next()}`),
      actor: { kind: 'operator', id: owner },
      cause: { kind: 'pools', by: owner, detail: null },
    })
  }
}
