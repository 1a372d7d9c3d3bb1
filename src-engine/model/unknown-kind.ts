/** The problem of a node or compensation whose kind isn't there. */

import { isCustomKind } from './custom-kind.ts'
import type { NodeId } from './ids.ts'
import type { Problem } from './problem.ts'
import { problemOf } from './validation.ts'

/** A kind that no package has. */
export function unknownKind(at: { name: string; kind: string; field: string; nodeId: NodeId }): Problem {
  return problemOf({
    code: 'unknown_kind',
    nodeId: at.nodeId,
    field: at.field,
    message: `${at.name} is of the kind “${at.kind}”, which this Sagasmith doesn’t have.`,
    hint: isCustomKind(at.kind)
      ? 'Put its file into the folder of custom tasks, or replace the node. Its data is kept.'
      : 'Install the package that has it, or replace the node. Its data is kept.',
  })
}
