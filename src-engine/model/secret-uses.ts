/** Which secrets a document names, and where. */

import { untypedTexts } from './field-hints.ts'
import type { NodeId } from './ids.ts'
import { isJsonObject } from './json.ts'
import { secretMention } from './secret-references.ts'
import { templateExpressions } from './template.ts'
import type { WorkflowDocument } from './workflow.ts'

/** A step that names a secret. */
export interface SecretMentioned {
  readonly name: string
  readonly nodeId: NodeId
}

/** The secrets of a document's steps and compensations, each once per step. */
export function secretUses(document: WorkflowDocument): readonly SecretMentioned[] {
  const uses: SecretMentioned[] = []
  for (const [id, node] of Object.entries(document.nodes)) {
    const compensation: unknown = node.compensation
    const sets = [node.parameters, isJsonObject(compensation) ? compensation : undefined]
    const names = new Set<string>()
    for (const set of sets) {
      if (set === undefined) continue
      for (const { text } of untypedTexts(set)) for (const name of namesIn(text)) names.add(name)
    }
    // Keys of `nodes` are node ids.
    for (const name of names) uses.push({ name, nodeId: id as NodeId })
  }
  return uses
}

/** A step or a trigger that names a secret: one of the two ids is null. */
export interface SecretPlace {
  readonly name: string
  readonly nodeId: NodeId | null
  readonly triggerId: string | null
  /** The title of the step or the trigger; its id where it has none. */
  readonly label: string
}

/** Fields of a trigger's `auth` that hold the bare name of a secret: what callers prove themselves with. */
export const callerSecretFields = ['secret', 'previousSecret'] as const

/** Every place of a document that names a secret: its steps, then its triggers. */
export function secretPlaces(document: WorkflowDocument): readonly SecretPlace[] {
  const steps = secretUses(document).map(({ name, nodeId }) => {
    return { name, nodeId, triggerId: null, label: document.nodes[nodeId]?.title ?? nodeId }
  })
  const triggers = Object.entries(document.triggers ?? {}).flatMap(([triggerId, trigger]) => {
    const auth = trigger.parameters?.['auth'] ?? null
    if (!isJsonObject(auth)) return []
    const names = new Set(callerSecretFields.map((field) => auth[field]).filter((name) => name !== ''))
    return [...names]
      .filter((name) => typeof name === 'string')
      .map((name) => ({ name, nodeId: null, triggerId, label: trigger.title ?? triggerId }))
  })
  return [...steps, ...triggers]
}

/** The secrets that a text names. */
export function namesIn(text: string): readonly string[] {
  if (!text.includes('secrets')) return []
  return templateExpressions(text).flatMap(({ source }) => {
    const mention = secretMention(source)
    return mention?.kind === 'whole' ? [mention.name] : []
  })
}
