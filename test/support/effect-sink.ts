/** What a sink that survives every crash saw of the steps' executions. */

import { appendFileSync } from 'node:fs'
import type { RunId } from '../../src-engine/model/ids.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import type { TaskContext } from '../../src-engine/tasks/task.ts'
import { linesOf } from './file-lines.ts'

/** One execution of a step's task, as the outside world saw it. */
export interface Effect {
  readonly runId: string
  readonly invocationId: string
  readonly nodeId: string
  readonly attempt: number
  readonly idempotencyKey: string
  /** Whether nobody could tell that it was executed: only such a step begins before its claim is durable. */
  readonly isPure: boolean
  /** JSON text of what arrived at the step; null when the sink was not told. */
  readonly input: string | null
  readonly startedAt: number
  /** Null when its process died, or was left behind, before the task came to an end. */
  readonly endedAt: number | null
}

/** By the class of the step and by its kind. */
export function isPureStep(kind: string, { sideEffect }: Pick<TaskContext, 'sideEffect'>): boolean {
  const spec = taskSpecsByKind.get(kind)
  return sideEffect === 'pure' && spec?.sideEffect === 'pure' && spec.waitsForClaim !== true
}

/** What a sink's file tells; nothing when nobody wrote to it. */
export function readEffects(file: string): readonly Effect[] {
  const effects = new Map<string, Effect>()
  for (const line of linesOf(file)) {
    const told = JSON.parse(line) as Effect & { readonly pid: number; readonly endedAt?: number }
    const key = `${told.pid} ${told.invocationId} ${told.attempt}`
    const begun = effects.get(key)
    effects.set(key, begun === undefined ? { ...told, endedAt: null } : { ...begun, endedAt: told.endedAt })
  }
  return [...effects.values()]
}

/** Every line begins with its run's id, so that nothing has to be parsed to know where it belongs. */
const runIdStart = '{"runId":"'

/** Copies a sink's lines into files by what the id of their run says: for sinks that are too large to be read at once. */
export function splitEffects(file: string, partOf: (runId: RunId) => string): void {
  const parts = new Map<string, string[]>()
  let size = 0
  const flush = (): void => {
    for (const [part, lines] of parts) appendFileSync(part, lines.join(''))
    parts.clear()
    size = 0
  }
  for (const line of linesOf(file)) {
    const id = line.slice(runIdStart.length, line.indexOf('"', runIdStart.length))
    const part = partOf(id as RunId)
    const lines = parts.get(part) ?? []
    parts.set(part, lines)
    lines.push(`${line}\n`)
    size += line.length
    if (size > flushAt) flush()
  }
  flush()
}

/** Characters kept before they are written. */
const flushAt = 16_000_000
