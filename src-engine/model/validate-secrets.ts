/**
 * Secrets in the texts of a document: named where none may stand, missing from the vault, bound elsewhere,
 * or written in plain where everybody who gets the file can read them.
 */

import type { FieldText } from './field-hints.ts'
import type { NodeId } from './ids.ts'
import type { JsonObject } from './json.ts'
import { isJsonObject } from './json.ts'
import { isPlainSecret } from './plain-secrets.ts'
import type { Problem } from './problem.ts'
import type { SecretEntry } from './secret.ts'
import { bindingAgainst, secretReference } from './secret.ts'
import { secretMention } from './secret-references.ts'
import { templateExpressions } from './template.ts'
import type { Validation } from './validation.ts'
import { nameOf, problemOf } from './validation.ts'

/** A text and whose it is. */
export interface OwnedText {
  readonly text: FieldText
  readonly nodeId: NodeId
  /** The kind of the node, or of its compensation. */
  readonly kind: string
  /** Path inside of the node. */
  readonly field: string
}

/** Whose texts are those that a compensation says beside its parameters: none of them is hidden. */
export const compensationKind = 'compensation'

/** Problems of secrets in one text. */
export function secretTextProblems(validation: Validation, owned: OwnedText): readonly Problem[] {
  const { text } = owned
  if (text.role === 'code') return []
  if (!text.text.includes('secrets')) return plainProblems(validation, owned)
  const sources =
    text.role === 'expression' ? [text.text] : templateExpressions(text.text).map(({ source }) => source)
  return sources.flatMap((source) => mentionProblems(validation, owned, source))
}

function mentionProblems(validation: Validation, owned: OwnedText, source: string): readonly Problem[] {
  const mention = secretMention(source)
  if (mention === null) return []
  const { nodeId, field, text, kind } = owned
  const owner = nameOf(validation, nodeId)
  const at = { nodeId, field }
  if (mention.kind === 'part') {
    return [
      problemOf({
        ...at,
        code: 'secret_in_expression',
        message: `${owner} works on a secret: a secret stands alone between its braces.`,
        hint: 'Write {{ secrets.NAME }} with text around it. A field of your data is written as `secrets`.',
      }),
    ]
  }
  const { name } = mention
  const isKnown = validation.taskSpecs.has(kind) || kind === compensationKind
  if (isKnown && text.hints.secret === undefined) {
    return [
      problemOf({
        ...at,
        code: 'secret_not_here',
        message: `${owner}: “${text.hints.title ?? field}” may not hold the secret “${name}”.`,
        hint: 'Put it where secrets are hidden: “Sign in” or a header of a request, a variable of a program.',
      }),
    ]
  }
  return vaultProblems(validation, owned, name)
}

/** What the vault of this machine says; another one may have it, so it keeps nothing from running. */
function vaultProblems(validation: Validation, owned: OwnedText, name: string): readonly Problem[] {
  const { secrets, document } = validation
  if (secrets === undefined) return []
  const { nodeId, field, kind } = owned
  const at = { severity: 'warning', nodeId, field } as const
  const owner = nameOf(validation, nodeId)
  const entry = secrets.find((known) => known.name === name)
  if (entry === undefined) {
    return [
      problemOf({
        ...at,
        code: 'secret_missing',
        message: `${owner} needs the secret “${name}”, which is not in the vault.`,
        hint: `Add it under Secrets, or with \`sagasmith secrets set ${name}\`.`,
      }),
    ]
  }
  const against = bindingAgainst(entry, { workflowId: document.id, nodeId, taskKind: kind })
  if (against === null) return []
  return [
    problemOf({
      ...at,
      code: 'secret_not_allowed',
      message: `${owner} may not use the secret “${name}”: ${boundWords(entry, against)}.`,
      hint: 'Change what the secret is bound to under Secrets, or use another one.',
    }),
  ]
}

const boundWords = (entry: SecretEntry, against: 'kinds' | 'nodes'): string => {
  const list = entry[against] ?? []
  return list.length === 0 ? 'nothing may' : `it is meant for ${list.join(', ')}`
}

function plainProblems(validation: Validation, { text, nodeId, field }: OwnedText): readonly Problem[] {
  if (!isPlainSecret(text)) return []
  const { secret, title } = text.hints
  const key = text.path.findLast((part) => typeof part === 'string') ?? ''
  // A field of a record has the title of the whole record.
  const shown = secret === 'expected' ? (title ?? key) : key
  return [
    problemOf({
      code: 'plain_secret',
      severity: 'warning',
      nodeId,
      field,
      message: `${nameOf(validation, nodeId)}: “${shown}” holds a secret in plain text, for everybody who gets the file.`,
      hint: `Keep it in the vault, and write ${secretReference('NAME')} here: the key button beside the field does both.`,
    }),
  ]
}

/** A secret in a setting of a step: its expression would be stored with the run. */
export function hiddenSecretProblems(
  validation: Validation,
  nodeId: NodeId,
  { field, source }: { readonly field: string; readonly source: string },
): readonly Problem[] {
  if (secretMention(source) === null) return []
  const message = `${nameOf(validation, nodeId)} names a secret in “${field}”.`
  const hint = 'It would be stored with the run. Name secrets in the fields of steps only.'
  return [problemOf({ code: 'secret_not_here', nodeId, field, message, hint })]
}

/** Secrets that the settings of a workflow name, where none may stand. */
export function settingSecretProblems(settings: JsonObject | null): readonly Problem[] {
  const concurrency = settings?.['concurrency']
  const places: readonly (readonly [string, unknown])[] = [
    ['settings.output', settings?.['output']],
    ['settings.concurrency.key', isJsonObject(concurrency) ? concurrency['key'] : undefined],
  ]
  return places.flatMap(([field, source]) => {
    if (typeof source !== 'string' || secretMention(source) === null) return []
    const message = `The workflow’s ${field === 'settings.output' ? 'output' : 'concurrency key'} names a secret.`
    const hint = 'It would be stored with the run. Name secrets in the fields of steps only.'
    return [problemOf({ code: 'secret_not_here', field, message, hint })]
  })
}
