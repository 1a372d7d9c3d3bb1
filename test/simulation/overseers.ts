/** People who decide what they are asked, and what becomes of results that are held back. */

import type { ApprovalAnswer } from '../../src-engine/model/approval.ts'
import type { InvocationId, RunId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { Said } from '../support/approval-invariants.ts'
import type { Overseen } from '../support/overseen.ts'
import type { Cluster } from './cluster.ts'
import type { Oversight, Visit } from './oversight.ts'
import { isFound } from './oversight.ts'
import type { Stage } from './stage.ts'

/** Whoever has no answer by then asks somebody else. */
const patienceMs = 4_000
const triesMax = 4

interface Deciding {
  readonly runId: RunId
  readonly invocationId: InvocationId
  readonly hash: string
  readonly answer: ApprovalAnswer
  readonly by: string
}

export class Overseers {
  /** What anybody said, and what they were told of it. */
  readonly said: Said[] = []
  /** When the policy was first told to count no longer; null while it counts. */
  liftedAt: number | null = null
  readonly #stage: Stage
  readonly #cluster: Cluster
  #isLifted = false

  constructor(stage: Stage, cluster: Cluster) {
    this.#stage = stage
    this.#cluster = cluster
  }

  /** They look at the inbox, and at what is held back; both are what one process shows them. */
  visit({ people }: Visit): void {
    const member = this.#cluster.some()
    if (member === null) return
    const { random, count } = this.#stage
    const query = { runId: null, approver: null, after: null, limit: 50 }
    const { approvals, outputs } = member.engine
    approvals.list(query).then(
      ({ entries }) => {
        const asked = entries.filter((entry) => entry.kind === 'approval')
        if (asked.length === 0) return
        const { runId, invocationId, hash, answers } = random.pick(asked)
        if (people.length > 1) count('decided together')
        for (const by of people)
          this.#decide({ runId, invocationId, hash, answer: random.pick(answers), by }, 1)
      },
      () => {},
    )
    const page = { workflowId: null, runId: null, after: null, limit: 50 }
    outputs.quarantine.list(page).then(
      async ({ entries }) => {
        if (entries.length === 0 || random.chance(0.5)) return
        const { invocationId } = random.pick(entries)
        const decision = { invocationId, by: people[0] ?? null, reason: null }
        const isReleased = random.chance(0.6)
        count(isReleased ? 'result release' : 'result discard')
        if (isReleased) await outputs.quarantine.release({ ...decision, goOn: false }).catch(() => {})
        else await outputs.quarantine.discard(decision).catch(() => {})
      },
      () => {},
    )
  }

  #decide(deciding: Deciding, tries: number): void {
    const { world, count } = this.#stage
    const member = this.#cluster.some()
    if (member === null || tries > triesMax) return
    count(`approval ${deciding.answer}`)
    const said: Said = { ...deciding, told: null }
    this.said.push(said)
    let answered = false
    const again = () => this.#decide(deciding, tries + 1)
    const plain = { values: null, comment: null }
    member.engine.approvals.decide({ ...deciding, ...plain }).then(
      ({ decided: { outcome, by } }) => {
        answered = true
        if (member.process.alive) said.told = { outcome, by }
      },
      ({ retryable }: { readonly retryable?: boolean }) => {
        answered = true
        if (retryable === true) world.at(world.now + 500, again)
      },
    )
    world.at(world.now + patienceMs, () => {
      if (!answered) again()
    })
  }

  /** The policy counts no longer; said until somebody has done it. */
  lift(): void {
    const { world } = this.#stage
    this.liftedAt ??= world.now
    if (this.#isLifted) return
    const member = this.#cluster.some()
    const again = () => world.at(world.now + 500, () => this.lift())
    if (member === null) {
      again()
      return
    }
    let answered = false
    member.engine.policy.set({ policy: null, by: 'ann', note: null }).then(
      () => {
        answered = true
        this.#isLifted = true
      },
      () => {
        answered = true
        again()
      },
    )
    // Who stands still may be dead only minutes later.
    const look = (): void => {
      if (!member.process.alive) this.lift()
      else if (!answered) world.at(world.now + patienceMs, look)
    }
    world.at(world.now + patienceMs, look)
  }

  /** Once the faults are over, whatever is still asked is answered. */
  async tend(open: readonly RunId[]): Promise<void> {
    for (const runId of open) {
      const records = await this.#stage.store.load(0, 'invocations', { runId })
      for (const record of records) this.#answer(record)
    }
  }

  #answer({ runId, id, wait, status }: InvocationRecord): void {
    if (status !== 'APPROVAL_REQUIRED' || wait?.kind !== 'approval') return
    const answer = this.#stage.random.chance(0.7) ? 'approve' : 'reject'
    this.#decide({ runId, invocationId: id, hash: wait.hash, answer, by: 'ann' }, 1)
  }

  /** All that the history is to be held against. */
  whatTheySaw({ policy, output }: Oversight): Overseen {
    const until = this.liftedAt ?? Number.POSITIVE_INFINITY
    return {
      said: this.said,
      governed: policy === null ? null : { policy, until },
      judged: output === null ? null : { ...output, isFound },
    }
  }

  /** Whether a result still has to be looked into. */
  async areScansOpen(): Promise<boolean> {
    const filter = { dueBefore: Number.MAX_SAFE_INTEGER }
    const outbox = await this.#stage.store.list(0, 'outbox', { filter, page: { after: null, limit: 1_000 } })
    return outbox.some(({ id }) => id.startsWith('scan:'))
  }
}
