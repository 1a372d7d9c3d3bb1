/**
 * What is wrong beside the document: files of custom tasks that can't be used, and published triggers that hear nothing.
 * It keeps nothing from running; it is listed where people look for what is wrong. Pure.
 */

import type { ErrorRecord } from '../../../src-engine/model/errors.ts'
import type { WorkflowTrigger } from '../../../src-engine/model/workflow.ts'
import type { TriggerView } from '../../../src-engine/protocol/trigger-views.ts'
import { lookOf } from '../../canvas/triggers/trigger-look.ts'
import { problemWords as words } from '../../text/problem-words.ts'

export interface ProblemAround {
  readonly key: string
  /** Whose it is, in a few words. */
  readonly where: string
  readonly what: string
  readonly hint: string
  /** Where a press leads: to the trigger, or to the file, whose path is given; null where there is nowhere to go. */
  readonly at:
    | { readonly kind: 'trigger'; readonly id: string }
    | { readonly kind: 'file'; readonly path: string }
    | null
}

/** A trigger that is on and can't hear what it listens to, or can't act at all. */
const deaf: ReadonlySet<string> = new Set(['unread', 'unwatched', 'problem'])

/** Files first, as they are listed; then triggers in the order of their cards. */
export function problemsAround(given: {
  readonly files: readonly ErrorRecord[]
  readonly triggers: Readonly<Record<string, WorkflowTrigger>>
  readonly views: ReadonlyMap<string, TriggerView> | null
  readonly titleOf: (kind: string) => string
}): readonly ProblemAround[] {
  const { files, triggers, views, titleOf } = given
  const deafOnes = Object.entries(triggers).flatMap(([id, trigger]): readonly ProblemAround[] => {
    const look = lookOf(id, trigger, views)
    if (!deaf.has(look.standing)) return []
    const hint = look.hint ?? words.triggerHint
    const where = trigger.title ?? titleOf(trigger.kind)
    return [{ key: `trigger:${id}`, where, what: look.words, hint, at: { kind: 'trigger', id } }]
  })
  return [...files.map(ofFile), ...deafOnes]
}

function ofFile({ message, hint, details }: ErrorRecord): ProblemAround {
  const path = typeof details['path'] === 'string' ? details['path'] : null
  if (path === null) return { key: message, where: words.tasks, what: message, hint, at: null }
  const name = path.slice(Math.max(path.lastIndexOf('/'), path.lastIndexOf('\\')) + 1)
  // The place in the file is what is left once the file is named in front.
  const rest = message.startsWith(`${path}, `) ? message.slice(path.length + 2) : message
  const what = rest.charAt(0).toUpperCase() + rest.slice(1)
  return { key: message, where: name, what, hint, at: { kind: 'file', path } }
}
