/** Breakpoints as they are written on a command line: `STEP` or `STEP=CONDITION`, with `#3` behind the step for the third time. */

import type { Breakpoint } from '../../model/breakpoint.ts'
import { breakpointNthMax } from '../../model/breakpoint.ts'
import { nodeId } from '../../model/ids.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import { usageError } from './command.ts'

/** One per line; `document` names the steps that there are, where it is known. */
export function breakpointsOf(text: string, document: WorkflowDocument | null): readonly Breakpoint[] {
  return text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => breakpointOf(line, document))
}

function breakpointOf(line: string, document: WorkflowDocument | null): Breakpoint {
  const at = line.indexOf('=')
  const named = (at === -1 ? line : line.slice(0, at)).trim()
  const [step = '', times] = named.split('#')
  const condition = at === -1 ? null : line.slice(at + 1).trim()
  if (document !== null && document.nodes[nodeId(step)] === undefined) {
    throw usageError(
      `There is no step “${step}” to stop before.`,
      `Use one of: ${Object.keys(document.nodes).join(', ')}.`,
    )
  }
  const nth = times === undefined ? undefined : Number(times)
  const isWrongTime = nth !== undefined && !(Number.isInteger(nth) && nth >= 1 && nth <= breakpointNthMax)
  if (step === '' || condition === '' || isWrongTime)
    throw usageError(
      `“${line}” is no breakpoint.`,
      'Write STEP or STEP=CONDITION, or STEP#3 for the third time.',
    )
  return { nodeId: nodeId(step), condition, ...(nth === undefined ? {} : { nth }) }
}
