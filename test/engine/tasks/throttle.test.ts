/** What a throttle counts, by its parameters. */

import { describe, expect, test } from 'vitest'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { throttleMock } from '../../../src-engine/tasks/throttle/mock.ts'
import { throttleRun } from '../../../src-engine/tasks/throttle/run.ts'
import { throttleSpec } from '../../../src-engine/tasks/throttle/spec.ts'
import { taskContext } from '../../support/task-context.ts'

const { counted, lineEnd, whenFull } = throttleSpec.limit

describe('throttle', () => {
  test.for([
    [{}, { key: null, isShared: false, count: 10, perMs: 1_000 }],
    [
      { count: 3, amount: 0.5, unit: 'minutes' },
      { key: null, isShared: false, count: 3, perMs: 30_000 },
    ],
    [
      { amount: 0.001, unit: 'milliseconds' },
      { key: null, isShared: false, count: 10, perMs: 1 },
    ],
    [
      { key: { a: 1 }, scope: 'workspace' },
      { key: { a: 1 }, isShared: true, count: 10, perMs: 1_000 },
    ],
  ] as const)('counts %j as %j', ([parameters, expected]) => {
    expect(counted(parameters)).toEqual(expected)
  })

  test.for([
    { count: 0 },
    { count: 2.5 },
    { amount: 0 },
    { amount: 32, unit: 'days' },
    // Everything in the workspace would be one.
    { scope: 'workspace' },
    { scope: 'workspace', key: null },
  ])('refuses %j', (parameters) => {
    expect(throttleSpec.parameters.safeParse(parameters).success).toBe(false)
    expect(counted(parameters)).toBeNull()
  })

  test('an option that isn’t known yet means that it waits', () => {
    expect(['wait', 'fail', 'skip', '{{ input.a }}'].map((onFull) => whenFull({ onFull }))).toEqual([
      'wait',
      'fail',
      'skip',
      'wait',
    ])
  })

  test.for([
    [{}, null],
    [{ onTimeout: 'wait', waitTimeout: 5 }, null],
    [{ onTimeout: 'port' }, { afterMs: 30_000, by: 'port' }],
    [
      { onTimeout: 'fail', waitTimeout: 5 },
      { afterMs: 5, by: 'fail' },
    ],
    // What finds no room doesn't wait at all.
    [{ onFull: 'skip', onTimeout: 'port' }, null],
    // It is refused when it begins; until then nobody waits for ever.
    [
      { onTimeout: 'fail', waitTimeout: 'soon' },
      { afterMs: 60_000, by: 'fail' },
    ],
  ] as const)('%j gives up: %j', ([parameters, expected]) => {
    expect(lineEnd(parameters)).toEqual(expected)
  })

  test('has a way out for who gives up only where that is said', () => {
    const ways = (parameters: JsonObject) => throttleSpec.outputs(parameters).map(({ id }) => id)
    expect(ways({})).toEqual(['out'])
    expect(ways({ onTimeout: 'port' })).toEqual(['out', 'timeout'])
    expect(ways({ onTimeout: 'port', onFull: 'fail' })).toEqual(['out'])
  })

  test('says on its card what it lets through', () => {
    expect(throttleSpec.summary({})).toBe('10 per second')
    expect(throttleSpec.summary({ count: 3, amount: 5, unit: 'minutes' })).toBe('3 per 5 minutes')
  })

  test('hands on what arrives, as its mock does', async () => {
    const parameters = throttleSpec.parameters.parse({})
    const context = taskContext({ input: { a: 1 } })
    const expected = { kind: 'completed', output: { a: 1 }, ports: ['out'] }
    expect(await throttleRun.execute(parameters, context)).toMatchObject(expected)
    expect(throttleMock(parameters, context)).toMatchObject(expected)
  })
})
