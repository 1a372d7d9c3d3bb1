/** What a mutex or semaphore counts, by its parameters. */

import { describe, expect, test } from 'vitest'
import { semaphoreRun } from '../../../src-engine/tasks/semaphore/run.ts'
import { semaphoreSpec } from '../../../src-engine/tasks/semaphore/spec.ts'
import { taskContext } from '../../support/task-context.ts'

const { counted, whenFull } = semaphoreSpec.limit

describe('semaphore', () => {
  test.for([
    [{}, { key: null, isShared: false, count: 1, perMs: null }],
    [
      { permits: 3, key: { a: 1 }, scope: 'workspace' },
      { key: { a: 1 }, isShared: true, count: 3, perMs: null },
    ],
  ] as const)('counts %j as %j', ([parameters, expected]) => {
    expect(counted(parameters)).toEqual(expected)
  })

  test.for([
    { permits: 0 },
    { permits: 1.5 },
    { permits: 1_001 },
    { onFull: 'never' },
    { leaseMs: 0 },
    { leaseMs: 366 * 86_400_000 + 1 },
    // Everything in the workspace would be one.
    { scope: 'workspace' },
    { scope: 'workspace', key: null },
  ])('refuses %j', (parameters) => {
    expect(semaphoreSpec.parameters.safeParse(parameters).success).toBe(false)
    expect(counted(parameters as never)).toBeNull()
  })

  test('an option that isn’t known yet means that it waits', () => {
    const known = ['wait', 'fail', 'skip', '{{ input.a }}'].map((onFull) => whenFull({ onFull }))
    expect(known).toEqual(['wait', 'fail', 'skip', 'wait'])
  })

  test('has a way out for who gives up only where that is said', () => {
    const ways = (onTimeout: string) => semaphoreSpec.outputs({ onTimeout }).map(({ id }) => id)
    expect(ways('fail')).toEqual(['out'])
    expect(ways('port')).toEqual(['out', 'timeout'])
  })

  test('says on its card what it lets in', () => {
    expect(semaphoreSpec.summary({})).toBe('one at a time')
    expect(semaphoreSpec.summary({ permits: 3, key: 'input.account' })).toBe('3 at a time per input.account')
  })

  test('begins its body with what arrives', async () => {
    const outcome = await semaphoreRun.execute(
      semaphoreSpec.parameters.parse({}),
      taskContext({ input: { a: 1 } }),
    )
    expect(outcome).toEqual({ kind: 'turn', iteration: 0, value: { a: 1 } })
  })
})
