/** The breakpoints of the open workflow. */

import type { Breakpoint } from '../../src-engine/model/breakpoint.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { Designer } from './designer.ts'

/** Those whose steps there are in the document (the open one, or a part of it), as an engine takes them. */
export function breakpointsOf(
  { breakpoints, document: open }: Pick<Designer, 'breakpoints' | 'document'>,
  document: WorkflowDocument = open.getState().history.document,
): readonly Breakpoint[] {
  const own = breakpoints.getState().byWorkflow[open.getState().history.document.id] ?? {}
  return Object.entries(own).flatMap(([of, { condition, nth }]) =>
    document.nodes[nodeId(of)] === undefined
      ? []
      : [{ nodeId: nodeId(of), condition, ...(nth === undefined ? {} : { nth }) }],
  )
}
