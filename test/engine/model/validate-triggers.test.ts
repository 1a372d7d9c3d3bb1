/** What is wrong with the parameters of triggers, in words that help. */

import { expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import type { Problem } from '../../../src-engine/model/problem.ts'
import { validateWorkflow } from '../../../src-engine/model/validate-workflow.ts'
import { validationOptions } from '../../../src-engine/shell/validate-json.ts'
import { taskSpecsByKind } from '../../../src-engine/tasks/specs.ts'
import { documentOf } from './workflow-fixture.ts'

const check = (kind: string, parameters: JsonObject): readonly Problem[] => {
  const document = documentOf({ nodes: { a: { kind: 'noop' } }, triggers: { t: { kind, parameters } } })
  return validateWorkflow(document, taskSpecsByKind, validationOptions)
}

const open = { path: 'orders', auth: { kind: 'none' } }

test.each([
  ['webhook', open],
  ['file-watch', { folder: '/in' }],
  ['event', { name: 'paid' }],
  ['redis-stream', { host: 'redis.example.com', stream: 'orders' }],
])(
  '%s: an expression that can’t be read is told with its field; one that can, and fields, are not',
  (kind, rest) => {
    expect(check(kind, { ...rest, filter: 'event.payload.x = 1', input: '{ "a": event.name }' })).toEqual([])
    expect(check(kind, { ...rest, filter: { x: { y: 1 } }, input: { a: 1 } })).toEqual([])
    expect(check(kind, { ...rest, filter: 'event.payload.' })).toMatchObject([
      { code: 'expression_invalid', severity: 'error', field: 'triggers.t.parameters.filter' },
    ])
    expect(check(kind, { ...rest, input: '{ "a" ' })[0]?.message).toMatch(
      /^The trigger “.+” \(t\): the expression/,
    )
  },
)

test('nobody is told to write an expression where a trigger takes none', () => {
  const [problem] = check('webhook', { ...open, method: 'PATCH' })
  expect(problem).toMatchObject({ code: 'wrong_parameter', hint: 'Correct “Method”.' })
  const [step] = validateWorkflow(
    documentOf({ nodes: { a: { kind: 'delay', parameters: { amount: 1, unit: 'moons' } } } }),
    taskSpecsByKind,
    validationOptions,
  )
  expect(step?.hint).toContain('or use an expression in {{ }}')
})

test.each([
  ['event', { name: 'paid' }],
  ['redis-stream', { host: 'redis.example.com', stream: 'orders' }],
])('%s: the expression of a key is read, too', (kind, rest) => {
  expect(check(kind, { ...rest, key: 'event.payload.order' })).toEqual([])
  expect(check(kind, { ...rest, key: 'event.payload.' })).toMatchObject([
    { code: 'expression_invalid', field: 'triggers.t.parameters.key' },
  ])
})

test.each(['$', '0', '1700000000000', '1700000000000-3'])('a group may begin after %s', (startAt) => {
  expect(check('redis-stream', { host: 'a.example', stream: 's', startAt })).toEqual([])
})

test.each(['', '>', '-', 'now', '1-2-3'])('a group may not begin after “%s”', (startAt) => {
  expect(check('redis-stream', { host: 'a.example', stream: 's', startAt })).toMatchObject([
    { field: 'triggers.t.parameters.startAt' },
  ])
})
