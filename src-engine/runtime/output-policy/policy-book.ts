/** The output policy as this process knows it: read at its start and every other second, ready to judge with. */

import type { CompiledPolicy } from '../../core/output/compiled-policy.ts'
import { compilePolicy } from '../../core/output/compiled-policy.ts'
import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { JsonObject } from '../../model/json.ts'
import type { OutputPolicy } from '../../model/output/output-policy.ts'
import type { Clock, Logger } from '../../model/ports.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { Millis } from '../../model/time.ts'
import { second } from '../../model/time.ts'
import type { OutputPolicyView } from '../../protocol/output-policy.ts'
import type { KeptPolicy, PolicyWriter } from './policy-register.ts'
import { loadPolicy, readingOf, savePolicy } from './policy-register.ts'

/** A policy ready to judge, and the document that another thread makes the same of. */
export interface ActivePolicy {
  readonly compiled: CompiledPolicy
  readonly policy: OutputPolicy
}

export interface PolicyBook {
  /** Null while nobody judges results: it is switched off, or has no rule. */
  readonly active: () => ActivePolicy | null
  /** Ends when it was read, however often that takes; or stopped. */
  readonly start: () => Promise<void>
  readonly stop: () => void
  readonly view: () => Promise<OutputPolicyView>
  /** Throws `output_policy_invalid`, `output_policy_changed`. */
  readonly change: (change: {
    readonly document: JsonObject | null
    readonly ifHash: string | null
    readonly by: string
  }) => Promise<OutputPolicyView>
  /** A document ready to judge with, in effect or not; null for the one in effect. Throws `output_policy_invalid`. */
  readonly ready: (document: JsonObject | null) => Promise<ActivePolicy | null>
}

export interface PolicyBookParts extends PolicyWriter {
  readonly clock: Clock
  readonly log: Logger
  readonly settings: Pick<EngineSettings, 'outputPolicyEnabled' | 'outputPolicyFailMode'>
}

/** Others' changes are in effect here within little more than this. */
const lookMs: Millis = 2 * second

/** A book that knows nothing before its start. */
export function createPolicyBook(parts: PolicyBookParts): PolicyBook {
  return new WatchedPolicy(parts)
}

class WatchedPolicy implements PolicyBook {
  readonly #parts: PolicyBookParts
  #active: ActivePolicy | null = null
  #seen: string | null = null
  #cancel: () => void = () => undefined
  #endWhile: () => void = () => undefined
  #isStopped = false

  constructor(parts: PolicyBookParts) {
    this.#parts = parts
  }

  active(): ActivePolicy | null {
    return this.#active
  }

  async start(): Promise<void> {
    if (!this.#parts.settings.outputPolicyEnabled) return
    // Nothing may be handed on by a process that doesn't know yet what has to be held back.
    while (!(await this.#look()) && !this.#isStopped) await this.#aWhile()
    this.#plan()
  }

  stop(): void {
    this.#isStopped = true
    this.#cancel()
    this.#endWhile()
  }

  #aWhile(): Promise<void> {
    return new Promise((resolve) => {
      this.#endWhile = resolve
      this.#cancel = this.#parts.clock.after(lookMs, resolve)
    })
  }

  #plan(): void {
    if (this.#isStopped) return
    this.#cancel = this.#parts.clock.after(lookMs, () => void this.#look().then(() => this.#plan()))
  }

  /** Whether it was read; what was known goes on to count where it wasn't. */
  async #look(): Promise<boolean> {
    const { store, partition, log } = this.#parts
    try {
      this.#adopt(await loadPolicy(store, partition))
      return true
    } catch (thrown) {
      log.warn('output-policy.unread', { error: recordOfThrown(thrown).message })
      return false
    }
  }

  #adopt(kept: KeptPolicy): void {
    // After a failover another policy may have the same version.
    const seen = `${kept.version} ${kept.hash}`
    if (seen === this.#seen) return
    const { log, settings } = this.#parts
    this.#seen = seen
    for (const { path, message, level } of kept.problems) {
      log.warn(level === 'error' ? 'output-policy.invalid' : 'output-policy.unknown-scanner', {
        path,
        message,
      })
    }
    if (!settings.outputPolicyEnabled) return
    this.#active = activeOf(kept)
    log.info('output-policy.in-effect', { hash: kept.hash, rules: this.#active?.compiled.rules.length ?? 0 })
  }

  async view(): Promise<OutputPolicyView> {
    const { store, partition, settings } = this.#parts
    const { document, hash, isDefault, changed, problems, policy } = await loadPolicy(store, partition)
    const setting = settings.outputPolicyEnabled
    const enabled = setting && policy !== null && policy.enabled
    return {
      enabled,
      setting,
      failMode: settings.outputPolicyFailMode,
      document,
      hash,
      isDefault,
      changed,
      problems,
    }
  }

  async change({ document, ifHash, by }: Parameters<PolicyBook['change']>[0]): Promise<OutputPolicyView> {
    const { store, partition } = this.#parts
    if (document !== null) refuseInvalid(document)
    const { version, hash } = await loadPolicy(store, partition)
    if (ifHash !== null && ifHash !== hash)
      throw new SagasmithError('output_policy_changed', { details: { hash } })
    await savePolicy(this.#parts, { document, version, by })
    await this.#look()
    return this.view()
  }

  async ready(document: JsonObject | null): Promise<ActivePolicy | null> {
    const { store, partition } = this.#parts
    if (document !== null) refuseInvalid(document)
    return activeOf(document === null ? await loadPolicy(store, partition) : readingOf(document))
  }
}

function activeOf({ policy, hash }: Pick<KeptPolicy, 'policy' | 'hash'>): ActivePolicy | null {
  const compiled = policy === null ? null : compilePolicy(policy, hash)
  return policy === null || compiled === null ? null : { policy, compiled }
}

function refuseInvalid(document: JsonObject): void {
  const errors = readingOf(document).problems.filter(({ level }) => level === 'error')
  const [first] = errors
  if (first === undefined) return
  const where = first.path === '' ? '' : ` at ${first.path}`
  throw new SagasmithError('output_policy_invalid', {
    message: `The output policy has ${errors.length} mistakes, the first${where}: ${first.message}.`,
    details: { problems: errors.map(({ path, message }) => ({ path, message })) },
  })
}
