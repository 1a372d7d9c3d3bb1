/** What differs of a step, as lines with what it was and what it is. Pure. */

import { valueOfPayload } from '../../src-engine/model/comparison/compared-run.ts'
import type { StepComparison, StepSide } from '../../src-engine/model/comparison/step-comparison.ts'
import { valueDifferences } from '../../src-engine/model/comparison/value-differences.ts'
import { fieldPathText } from '../../src-engine/model/field-hints.ts'
import type { JsonValue } from '../../src-engine/model/json.ts'
import { toldDifferencesMax } from '../../src-engine/model/limits.ts'
import type { LoadedComparison } from '../../src-engine/protocol/load-comparison.ts'
import type { FieldChange } from '../canvas/diff/field-change.ts'
import { invocationStyle } from '../status/status-style.ts'
import { comparisonWords as words } from '../text/comparison-words.ts'

/** Longer values are cut: the step itself has them whole. */
const charsMax = 300

/** The differences of a step, its state first and its values last. */
export function factsOf(compared: LoadedComparison, step: StepComparison): readonly FieldChange[] {
  const { before, after, differences } = step
  const told = (path: string, textOf: (side: StepSide) => string | null): FieldChange => ({
    path,
    before: (before === null ? null : textOf(before)) ?? words.absent,
    after: (after === null ? null : textOf(after)) ?? words.absent,
  })
  const facts: FieldChange[] = []
  if (differences.includes('presence') || differences.includes('status'))
    facts.push(told(words.state, stateOf))
  if (differences.includes('ways')) facts.push(told(words.ways, ({ ways }) => ways?.join(', ') ?? null))
  if (differences.includes('attempts')) facts.push(told(words.attempts, ({ attempts }) => String(attempts)))
  if (differences.includes('error')) facts.push(told(words.error, ({ errorMessage }) => errorMessage))
  if (differences.includes('undo')) {
    facts.push(told(words.undo, ({ undo }) => (undo === null ? null : invocationStyle[undo].label)))
  }
  for (const field of ['input', 'output'] as const) {
    if (differences.includes(field)) facts.push(...valueFacts(compared, step, field))
  }
  return facts
}

const stateOf = ({ status }: StepSide): string =>
  status === 'SKIPPED' ? 'Skipped' : invocationStyle[status].label

function valueFacts(
  compared: LoadedComparison,
  step: StepComparison,
  field: 'input' | 'output',
): readonly FieldChange[] {
  const [was, is] = (['before', 'after'] as const).map((name) => {
    const payload = step[name]?.[field] ?? null
    return payload === null ? undefined : valueOfPayload(compared[name], payload)
  })
  const found = valueDifferences(was, is, toldDifferencesMax)
  return found.map(({ path, before, after }) => ({
    path: path.length === 0 ? words[field] : `${words[field]}: ${fieldPathText(path)}`,
    before: textOf(before),
    after: textOf(after),
  }))
}

function textOf(value: JsonValue | undefined): string {
  if (value === undefined) return words.absent
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > charsMax ? `${text.slice(0, charsMax)} …` : text
}
