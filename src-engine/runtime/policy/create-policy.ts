/** The composition of the safety policy: what is read, who asks, and what people do with it. */

import type { RunnerId } from '../../model/ids.ts'
import type { Clock, Ids, Logger, Random } from '../../model/ports.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { Store } from '../../store/store.ts'
import type { Definitions } from '../definitions.ts'
import type { ExecutorDependencies } from '../executor-dependencies.ts'
import { createPolicyApprovals } from './policy-approvals.ts'
import type { PolicyBook } from './policy-book.ts'
import { createPolicyBook } from './policy-book.ts'
import type { PolicyDesk } from './policy-desk.ts'
import { createPolicyDesk } from './policy-desk.ts'
import type { PolicyKernel } from './policy-kernel.ts'
import { createPolicyKernel } from './policy-kernel.ts'
import { createPolicySubjects } from './policy-subjects.ts'
import type { RemoteKernel } from './remote-kernel.ts'
import { createSharedBreaker } from './shared-breaker.ts'

export interface PolicyParts {
  readonly book: PolicyBook
  readonly kernel: PolicyKernel
  readonly desk: PolicyDesk
}

export interface PolicyOptions {
  readonly store: Store
  readonly partition: number
  readonly owner: RunnerId
  readonly clock: Clock
  readonly ids: Ids
  readonly log: Logger
  readonly random: Random
  readonly settings: EngineSettings
  readonly executor: Pick<ExecutorDependencies, 'host' | 'payloads'>
  readonly definitions: Definitions
  /** Gives a short name to a text. */
  readonly nameOf: (text: string) => string
  /** Nobody is asked beside the rules when absent. */
  readonly safetyKernel?: RemoteKernel
}

/** Nothing is read yet. */
export function createPolicy(options: PolicyOptions): PolicyParts {
  const { safetyKernel, settings, executor } = options
  const { host, payloads } = executor
  const book = createPolicyBook({ ...options, pollIntervalMs: settings.pollIntervalMs })
  const remote =
    safetyKernel === undefined
      ? null
      : { kernel: safetyKernel, breaker: createSharedBreaker({ ...options, name: 'input' }) }
  const approvals = createPolicyApprovals({ host, payloads, clock: options.clock })
  const { specsByKind } = host
  const { store, partition, clock, definitions } = options
  const subjects = createPolicySubjects(specsByKind)
  const past = { store, partition, definitions, subjects }
  const breaker = remote?.breaker ?? null
  return {
    book,
    kernel: createPolicyKernel({ ...options, book, subjects, approvals, remote }),
    desk: createPolicyDesk({ book, breaker, past, clock, settings, ofStep: { specsByKind, subjects } }),
  }
}
