/** What a compensation hands to the outside beside its parameters: its key and variables. */

import { z } from 'zod'
import { undoLabels } from '../../core/saga/compile-undo.ts'
import { undoKeyOf } from '../../model/idempotency-key.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { RunRecord } from '../../model/run.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import type { ExpressionScope, ParameterResolver } from '../task-host.ts'
import type { UndoWork } from './undo-work.ts'

export interface UndoCall {
  readonly idempotencyKey: string
  /** Variables of a program that undoes: those that the document names, and the labels. */
  readonly env: Readonly<Record<string, string>>
}

/** Its texts are templates, whatever they are for. */
const saidSpec: TaskSpec = {
  kind: 'compensation',
  title: 'Compensation',
  description: 'What a document says of a compensation.',
  icon: 'undo-2',
  category: 'debug',
  keywords: [],
  parameters: z.looseObject({}),
  defaults: {},
  hasInput: true,
  outputs: () => [],
  sideEffect: 'pure',
  execution: 'runner',
  summary: () => '',
}

/** What the document says of them counts; the rest follows from the step that is undone. */
export async function undoCallOf(
  resolver: ParameterResolver,
  work: { readonly run: RunRecord; readonly taskKind: string; readonly undo: UndoWork },
  scope: ExpressionScope,
): Promise<UndoCall> {
  const { run, undo, taskKind } = work
  const said = await resolveSaid(resolver, undo.said.marks, scope)
  const { step } = undo
  const key = said['idempotencyKey']
  return {
    idempotencyKey:
      typeof key === 'string' && key !== ''
        ? key
        : undoKeyOf([run.id, step.id, undo.topic, taskKind, step.path]),
    env: { ...textsIn(said['env']), ...textsIn(said['labels']), ...undoLabels(run.workflowId) },
  }
}

function textsIn(value: JsonValue | undefined): Readonly<Record<string, string>> {
  if (value === undefined || !isJsonObject(value)) return {}
  return Object.fromEntries(Object.entries(value).map(([name, found]) => [name, textOf(found)]))
}

/** What the document says, with its expressions resolved; empty for nothing. */
export async function resolveSaid(
  resolver: ParameterResolver,
  said: JsonObject | null,
  scope: ExpressionScope,
): Promise<JsonObject> {
  if (said === null) return {}
  const value: unknown = await resolver.resolveParameters({ parameters: said, spec: saidSpec, scope })
  return isJsonObject(value) ? value : {}
}

const textOf = (value: JsonValue): string => (typeof value === 'string' ? value : JSON.stringify(value))
