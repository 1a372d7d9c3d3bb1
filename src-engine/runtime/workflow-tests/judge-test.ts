/** What a test expects beside what came: each difference at its step. */

import type { JsonValue } from '../../model/json.ts'
import { canonicalJson } from '../../model/json.ts'
import type { ExpectedRun, ExpectedStep } from '../../model/workflow-test.ts'
import type { TestDifference } from '../../protocol/workflow-tests.ts'

/** Characters of a value that a difference tells. */
const textMax = 2_000

/** In the order of the expected steps; what nobody expected comes last, the run's own end first. */
export function differencesIn(expected: ExpectedRun, came: ExpectedRun): readonly TestDifference[] {
  const places = [...new Set([...Object.keys(expected.steps), ...Object.keys(came.steps)])]
  return [
    ...ofEnd(expected, came),
    ...places.flatMap((place) => ofStep(place, expected.steps[place], came.steps[place])),
  ]
}

function ofEnd(expected: ExpectedRun, came: ExpectedRun): readonly TestDifference[] {
  const status = difference(null, 'status', [expected.status, came.status])
  // Of a run that ended otherwise, the rest follows from that.
  if (status.length > 0) return status
  return [
    ...difference(null, 'error', [expected.error, came.error]),
    ...(expected.output !== undefined ? difference(null, 'output', [expected.output, came.output]) : []),
  ]
}

function ofStep(
  place: string,
  expected: ExpectedStep | undefined,
  came: ExpectedStep | undefined,
): readonly TestDifference[] {
  if (expected === undefined || came === undefined || expected.status !== came.status) {
    return difference(place, 'status', [expected?.status, came?.status])
  }
  return [
    ...(expected.ports !== undefined ? difference(place, 'ports', [expected.ports, came.ports]) : []),
    ...(expected.output !== undefined ? difference(place, 'output', [expected.output, came.output]) : []),
    ...difference(place, 'error', [expected.error, came.error]),
  ]
}

function difference(
  step: string | null,
  what: TestDifference['what'],
  [expected, came]: readonly [JsonValue | undefined, JsonValue | undefined],
): readonly TestDifference[] {
  const [left, right] = [textOf(expected), textOf(came)]
  return left === right ? [] : [{ step, what, expected: shortened(left), came: shortened(right) }]
}

const textOf = (value: JsonValue | undefined): string | null =>
  value === undefined ? null : canonicalJson(value)

const shortened = (text: string | null): string | null =>
  text !== null && text.length > textMax ? `${text.slice(0, textMax)}…` : text
