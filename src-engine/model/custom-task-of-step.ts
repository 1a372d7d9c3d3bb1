/** A custom task made of a step that somebody configured: what can be part of it, and what it then is. Pure. */

import type { CustomTask } from './custom-task.ts'
import { canBeTask } from './custom-task.ts'
import { rootMentions } from './extraction/root-mentions.ts'
import type { FieldText } from './field-hints.ts'
import { fieldTexts } from './field-hints.ts'
import { fieldsOfInput } from './input-form.ts'
import type { JsonObject } from './json.ts'
import { isJsonObject } from './json.ts'
import { isPlainSecret } from './plain-secrets.ts'
import { inputJsonSchema } from './schema-walk.ts'
import type { TaskSpec } from './task-spec.ts'
import { templateExpressions } from './template.ts'

/** A parameter of the step, and what speaks for leaving it to the steps that will use the task. */
export interface TaskField {
  readonly key: string
  /** Whether the step says something for it. */
  readonly isSet: boolean
  /** It holds a secret in plain text: that can't be part of a file, so the field is open and begins empty. */
  readonly hasPlainSecret: boolean
  /** It reads other steps, or an item or turn around the step: elsewhere that is something else. */
  readonly readsSurroundings: boolean
}

/** What a task can be made of. */
export interface TaskMaterial {
  readonly base: TaskSpec
  readonly parameters: JsonObject
  readonly fields: readonly TaskField[]
}

/** What a person says of the task. */
export interface TaskWish extends Pick<CustomTask, 'kind' | 'title' | 'description' | 'icon' | 'category'> {
  readonly open: readonly string[]
  /** Of a step that calls a workflow: the form of what that gets, to be asked for field by field. */
  readonly inputForm?: JsonObject | undefined
}

/** Null for a kind that can't be made a task. `parameters` are those of its kind in the catalogue. */
export function taskMaterial(base: TaskSpec, parameters: JsonObject): TaskMaterial | null {
  if (!canBeTask(base)) return null
  const { properties } = inputJsonSchema(base.parameters)
  const texts = fieldTexts(parameters, base.parameters)
  const fields = Object.keys(isJsonObject(properties) ? properties : {}).map((key) => {
    const own = texts.filter(({ path }) => path[0] === key)
    return {
      key,
      isSet: parameters[key] !== undefined,
      hasPlainSecret: own.some(isPlainSecret),
      readsSurroundings: own.some(readsSurroundings),
    }
  })
  return { base, parameters, fields }
}

/** The fields that have to be open, and those that better are. */
export const suggestedOpen = ({ fields }: TaskMaterial): readonly string[] =>
  fields
    .filter(({ hasPlainSecret, readsSurroundings: reads }) => hasPlainSecret || reads)
    .map(({ key }) => key)

/** The task: open fields begin with what the step says, unless that means something only where the step stands. */
export function taskOfStep({ base, parameters, fields }: TaskMaterial, wish: TaskWish): CustomTask {
  const { category, inputForm, ...rest } = wish
  const isForm = (key: string): boolean => inputForm !== undefined && key === 'input'
  const isOpen = ({ key, hasPlainSecret }: TaskField): boolean =>
    !isForm(key) && (hasPlainSecret || wish.open.includes(key))
  const kept = fields.filter(
    (field) =>
      field.isSet &&
      !isForm(field.key) &&
      !field.hasPlainSecret &&
      !(field.readsSurroundings && isOpen(field)),
  )
  const told = Object.fromEntries(kept.map(({ key }) => [key, parameters[key] ?? null]))
  return {
    format: 'sagasmith.task',
    schemaVersion: 1,
    ...rest,
    keywords: [],
    ...(category === undefined || category === base.category ? {} : { category }),
    based: {
      kind: base.kind,
      // JSON both ways; only one of the two types is read-only.
      parameters: told as CustomTask['based']['parameters'],
    },
    // A name that is no field's stays: whoever reads the file says so.
    open: [
      ...new Set([
        ...fields.filter(isOpen).map(({ key }) => key),
        ...wish.open.filter((key) => !isForm(key)),
      ]),
    ],
    ...(inputForm === undefined ? {} : { inputForm }),
  }
}

/** The parameters that the step keeps when it becomes one of the task. */
export function keptByStep({ parameters }: TaskMaterial, task: CustomTask): JsonObject {
  const kept = Object.entries(parameters).filter(([key]) => task.open.includes(key))
  const fields = task.inputForm === undefined ? {} : fieldsOfInput(task, parameters['input'])
  return { ...Object.fromEntries(kept), ...fields }
}

/** The fields of a task whose file would hold a secret in plain text. */
export function plainSecretFields({ based }: CustomTask, base: TaskSpec): readonly string[] {
  const material = taskMaterial(base, based.parameters)
  return (material?.fields ?? []).filter(({ hasPlainSecret }) => hasPlainSecret).map(({ key }) => key)
}

/** The file of a task: what says nothing is left out. */
export function taskFileText(task: CustomTask): string {
  const {
    format,
    schemaVersion,
    kind,
    title,
    description,
    icon,
    category,
    keywords,
    based,
    open,
    inputForm,
  } = task
  const told = {
    ...{ format, schemaVersion, kind, title },
    ...(description === '' ? {} : { description }),
    ...(icon === 'box' ? {} : { icon }),
    ...(category === undefined ? {} : { category }),
    ...(keywords.length === 0 ? {} : { keywords }),
    ...{ based, open },
    ...(inputForm === undefined ? {} : { inputForm }),
  }
  return `${JSON.stringify(told, null, 2)}\n`
}

const kindCharsMax = 100

/** A kind for a title: `Read an order` → `my.read-an-order`. `others` are the kinds of tasks that are there. */
export function suggestedKind(title: string, others: readonly string[]): string {
  const spaces = Map.groupBy(others, (kind) => kind.slice(0, kind.lastIndexOf('.')))
  const [usual] = [...spaces].toSorted(([, one], [, other]) => other.length - one.length)
  const words = title
    .normalize('NFD')
    // Upper case first: there “ß” has letters of its own.
    .toUpperCase()
    .toLowerCase()
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[-0-9]+|-+$/g, '')
  const name = words === '' ? 'task' : words
  return `${usual?.[0] ?? 'my'}.${name}`.slice(0, kindCharsMax).replace(/-+$/, '')
}

function readsSurroundings({ role, text }: FieldText): boolean {
  if (role === 'code') return false
  const sources = role === 'expression' ? [text] : templateExpressions(text).map(({ source }) => source)
  return sources.some((source) =>
    rootMentions(source).some(({ root }) => root === 'nodes' || root === 'item' || root === 'loop'),
  )
}
