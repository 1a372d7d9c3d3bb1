/** What an event was, in a few words. Pure. */

import type { EngineEvent } from '../../../src-engine/model/event.ts'
import { nodeId } from '../../../src-engine/model/ids.ts'
import type { WorkflowDocument } from '../../../src-engine/model/workflow.ts'
import { invocationStyle, runStyle } from '../../status/status-style.ts'

/** A step without a title of its own is told from its like by its id. */
export function eventWords(
  { body, invocationId }: EngineEvent,
  { nodes }: Pick<WorkflowDocument, 'nodes'>,
): string {
  const titleOf = (id: string): string => nodes[nodeId(id)]?.title ?? id
  switch (body.type) {
    case 'run.created':
      return 'Run created'
    case 'run.changed':
      return `Run: ${runStyle[body.to].label}`
    case 'invocation.registered':
      return `${titleOf(body.invocation.nodeId)}: ${invocationStyle[body.invocation.status].label}`
    case 'invocation.changed':
      return `${titleOf(invocationId?.split('/').at(1) ?? '')}: ${invocationStyle[body.to].label}`
    case 'node.skipped':
      return `${titleOf(body.nodeId)}: Skipped`
    case 'register.changed':
      return `Register ${body.key}`
    default:
      return `Epoch ${body.to}`
  }
}
