/**
 * A task kind that people made themselves: a preset of a kind of the catalogue, with some parameters fixed and
 * the others left open. It is data. A version that is published has it written out as the kind that it stands
 * for, so what runs is never anything but the catalogue, and a run keeps what its task was when it began.
 */

import { z } from 'zod'
import { isContainerKind } from './containers.ts'
import { isCustomKind } from './custom-kind.ts'
import { nodeId } from './ids.ts'
import { inputFormFault } from './input-form.ts'
import type { JsonObject } from './json.ts'
import { isJsonObject } from './json.ts'
import { lazily } from './lazily.ts'
import { schemaDefaults, schemaShape } from './schema-shape.ts'
import type { FieldHints, TaskSpec } from './task-spec.ts'
import { parameterProblems } from './validate-parameters.ts'

/** With a dot, which no kind of the catalogue has: `acme.greet`. */
export const customKindPattern = /^[a-z][a-z0-9-]*(?:\.[a-z][a-z0-9-]*)+$/

/** What such a name may be made of. */
export const customKindHint = 'Small letters, digits and hyphens, with a dot in between: acme.greet.'

const customTaskSchema = lazily(() =>
  z.strictObject({
    format: z.literal('sagasmith.task'),
    schemaVersion: z.literal(1),
    kind: z.string().max(100).regex(customKindPattern, customKindHint),
    title: z.string().trim().min(1).max(100),
    description: z.string().max(500).default(''),
    icon: z.string().max(60).default('box'),
    category: z.enum(['flow', 'data', 'files', 'network', 'code', 'debug']).optional(),
    keywords: z.array(z.string().max(60)).max(50).default([]),
    based: z.strictObject({
      kind: z.string().min(1),
      parameters: z.record(z.string(), z.json()).default({}),
    }),
    open: z.array(z.string().min(1)).max(100).default([]),
    /** Of a task that calls a workflow: what is asked for, in place of one expression for its input. */
    inputForm: z
      .custom<JsonObject>((value) => isJsonObject(value as JsonObject), 'Expected a JSON Schema')
      .optional(),
  }),
)

/** What is wrong with a task file; `path` leads to the place in its JSON. */
export interface CustomTaskFault {
  readonly path: readonly string[]
  readonly message: string
}

/** What a task file holds, defaults filled in. */
export type CustomTask = z.infer<ReturnType<typeof customTaskSchema>>

/** The task that a file's JSON holds, or what is wrong with it. `catalogue` are the kinds that it may stand for. */
export function readCustomTask(
  json: unknown,
  catalogue: ReadonlyMap<string, TaskSpec>,
): { readonly task: CustomTask } | { readonly fault: CustomTaskFault } {
  const parsed = customTaskSchema().safeParse(json)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const keys = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
    const path = [...(issue?.path ?? []), ...keys].map(String)
    return fault(path, `${path.length === 0 ? 'The file' : `“${path.join('.')}”`}: ${issue?.message ?? ''}`)
  }
  const task = parsed.data
  const base = catalogue.get(task.based.kind)
  return (base === undefined ? unknownBase(task) : baseFault(task, base)) ?? { task }
}

/** Whether a task can stand for the kind: one that shapes the way of a run belongs to the drawing. */
export const canBeTask = (spec: TaskSpec): boolean =>
  spec.execution === 'runner' &&
  spec.isInternal !== true &&
  !isCustomKind(spec.kind) &&
  !isContainerKind(spec.kind) &&
  shapeOf(spec) !== null

/** The spec of a custom task: that of what it stands for, with the fields that are open. */
export function customTaskSpec(task: CustomTask, base: TaskSpec): TaskSpec {
  const full = (raw: JsonObject): JsonObject => ({ ...task.based.parameters, ...raw })
  const { takesSeveralWays, undoneBy, probes } = base
  return {
    kind: task.kind,
    title: task.title,
    description: task.description === '' ? `${base.title}, set up as “${task.title}”.` : task.description,
    icon: task.icon === 'box' ? base.icon : task.icon,
    category: task.category ?? base.category,
    keywords: [...task.keywords, ...base.keywords],
    parameters: openParameters(task, base),
    defaults: {
      ...Object.fromEntries(
        Object.entries({ ...base.defaults, ...task.based.parameters }).filter(([key]) =>
          task.open.includes(key),
        ),
      ),
      ...schemaDefaults(task.inputForm ?? {}),
    },
    hasInput: base.hasInput,
    outputs: (raw) => base.outputs(full(raw)),
    ...(takesSeveralWays === undefined
      ? {}
      : { takesSeveralWays: (raw: JsonObject) => takesSeveralWays(full(raw)) }),
    sideEffect: base.sideEffect,
    ...(undoneBy === undefined ? {} : { undoneBy: (raw: JsonObject) => undoneBy(full(raw)) }),
    ...(probes === undefined ? {} : { probes: (raw: JsonObject) => probes(full(raw)) }),
    execution: base.execution,
    summary: (raw) => base.summary(full(raw)),
  }
}

/** The catalogue with the custom tasks after it. */
export function withCustomTasks(
  catalogue: ReadonlyMap<string, TaskSpec>,
  tasks: Iterable<CustomTask>,
): ReadonlyMap<string, TaskSpec> {
  const specs = new Map(catalogue)
  for (const task of tasks) {
    const base = catalogue.get(task.based.kind)
    if (base !== undefined) specs.set(task.kind, customTaskSpec(task, base))
  }
  return specs
}

/** The open fields as their kind has them; one that the task has a value for need not be given. */
function openParameters(task: CustomTask, base: TaskSpec): z.ZodType {
  const shape = shapeOf(base) ?? {}
  const fields = task.open.flatMap((key): [string, z.ZodType][] => {
    const field = shape[key]
    if (field === undefined) return []
    const shown = withOpenConditions(field, task)
    const value = task.based.parameters[key]
    return [[key, value === undefined ? shown : shown.default(value)]]
  })
  return z.strictObject({ ...schemaShape(task.inputForm ?? {}), ...Object.fromEntries(fields) })
}

/** A field that depends on a fixed one is always there: the fixed one doesn't change. */
function withOpenConditions(field: z.ZodType, { open }: CustomTask): z.ZodType {
  const hints = (field.meta() ?? {}) as FieldHints
  if (hints.when === undefined) return field
  const { when, ...rest } = hints
  const left = Object.entries(when).filter(([key]) => open.includes(key))
  return field.meta(
    left.length === 0 ? { ...rest, when: undefined } : { ...rest, when: Object.fromEntries(left) },
  )
}

const shapeOf = ({ parameters }: TaskSpec): Readonly<Record<string, z.ZodType>> | null =>
  parameters instanceof z.ZodObject ? parameters.shape : null

const fault = (path: readonly string[], message: string): { readonly fault: CustomTaskFault } => ({
  fault: { path, message },
})

const unknownBase = ({ based: { kind } }: CustomTask) =>
  fault(
    ['based', 'kind'],
    `It is based on “${kind}”, which is not in the catalogue; a custom task can’t be based on another.`,
  )

function baseFault(task: CustomTask, base: TaskSpec): { readonly fault: CustomTaskFault } | null {
  const { parameters } = task.based
  const formFault = inputFormFault(task)
  if (formFault !== null) return { fault: formFault }
  const shape = shapeOf(base)
  if (!canBeTask(base) || shape === null) {
    return fault(['based', 'kind'], `“${base.title}” shapes the way of a run and can’t be made a task.`)
  }
  const missing = task.open.find((key) => shape[key] === undefined)
  if (missing !== undefined) return fault(['open', missing], `“${base.title}” has no parameter “${missing}”.`)
  const problem = parameterProblems({
    schema: base.parameters,
    parameters,
    name: () => `“${task.title}”`,
    field: 'parameters',
    nodeId: nodeId('task'),
  }).find(({ field }) => !task.open.includes(field?.split(/[.[]/)[1] ?? ''))
  if (problem === undefined) return null
  return fault(['based', ...(problem.field ?? 'parameters').split('.')], problem.message)
}
