/** What a comparison of two runs says in plain words. */

import { fieldPathText } from '../field-hints.ts'
import { canonicalJson } from '../json.ts'
import type { RunComparison } from './run-comparison.ts'
import type { StepComparison, StepDifference, StepSide } from './step-comparison.ts'
import { onlyIn } from './step-comparison.ts'
import type { ValueDifference } from './value-differences.ts'

/** What the two runs are called in a sentence. */
export interface RunNames {
  readonly before: string
  readonly after: string
}

const charsMax = 60

/** What each difference is called. */
export const stepDifferenceWords: Readonly<Record<StepDifference, string>> = {
  presence: 'in one run only',
  status: 'state',
  ways: 'way out',
  attempts: 'attempts',
  input: 'called with',
  output: 'output',
  error: 'error',
  undo: 'undone',
}

/** Where two runs part, and because of what, as one sentence or two. */
export function divergenceText(
  { divergence, steps }: Pick<RunComparison, 'divergence' | 'steps'>,
  names: RunNames,
): string {
  if (divergence === null) return 'Both runs went the same way with the same data.'
  const { nodeId, path, kind, because } = divergence
  const reasons = because.map(differenceText)
  const step = steps.find((one) => one.nodeId === nodeId && one.path === path)
  if (step === undefined) {
    return `Both runs went the same way with other input: in ${names.after}, ${reasons.join('; ')}.`
  }
  const place = path === '' ? '' : ` (in ${path})`
  if (kind === 'way') return `${wayText(step, names, place)}${becauseOf(reasons)}.`
  const what = step.differences.map((one) => stepDifferenceWords[one]).join(', ')
  return `Both runs went the same way; “${step.title}”${place} is the first that differs: ${what}${becauseOf(reasons)}.`
}

const becauseOf = (reasons: readonly string[]): string =>
  reasons.length === 0 ? '' : `, because ${reasons.join(' and ')}`

function wayText(step: StepComparison, names: RunNames, place: string): string {
  const { before, after, title } = step
  const only = onlyIn(step)
  if (only !== null) {
    const other = only === 'before' ? 'after' : 'before'
    return `“${title}”${place} ran in ${names[only]} and not in ${names[other]}`
  }
  // Neither came to it, or both did.
  if (before === null || after === null) return `“${title}”${place} is in one run only`
  if (step.differences.includes('status')) {
    const said = [`${names.after} ${endText(after)}`, `${names.before} ${endText(before)}`]
    return `At “${title}”${place}, ${said.join('; ')}`
  }
  return `At “${title}”${place}, ${names.after} took ${waysText(after)}, ${names.before} took ${waysText(before)}`
}

function endText({ status, errorMessage }: StepSide): string {
  const word = status.toLowerCase().replaceAll('_', ' ')
  return errorMessage === null ? `is ${word}` : `is ${word} (${errorMessage.replace(/\.$/, '')})`
}

const waysText = ({ ways }: StepSide): string => {
  if (ways === null) return 'every way out'
  return ways.length === 0 ? 'no way out' : ways.map((way) => `“${way}”`).join(' and ')
}

/** `input.total was 12, not 120`. */
export function differenceText({ path, before, after }: ValueDifference): string {
  const place = path.length === 0 ? 'the value' : fieldPathText(path)
  if (after === undefined) return `${place} wasn’t there, and was ${valueText(before)}`
  if (before === undefined) return `${place} was ${valueText(after)}, and wasn’t there before`
  return `${place} was ${valueText(after)}, not ${valueText(before)}`
}

/** A value on one line, cut when it is long. */
function valueText(value: ValueDifference['before']): string {
  if (value === undefined) return 'nothing'
  const text = canonicalJson(value)
  return text.length > charsMax ? `${text.slice(0, charsMax)} …` : text
}
