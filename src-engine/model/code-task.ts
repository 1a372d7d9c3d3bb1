/**
 * A task kind that somebody wrote as code: what its file says of it. Before a version gets its hash its steps are
 * written out as `code-task`, which carries the code; whoever runs them needs no file.
 */

import { z } from 'zod'
import type { CustomTaskFault } from './custom-task.ts'
import { customKindHint, customKindPattern } from './custom-task.ts'
import type { JsonObject, JsonValue } from './json.ts'
import { isJsonObject } from './json.ts'
import { lazily } from './lazily.ts'
import { codeTaskCharsMax, taskVersionCharsMax } from './limits.ts'
import { schemaDefaults, schemaShape } from './schema-shape.ts'
import { secretHostPattern, secretNamePattern, secretReference } from './secret.ts'
import { shortened } from './summary.ts'
import type { TaskSpec, UndoingTask } from './task-spec.ts'
import { singleOutput } from './task-spec.ts'
import { inputSchemaProblems } from './validate-input-schema.ts'

/** The kind of the catalogue that steps with code are written out as. */
export const codeTaskKind = 'code-task'

/** Ends the kind of what takes a task's effect back. */
const undoEnding = '.undo'

const jsonSchema = lazily(() =>
  z.custom<JsonObject>((value) => isJsonObject(value), 'Expected a JSON Schema'),
)

const specSchema = lazily(() =>
  z.strictObject({
    kind: z
      .string()
      .max(100)
      .regex(customKindPattern, customKindHint)
      .refine(
        (kind) => !kind.endsWith(undoEnding),
        'A kind that ends in .undo is what takes another one back.',
      ),
    version: z.string().min(1).max(taskVersionCharsMax),
    title: z.string().trim().min(1).max(100),
    description: z.string().max(500).default(''),
    icon: z.string().max(60).default('code'),
    category: z.enum(['flow', 'data', 'files', 'network', 'code', 'debug']).default('code'),
    keywords: z.array(z.string().max(60)).max(50).default([]),
    parameters: jsonSchema().default({ type: 'object', properties: {} }),
    output: jsonSchema().nullable().default(null),
    sideEffect: z.enum(['pure', 'idempotent', 'keyed', 'unsafe']).default('unsafe'),
    secrets: z.array(z.string().regex(secretNamePattern)).max(20).default([]),
    hosts: z
      .array(z.string().max(253).regex(secretHostPattern, 'Write a host: api.example.com.'))
      .max(50)
      .default([]),
    timeoutMs: z.int().min(10).max(600_000).default(30_000),
    memoryMb: z.int().min(4).max(256).default(32),
    mock: z.json().optional(),
  }),
)

/** What people see of a task with code; its code stays with the engine. */
export type CodeTaskFace = Omit<z.infer<ReturnType<typeof specSchema>>, 'mock'> & {
  readonly hasMock: boolean
  /** Whether its file says how its effect is taken back. */
  readonly hasUndo: boolean
  /** Whether its file says how to find out if a step that nobody saw end has happened. */
  readonly hasProbe: boolean
  /** Whether its file says how parameters of another version become its own. */
  readonly hasMigrate: boolean
}

/** A task with code, as its file was read. */
export interface CodeTask {
  readonly face: CodeTaskFace
  /** What it gives where nothing outside may be touched; absent for nothing said. */
  readonly mock?: JsonValue
  /** JavaScript: the types are taken off. */
  readonly code: string
}

/** What the sandbox read off a file: the data of the task, and the names of its functions. */
export interface CodeTaskRead {
  readonly spec: unknown
  readonly functions: readonly string[]
  readonly code: string
}

const knownFunctions: ReadonlySet<string> = new Set(['run', 'compensate', 'probe', 'mock', 'migrate'])

/** The task that was read, or what is wrong with it. */
export function readCodeTask({
  spec,
  functions,
  code,
}: CodeTaskRead): { readonly task: CodeTask } | { readonly fault: CustomTaskFault } {
  if (!functions.includes('run')) return fault('run', 'it has no function run(context): what the step does.')
  const other = functions.find((name) => !knownFunctions.has(name))
  if (other !== undefined)
    return fault(other, `“${other}” is a function, and nothing calls one of that name.`)
  if (code.length > codeTaskCharsMax) return fault('run', `it has more than ${codeTaskCharsMax} characters.`)
  const parsed = specSchema().safeParse(spec)
  if (!parsed.success) {
    const [issue] = parsed.error.issues
    const keys = issue?.code === 'unrecognized_keys' ? issue.keys.slice(0, 1) : []
    const path = [...(issue?.path ?? []), ...keys].map(String)
    return fault(path[0] ?? 'kind', `“${path.join('.')}”: ${issue?.message ?? ''}`)
  }
  const { mock, ...face } = parsed.data
  const [problem] = inputSchemaProblems(face.parameters)
  if (problem !== undefined) return fault('parameters', problem.message)
  const hasUndo = functions.includes('compensate')
  const hasProbe = functions.includes('probe')
  const hasMigrate = functions.includes('migrate')
  const task = { face: { ...face, hasUndo, hasProbe, hasMigrate, hasMock: mock !== undefined }, code }
  return { task: mock === undefined ? task : { ...task, mock } }
}

const fault = (key: string, message: string): { readonly fault: CustomTaskFault } => ({
  fault: { path: [key], message },
})

/** The kinds that a task with code gives: its own, and what takes it back where its file says how. */
function codeTaskSpecs(face: CodeTaskFace): readonly TaskSpec[] {
  return face.hasUndo ? [specOf(face), undoSpecOf(face)] : [specOf(face)]
}

function specOf(face: CodeTaskFace): TaskSpec {
  const { kind, title, description, icon, category, keywords, sideEffect, version } = face
  return {
    ...{ kind, title, icon, category, keywords, sideEffect },
    description: description === '' ? `Code of its own: ${title}.` : description,
    parameters: z.strictObject(schemaShape(face.parameters)),
    defaults: schemaDefaults(face.parameters),
    hasInput: true,
    outputs: () => singleOutput,
    ...(face.hasUndo ? { undoneBy: () => undoOf(face) } : {}),
    ...(face.hasProbe ? { probes: () => true } : {}),
    version,
    ...(face.hasMigrate ? { migrates: true } : {}),
    execution: 'runner',
    summary: (raw) => {
      const first = Object.values(raw).find((value) => typeof value === 'string' && value !== '')
      return shortened(typeof first === 'string' ? first : `${kind} ${version}`)
    },
  }
}

const undoOf = ({ kind }: CodeTaskFace): UndoingTask => ({
  kind: `${kind}${undoEnding}`,
  parameters: { input: '{{ original.input }}', output: '{{ original.output }}' },
})

function undoSpecOf(face: CodeTaskFace): TaskSpec {
  const { kind, parameters } = undoOf(face)
  const { icon, category, keywords, sideEffect } = face
  const told = (title: string, description: string) => z.unknown().meta({ title, description })
  return {
    ...{ kind, icon, category, keywords, sideEffect },
    isInternal: true,
    title: `Undo: ${face.title}`,
    description: `Takes back what “${face.title}” did, as its file says.`,
    parameters: z.strictObject({
      input: told('What it got', 'The input of the step that is taken back.').optional(),
      output: told('What it gave', 'The output of the step that is taken back.'),
    }),
    defaults: parameters,
    hasInput: true,
    outputs: () => singleOutput,
    execution: 'runner',
    summary: () => `undoes ${face.kind}`,
  }
}

/** A step of a task with code as the catalogue has it; null for a kind that isn't the task's. */
export function codeTaskStep(
  task: CodeTask,
  { kind, parameters }: { readonly kind: string; readonly parameters: JsonObject },
): { readonly kind: string; readonly parameters: JsonObject } {
  const { face, code, mock } = task
  const { version, secrets, hosts, timeoutMs, memoryMb } = face
  const isUndo = kind !== face.kind
  const told: JsonObject = {
    task: face.kind,
    role: isUndo ? 'compensate' : 'run',
    parameters,
    schema: isUndo ? {} : face.parameters,
    output: isUndo ? {} : (face.output ?? {}),
    secrets: Object.fromEntries(secrets.map((name) => [name, secretReference(name)])),
    ...{ version, hosts, timeoutMs, memoryMb, code },
  }
  if (isUndo) return { kind: codeTaskKind, parameters: told }
  const own: JsonObject = {
    ...told,
    ...(face.hasProbe ? { probes: true } : {}),
    ...(mock === undefined ? {} : { mock }),
  }
  return { kind: codeTaskKind, parameters: own }
}

/** The kinds by which a document names a task with code. */
export const kindsOfCode = ({ kind, hasUndo }: CodeTaskFace): readonly string[] =>
  hasUndo ? [kind, `${kind}${undoEnding}`] : [kind]

/** The kinds with those of tasks with code after them. */
export function withCodeTasks(
  specs: ReadonlyMap<string, TaskSpec>,
  tasks: Iterable<Pick<CodeTask, 'face'>>,
): ReadonlyMap<string, TaskSpec> {
  const all = new Map(specs)
  for (const { face } of tasks) for (const spec of codeTaskSpecs(face)) all.set(spec.kind, spec)
  return all
}
