/** What an event was, in a few words. */

import type { EngineEvent } from '../../../src-engine/model/event.ts'
import { invocationStyle, runStyle } from '../../status/status-style.ts'

export function eventWords({ body, invocationId }: EngineEvent): string {
  const node = invocationId?.split('/').at(1) ?? ''
  switch (body.type) {
    case 'run.created':
      return 'Run created'
    case 'run.changed':
      return `Run: ${runStyle[body.to].label}`
    case 'invocation.registered':
      return `${body.invocation.nodeId}: ${invocationStyle[body.invocation.status].label}`
    case 'invocation.changed':
      return `${node}: ${invocationStyle[body.to].label}`
    case 'node.skipped':
      return `${body.nodeId}: Skipped`
    case 'register.changed':
      return `Register ${body.key}`
    default:
      return `Epoch ${body.to}`
  }
}
