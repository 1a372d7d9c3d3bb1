/** What a person decides about a step whose effect is in doubt, as the protocol carries it. */

import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { JsonValue } from '../../src-engine/model/json.ts'
import type { ReplayState } from '../../src-engine/model/replay.ts'
import type { InputOf } from '../../src-engine/protocol/api.ts'
import type { Designer } from './designer.ts'
import { attempt } from './designer.ts'
import { lineOfRun } from './site-lines.ts'
import { levelsOf } from './turns.ts'

export type Decision = InputOf<'invocations.resolve'>['decision']
export type DecisionChoice = 'again' | 'done' | 'fail'

/** The decision behind a button; null when the output to take is not JSON. An empty text is no output. Pure. */
export function decisionOf(choice: DecisionChoice, outputText: string): Decision | null {
  if (choice === 'again') return { kind: 'run-again' }
  if (choice === 'fail') return { kind: 'fail' }
  if (outputText.trim() === '') return { kind: 'take-as-done', output: null }
  try {
    return { kind: 'take-as-done', output: JSON.parse(outputText) as JsonValue }
  } catch {
    // The person is still typing, or mistyped: nothing is decided yet.
    return null
  }
}

/** The steps in doubt, in every item and turn, in the order of the run. Pure. */
export const undecided = ({ invocations }: ReplayState): readonly InvocationRecord[] =>
  [...invocations.values()].filter((record) => record.status === 'APPROVAL_REQUIRED' && !asksApproval(record))

/** The steps that ask for an approval. Pure. */
export const unapproved = ({ invocations }: ReplayState): readonly InvocationRecord[] =>
  [...invocations.values()].filter(asksApproval)

/** Whether a step waits for somebody to approve it, by itself or because a rule says so. */
export const asksApproval = ({ status, wait }: InvocationRecord): boolean =>
  status === 'APPROVAL_REQUIRED' && wait?.kind === 'approval'

/** Tells the engine; false when it refused, or could not be reached. */
export async function decide(
  designer: Designer,
  { runId, id: invocationId }: Pick<InvocationRecord, 'runId' | 'id'>,
  decision: Decision,
): Promise<boolean> {
  const answer = await attempt(designer, () =>
    lineOfRun(designer, runId).call('invocations.resolve', { runId, invocationId, decision }),
  )
  return answer !== null
}

/** Puts the form of a decision in front of the person: the step, in the item or turn that it is of. */
export function askToDecide(designer: Designer, { nodeId, path }: InvocationRecord): void {
  const { select, setPanels, chooseTurn } = designer.view.getState()
  for (const { scope, index } of levelsOf(path)) chooseTurn(scope, index)
  select({ nodes: [nodeId] })
  setPanels({ isInspectorOpen: true, inspectorTab: 'run' })
  designer.canvas.current?.reveal(nodeId)
}
