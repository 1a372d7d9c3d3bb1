/** Kinds by where their results come from: settings that look at the result of an attempt aren't for all of them. */

import { breakLoopKind, isContainerKind, leavesTurn, nextTurnKind } from './containers.ts'

import type { WorkflowNode } from './workflow.ts'

/** Their result comes from elsewhere once a wait is over: no attempt gives it. */
const givingLater: ReadonlySet<string> = new Set([
  'approval',
  'delay',
  'sub-workflow',
  'wait-signal',
  'wait-webhook',
])

/** They steer the run or tell others something: what they hand on is not what they are for. */
const steering: ReadonlySet<string> = new Set([
  breakLoopKind,
  'circuit-breaker',
  'emit-event',
  'fork',
  'join',
  'loop',
  'map',
  nextTurnKind,
  'noop',
  'semaphore',
  'stop',
  'throttle',
])

/** Whether an attempt gives its result, and no wait and no body: then it can be looked at before it is written down. */
export const givesAtOnce = (kind: string): boolean =>
  !givingLater.has(kind) && !isContainerKind(kind) && !leavesTurn(kind)

/** Whether a result of an earlier run may stand for running it. */
export const isReplaceable = (kind: string): boolean => !givingLater.has(kind) && !steering.has(kind)

/** Whether it may end its run, whatever else is under way. */
export const mayEndRun = ({ kind, stopAfterIf = '' }: Pick<WorkflowNode, 'kind' | 'stopAfterIf'>): boolean =>
  kind === 'stop' || stopAfterIf.trim() !== ''
