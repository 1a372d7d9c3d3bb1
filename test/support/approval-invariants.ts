/** I37: a question is decided once, in time, by somebody who said so; whoever was told of a decision was told right. */

import type { ApprovalAnswer, ApprovalDecision, ApprovalWait } from '../../src-engine/model/approval.ts'
import { outcomeOfAnswer } from '../../src-engine/model/approval.ts'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { RunHistory } from './history.ts'

/** What somebody said of a question, and what they were told; `told` is null while nobody answered. */
export interface Said {
  readonly invocationId: string
  readonly hash: string
  readonly answer: ApprovalAnswer
  readonly by: string
  told: { readonly outcome: string; readonly by: string | null } | null
}

/** A decision as the history tells it. */
interface Taken {
  readonly invocationId: string
  readonly decision: ApprovalDecision
}

/** Of all runs. */
export function checkApprovals(runs: readonly RunHistory[], said: readonly Said[]): readonly string[] {
  const found: string[] = []
  const taken = new Map<string, Taken>()
  for (const { events } of runs) {
    const asked = new Map<string, ApprovalWait>()
    for (const event of events) found.push(...follow(event, asked, taken))
  }
  const sayings = new Map<string, Said[]>()
  for (const one of said) {
    const key = questionOf(one.invocationId, one.hash)
    const same = sayings.get(key) ?? []
    sayings.set(key, same)
    same.push(one)
  }
  for (const { invocationId, decision } of taken.values()) {
    const { hash, outcome, by } = decision
    const ofIt = sayings.get(questionOf(invocationId, hash)) ?? []
    if (by !== null && !ofIt.some((one) => one.by === by && outcomeOfAnswer[one.answer] === outcome))
      found.push(`I37 ${invocationId} is ${outcome} by ${by}, who never said so`)
  }
  for (const { invocationId, hash, told, by } of said) {
    if (told === null) continue
    const decision = taken.get(questionOf(invocationId, hash))?.decision
    if (decision?.outcome !== told.outcome || decision.by !== told.by)
      found.push(`I37 ${by} was told that ${invocationId} is ${told.outcome} by ${told.by}, but it isn’t`)
  }
  return found
}

/** The same may be asked again of what is tried again by somebody's word. */
const questionOf = (invocationId: string, hash: string): string => `${invocationId} ${hash}`

function follow(
  { body, invocationId: id, at }: EngineEvent,
  asked: Map<string, ApprovalWait>,
  taken: Map<string, Taken>,
): readonly string[] {
  if (id === null || body.type !== 'invocation.changed') return []
  const found: string[] = []
  const { wait, dispatch } = body.set
  if (wait !== undefined) {
    if (wait?.kind === 'approval') asked.set(id, wait)
    else if (wait !== null) asked.delete(id)
  }
  const question = asked.get(id)
  const decision = dispatch?.approval
  const isNew =
    decision !== undefined && decision.hash === question?.hash && body.from === 'APPROVAL_REQUIRED'
  if (decision !== undefined && isNew && body.to !== 'APPROVAL_REQUIRED') {
    const key = questionOf(id, decision.hash)
    if (taken.has(key)) found.push(`I37 ${id} was decided twice`)
    taken.set(key, { invocationId: id, decision })
    const { expiresAt } = question
    if (decision.outcome === 'expired' && (expiresAt === null || at < expiresAt))
      found.push(`I37 the time of ${id} was over at ${at}, it had until ${expiresAt ?? 'ever'}`)
    if (decision.outcome !== 'expired' && expiresAt !== null && at >= expiresAt)
      found.push(`I37 ${id} was ${decision.outcome} after its time was over`)
  }
  const goesOn = body.to === 'SUCCESS' || body.to === 'REROUTED' || body.to === 'DENIED'
  if (body.from === 'APPROVAL_REQUIRED' && goesOn && question !== undefined && !isNew)
    found.push(`I37 ${id} went on as ${body.to}, and nobody had decided`)
  // Whether its effect happened may be asked later: that is no question of this kind.
  if (body.from === 'APPROVAL_REQUIRED' && body.to !== 'APPROVAL_REQUIRED') asked.delete(id)
  return found
}
