/** Has a document name a secret by its new name: everywhere, as one step. */

import type { JsonValue } from '../../src-engine/model/json.ts'
import { isJsonObject } from '../../src-engine/model/json.ts'
import { secretReference } from '../../src-engine/model/secret.ts'
import { secretMention } from '../../src-engine/model/secret-references.ts'
import { callerSecretFields } from '../../src-engine/model/secret-uses.ts'
import { templateExpressions } from '../../src-engine/model/template.ts'
import type { DocumentDraft, Edit } from './edit.ts'
import { singleEdit } from './edit.ts'

interface Names {
  readonly from: string
  readonly to: string
}

/** Steps with their undoing, and what callers of triggers prove themselves with. */
export function renameSecretIn(names: Names): Edit {
  return singleEdit(`Rename secret ${names.from} to ${names.to}`, (draft) => renameAll(draft, names))
}

/** Secrets that the document names become others, all in one step. */
export function matchSecretsIn(matches: readonly Names[]): Edit {
  return singleEdit('Match secrets with the vault', (draft) => {
    for (const names of matches) renameAll(draft, names)
  })
}

function renameAll(draft: DocumentDraft, names: Names): void {
  for (const node of Object.values(draft.nodes)) {
    const parts = node as Record<string, JsonValue | undefined>
    for (const part of ['parameters', 'compensation']) renameInside(parts[part], names)
  }
  for (const { parameters } of Object.values(draft.triggers ?? {})) {
    const auth = (parameters as Record<string, JsonValue> | undefined)?.['auth'] ?? null
    if (!isJsonObject(auth)) continue
    const fields = auth as Record<string, JsonValue>
    for (const field of callerSecretFields) if (fields[field] === names.from) fields[field] = names.to
  }
}

/** Goes through lists and objects; only texts that name the secret are written. */
function renameInside(value: JsonValue | undefined, names: Names): void {
  if (typeof value !== 'object' || value === null) return
  // Drafts may be written to; the JSON type of the model says they may not.
  const inside = value as Record<string, JsonValue>
  for (const [key, item] of Object.entries(inside)) {
    if (typeof item !== 'string') renameInside(item, names)
    else {
      const text = renamedText(item, names)
      if (text !== item) inside[key] = text
    }
  }
}

/** The text with that name of a secret for the other; all else stays as it is. */
export function renamedText(text: string, { from, to }: Names): string {
  if (!text.includes('secrets')) return text
  let result = ''
  let at = 0
  for (const { source, start, end } of templateExpressions(text)) {
    const mention = secretMention(source)
    if (mention?.kind !== 'whole' || mention.name !== from) continue
    result += text.slice(at, start) + secretReference(to)
    at = end
  }
  return result + text.slice(at)
}
