/** What is wrong with a schedule is said when its document is looked at. */

import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import { parameterProblems } from '../../../../src-engine/model/validate-parameters.ts'
import { cronSpec } from '../../../../src-engine/triggers/cron/spec.ts'

function found(parameters: JsonObject) {
  return parameterProblems({
    schema: cronSpec.parameters,
    parameters: { expression: '0 9 * * *', ...parameters },
    name: () => 'The trigger “Morning”',
    field: 'triggers.morning.parameters',
    nodeId: null,
  })
}

const problems = (parameters: JsonObject): readonly (readonly [string | null, string])[] =>
  found(parameters).map(({ field, message }) => [field, message])

const wrong: readonly (readonly [JsonObject, string, string])[] = [
  [
    { expression: '0 25 * * *' },
    'expression',
    '“Schedule” is not right: in the field of the hour, “25” is not',
  ],
  [{ expression: '0 0 30 2 *' }, 'expression', '“Schedule” is not right: no year has such a date.'],
  [
    { timeZone: 'Europe/Atlantis' },
    'timeZone',
    '“Time zone” is not right: no time zone of that name is known here.',
  ],
  [{ startAt: 'soon' }, 'startAt', '“Not before” is not right: write a date such as 2026-03-01'],
  [{ startAt: '2026-02-30' }, 'startAt', '“Not before” is not right'],
  [
    { startAt: '2026-03-02', endAt: '2026-03-01' },
    'endAt',
    '“Not after” is not right: it is before the schedule begins.',
  ],
  [{ startAt: '2026-03-01T09:00', endAt: '2026-03-01T08:59' }, 'endAt', 'is before the schedule begins.'],
  [{ startAt: '2026-03-03T09:00Z', endAt: '2026-03-01' }, 'endAt', 'is before the schedule begins.'],
  [{ except: ['2026-12-25', 'Christmas'] }, 'except[1]', 'write a date such as 2026-12-25'],
  [{ except: ['2026-12-26..2026-12-25'] }, 'except[0]', 'write a date such as 2026-12-25'],
  [{ catchUp: 'some' }, 'catchUp', '“Missed starts”'],
  [{ catchUpMax: 0 }, 'catchUpMax', '“At most”'],
]

const right: readonly JsonObject[] = [
  {},
  { expression: '0 0 29 2 *' },
  { expression: '0 0 30 2 MON' },
  { timeZone: 'Australia/Lord_Howe' },
  { startAt: '2026-03-01', endAt: '2026-03-01' },
  { startAt: '2026-03-01T09:00', endAt: '2026-03-01' },
  { startAt: '2026-03-01T20:00Z', endAt: '2026-03-02T05:00' },
  { except: ['2026-12-25', '12-24..01-02', 'sat'], catchUp: 'all', catchUpMax: 5 },
]

describe('schedules in a document', () => {
  test.for(wrong)('%j is refused', ([parameters, field, words]) => {
    const found = problems(parameters)
    expect(found).toHaveLength(1)
    expect(found[0]?.[0]).toBe(`triggers.morning.parameters.${field}`)
    expect(found[0]?.[1]).toContain(words)
  })

  test.for(right)('%j is taken', (parameters) => expect(problems(parameters)).toEqual([]))
})

test('a name that isn’t known is told with those that are', () => {
  const [problem] = found({ zone: 'Europe/Berlin' })
  expect(problem?.message).toContain('has no field "zone"')
  expect(problem?.hint).toMatch(
    /^Take it out, or give it one of these names: expression, timeZone, .*jitterMs/,
  )
})
