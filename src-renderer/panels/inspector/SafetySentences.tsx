/** What the safety policy says of a step, under what its settings come to. */

import type { NodeId } from '../../../src-engine/model/ids.ts'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { useAnswer } from '../../ui/use-answer.ts'
import { safetySentences } from './safety-sentences.ts'

/** Nothing until the engine has answered, and for a step that is never run. */
export function SafetySentences({
  id,
  document,
}: {
  readonly id: NodeId
  readonly document: WorkflowDocument
}) {
  const { disabled, bypassed } = document.nodes[id] ?? {}
  if (disabled === true || bypassed === true) return null
  return <Asked id={id} document={document} />
}

function Asked({ id, document }: { readonly id: NodeId; readonly document: WorkflowDocument }) {
  // Where things stand on the canvas says nothing to a policy.
  const { layout: _layout, ...meaning } = document
  const answer = useAnswer('policy.ofStep', { document: meaning as unknown as JsonObject, nodeId: id })
  if (answer === null) return null
  return safetySentences(answer).map((sentence) => (
    <p key={sentence} data-testid="safety-sentence">
      {sentence}
    </p>
  ))
}
