/** A run whose step `ask` asks a person, for tests of what becomes of that. */

import { requireApproval } from '../../../../src-engine/core/approvals/ask.ts'
import { decideApproval } from '../../../../src-engine/core/approvals/decide.ts'
import type { Decision } from '../../../../src-engine/core/draft.ts'
import { createDraft, finishDraft } from '../../../../src-engine/core/draft.ts'
import type { AttemptEnd } from '../../../../src-engine/core/finish-attempt.ts'
import { settle } from '../../../../src-engine/core/settle.ts'
import type { ApprovalAnswer, ApprovalRequest, ApprovalWait } from '../../../../src-engine/model/approval.ts'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { edgesOf } from '../../model/workflow-fixture.ts'
import type { Scene } from '../run-scene.ts'
import { json, sceneOf } from '../run-scene.ts'

/** What is asked, unless a test says otherwise. */
const question = (set: Partial<ApprovalRequest> = {}): ApprovalRequest => ({
  for: 'node',
  hash: 'seen',
  shown: json({ title: 'Pay?', message: '', details: null, form: null }),
  approvers: [],
  otherPerson: false,
  pushBack: true,
  onReject: 'port',
  expiresAt: null,
  onExpiry: 'reject',
  escalateAt: null,
  escalateTo: [],
  policy: null,
  ...set,
})

/** The end of an attempt that asks. */
export const asks = (set: Partial<ApprovalRequest> = {}): AttemptEnd => ({
  kind: 'asks',
  request: question(set),
})

/** A step that asks, with a step behind each of its ways out. */
export const askingScene = (ask: JsonObject = {}, parts: JsonObject = {}): Scene =>
  sceneOf({
    nodes: {
      ask: { kind: 'approval', parameters: { pushBack: true }, ...ask },
      yes: { kind: 'noop' },
      no: { kind: 'noop' },
      anew: { kind: 'noop' },
    },
    edges: edgesOf('ask:approved>yes', 'ask:rejected>no', 'ask:changes>anew'),
    ...parts,
  })

/** Has a person say something of what they saw. */
export function say(
  scene: Scene,
  answer: ApprovalAnswer,
  set: {
    readonly by?: string
    readonly hash?: string
    readonly node?: string
    readonly starters?: readonly string[]
    readonly otherPerson?: boolean
  } = {},
): Promise<Decision | null> {
  const { by = 'ada', hash = 'seen', node = 'ask', starters = [], otherPerson = false } = set
  const { id } = scene.record(node)
  return scene.decide(
    (state, context) =>
      decideApproval(state, context, {
        ...{ id, hash, answer, by, starters, otherPerson },
        commentText: 'because',
        comment: json('because'),
        values: json({ amount: 3 }),
        output: json({ decision: answer, by }),
      }),
    { actor: 'operator' },
  )
}

/** Has a policy ask about a step, as it stands. */
export function askByPolicy(scene: Scene, node: string, set: Partial<ApprovalRequest> = {}) {
  const request = question({ for: 'policy', onReject: 'deny', pushBack: false, ...set })
  return scene.decide(
    (state, context) => {
      const draft = createDraft(state, context)
      requireApproval(draft, scene.record(node), request)
      settle(draft)
      return finishDraft(draft)
    },
    { claims: false },
  )
}

/** What a step waits for, which is a decision. */
export function waitOf(scene: Scene, node = 'ask'): ApprovalWait {
  const { wait } = scene.record(node)
  if (wait?.kind !== 'approval') throw new Error(`${node} asks nobody`)
  return wait
}
