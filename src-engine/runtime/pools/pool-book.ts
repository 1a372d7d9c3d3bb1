/**
 * The rules of pools as this process knows them: read when something was written elsewhere, at most once a
 * second, and at every poll. Others' changes are in effect here within little more than that second.
 */

import { SagasmithError } from '../../model/errors.ts'
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
import { registerCheckpoint } from '../register-checkpoint.ts'
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

/** Others may change the rules in between; more often in a row than this they don't. */
const changesMax = 20

export function createPoolBook(dependencies: PoolBookDependencies): PoolBook {
  return new RegisteredPools(dependencies)
}

/** The rules as they are stored; none where they can't be read. */
export async function loadPoolRules(store: Store, partition: number): Promise<PoolRules> {
  const register = await store.load(partition, 'register', { key: poolsRegisterKey })
  return (register === null ? null : readPoolRules(register.value)) ?? noPoolRules
}

class RegisteredPools implements PoolBook {
  readonly #dependencies: PoolBookDependencies
  readonly #listeners: ((rules: PoolRules) => void)[] = []
  #rules: PoolRules = noPoolRules
  #version = 0
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
    const { store, partition, log } = this.#dependencies
    const register = await store.load(partition, 'register', { key: poolsRegisterKey })
    const version = register?.version ?? 0
    // An answer that was under way while this process changed them is older than what it knows.
    if (version <= this.#version) return
    const rules = register === null ? noPoolRules : readPoolRules(register.value)
    this.#version = version
    // Better no rules than no work: what can't be read is as if nobody had said anything.
    if (rules === null) log.error('pools.unreadable', { version })
    this.#adopt(rules ?? noPoolRules)
  }

  #adopt(rules: PoolRules): void {
    this.#rules = rules
    for (const call of this.#listeners) call(rules)
  }

  async change(change: PoolChange, isExpected?: (rule: PoolRule) => boolean): Promise<void> {
    for (let tries = 0; tries < changesMax; tries += 1) {
      await this.#read()
      if (isExpected?.(poolRuleOf(this.#rules, change.name)) === false) return
      const { clock, log } = this.#dependencies
      const before = this.#version
      const rules = changePools(this.#rules, change, clock.now())
      if (!(await this.#write(rules, before))) continue
      const { status, limit } = poolRuleOf(rules, change.name)
      log.info('pools.changed', { pool: change.name, status, limit })
      // Its answer may come after this very change, or a later one, was read.
      if (this.#version <= before) {
        this.#version = before + 1
        this.#adopt(rules)
      }
      return
    }
    throw new SagasmithError('lost_race', {
      message: `The pool ${change.name} could not be changed: others change pools all the time.`,
    })
  }

  async #write(rules: PoolRules, version: number): Promise<boolean> {
    const { store, partition, owner, clock, ids } = this.#dependencies
    const checkpoint = registerCheckpoint({
      ...{ partition, key: poolsRegisterKey, version, value: writePoolRules(rules), at: clock.now() },
      opId: opId(`pools:${ids.next()}`),
      actor: { kind: 'operator', id: owner },
      cause: { kind: 'pools', by: owner, detail: null },
    })
    const [answer] = await store.commit(partition, [checkpoint])
    return answer?.kind === 'accepted'
  }
}
