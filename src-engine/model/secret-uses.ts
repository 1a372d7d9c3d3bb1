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

/** The secrets that a text names. */
export function namesIn(text: string): readonly string[] {
  if (!text.includes('secrets')) return []
  return templateExpressions(text).flatMap(({ source }) => {
    const mention = secretMention(source)
    return mention?.kind === 'whole' ? [mention.name] : []
  })
}
