/** The output of a task against what its step promises to those behind it. */

import { SagasmithError } from '../model/errors.ts'
import type { NodeId } from '../model/ids.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { validateInput } from '../model/validate-input.ts'

/** A refusal names the first of them. */
const namedProblemsMax = 50

/** Throws `task_output_invalid` with what is wrong; the output stays as it is, without defaults. */
export function refuseWrongOutput(
  node: { readonly id: NodeId; readonly outputSchema: JsonObject | null },
  output: JsonValue,
): void {
  const { problems } = validateInput(node.outputSchema, output)
  const [first] = problems
  if (first === undefined) return
  throw new SagasmithError('task_output_invalid', {
    message: `The output of “${node.id}” doesn’t fit: ${first.message}`,
    details: {
      nodeId: node.id,
      count: problems.length,
      problems: problems.slice(0, namedProblemsMax).map((problem) => ({ ...problem })),
    },
  })
}
