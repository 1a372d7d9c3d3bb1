/** What has to be done to a node's parameters before it runs: found out once per node, not once per run. */

import { SagasmithError } from '../../model/errors.ts'
import { expressionReferences, takesAll } from '../../model/expression-references.ts'
import type { FieldPath, FieldText } from '../../model/field-hints.ts'
import { fieldPathText, fieldTexts } from '../../model/field-hints.ts'
import type { JsonObject } from '../../model/json.ts'
import { expressionBytesMax } from '../../model/limits.ts'
import { utf8Bytes } from '../../model/payload.ts'
import { secretMention } from '../../model/secret-references.ts'
import type { TaskSpec } from '../../model/task-spec.ts'
import { parseTemplate } from '../../model/template.ts'
import type { PlainPath, ScopeRoot } from './plain-path.ts'
import { plainPathOf, scopeRoots } from './plain-path.ts'

/** One expression, and what it reads. */
export interface PlannedExpression {
  readonly source: string
  /** Where it starts in its text. */
  readonly position: number
  readonly plain: PlainPath | null
  readonly nodeIds: readonly string[]
  readonly roots: readonly ScopeRoot[]
  /** The secret that it is; null for an expression that is evaluated. */
  readonly secret: string | null
}

/** A text as texts and expressions; a single expression alone gives its value with its type. */
export interface PlannedText {
  readonly isValue: boolean
  readonly parts: readonly (string | PlannedExpression)[]
}

export interface PlannedField extends PlannedText {
  readonly path: FieldPath
}

export interface ParameterPlan {
  readonly spec: TaskSpec
  readonly fields: readonly PlannedField[]
  /** Expression fields that were left empty: as if they weren't there. */
  readonly absent: readonly FieldPath[]
}

/** The whole scope at once, and text that becomes an expression can name anything; so can what takes all there is. */
const readsAnything = (source: string): boolean => /\$(?![A-Za-z_])|\$eval/.test(source) || takesAll(source)

/**
 * The plan of raw parameters. Throws `expression_invalid` for braces that don't fit, and
 * `secret_not_allowed` for a secret in a field that may hold none.
 */
export function planParameters(parameters: JsonObject, spec: TaskSpec): ParameterPlan {
  const fields: PlannedField[] = []
  const absent: FieldPath[] = []
  for (const field of fieldTexts(parameters, spec.parameters)) {
    if (field.role === 'expression' && field.text.trim() === '') absent.push(field.path)
    else if (field.role !== 'code') {
      const planned = planText(field.text, field.role, field)
      if (planned === null) continue
      refuseMisplacedSecret(field, planned)
      fields.push({ path: field.path, ...planned })
    }
  }
  return { spec, fields, absent }
}

/** The plan of one text; null when there is no expression in it. Throws `expression_invalid`. */
export function planText(
  text: string,
  role: 'expression' | 'template',
  field: Pick<FieldText, 'hints'> | null = null,
): PlannedText | null {
  if (role === 'expression') return { isValue: true, parts: [planExpression(text, 0)] }
  const template = parseTemplate(text)
  if (!template.ok) {
    const { message, position } = template.error
    const title = field?.hints.title
    throw new SagasmithError('expression_invalid', {
      message: title === undefined ? message : `“${title}”: ${message}`,
      details: { position },
    })
  }
  const { value } = template
  if (value.kind === 'text') return null
  const parts = value.kind === 'value' ? [value.expression] : value.parts
  return {
    isValue: value.kind === 'value',
    parts: parts.map((part) =>
      part.kind === 'text' ? part.text : planExpression(part.source, part.position),
    ),
  }
}

function planExpression(source: string, position: number): PlannedExpression {
  if (utf8Bytes(source) > expressionBytesMax) {
    throw new SagasmithError('expression_invalid', {
      message: `An expression may have at most ${expressionBytesMax} bytes.`,
      hint: 'Do the work in a JavaScript step.',
      details: { position },
    })
  }
  const roots = readsAnything(source) ? scopeRoots : scopeRoots.filter((root) => source.includes(root))
  const mention = secretMention(source)
  if (mention?.kind === 'part') {
    throw new SagasmithError('expression_invalid', {
      message: `“${source.slice(0, 60)}” works on a secret: a secret stands alone between its braces.`,
      hint: 'Write {{ secrets.NAME }} with text around it. A field of your data is written as `secrets`.',
      details: { position },
    })
  }
  const nodeIds = [...new Set(expressionReferences(source).map(({ nodeId }) => nodeId))]
  const secret = mention?.name ?? null
  return { source, position, plain: plainPathOf(source), nodeIds, roots, secret }
}

/** A secret in an address or a program's arguments would be seen by everybody on the way. */
function refuseMisplacedSecret(field: FieldText, planned: PlannedText): void {
  if (field.hints.secret !== undefined) return
  const part = planned.parts.find((found) => typeof found !== 'string' && found.secret !== null)
  if (part === undefined || typeof part === 'string') return
  const place = fieldPathText(field.path)
  const title = field.hints.title ?? place
  throw new SagasmithError('secret_not_allowed', {
    message: `“${title}” may not hold a secret, and it names “${part.secret}”.`,
    hint: 'Put it where secrets are hidden: “Sign in” or a header of a request, a variable of a program.',
    details: { field: place, name: part.secret },
  })
}
