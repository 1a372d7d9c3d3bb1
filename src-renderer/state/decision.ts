/** What a person decides about a step whose effect is in doubt, as the protocol carries it. Pure. */

import type { JsonValue } from '../../src-engine/model/json.ts'
import type { InputOf } from '../../src-engine/protocol/api.ts'
import type { NodeRun } from './run-model.ts'

export type Decision = InputOf<'invocations.resolve'>['decision']
export type DecisionChoice = 'again' | 'done' | 'fail'

/** The decision behind a button; null when the output to take is not JSON. An empty text is no output. */
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

/** The nodes that wait for a person, in the order of the run. */
export function undecidedNodes(nodes: ReadonlyMap<string, NodeRun>): readonly string[] {
  return [...nodes]
    .filter(([, { invocation }]) => invocation?.status === 'APPROVAL_REQUIRED')
    .map(([id]) => id)
}
