/** What a step says of the runs that it cancels or signals. */

import { expect, test } from 'vitest'
import { steerRunsMock } from '../../../src-engine/tasks/steer-runs/mock.ts'
import { steerRunsRun } from '../../../src-engine/tasks/steer-runs/run.ts'
import type { SteerRunsParameters } from '../../../src-engine/tasks/steer-runs/spec.ts'
import { steerRunsSpec } from '../../../src-engine/tasks/steer-runs/spec.ts'
import { taskContext, thrownBy } from '../../support/task-context.ts'

const parameters = (more: Partial<SteerRunsParameters>): SteerRunsParameters => ({
  ...steerRunsSpec.parameters.parse({}),
  ...more,
})
const context = taskContext({ input: { order: 7 } })
const play = (more: Partial<SteerRunsParameters>) => steerRunsRun.execute(parameters(more), context)

test('runs by their ids: one, a list, or none', () => {
  expect(play({ runs: 'run_1', reason: ' late ' })).toEqual({
    kind: 'steers',
    ask: { kind: 'cancel', reason: 'late' },
    which: { kind: 'ids', ids: ['run_1'] },
    atMost: 10,
    takesSome: false,
    includesItself: false,
  })
  expect(play({ runs: ['run_1', ' run_2 '] })).toMatchObject({ which: { ids: ['run_1', 'run_2'] } })
  expect(play({ runs: null })).toMatchObject({ which: { ids: [] } })
})

test('all runs that fit: of a workflow, in a state, of an age, with an input', () => {
  const which = {
    which: 'filter',
    workflow: ' wf_a ',
    state: 'waiting',
    olderThan: 2,
    unit: 'hours',
    match: { order: 7 },
  } as const
  const fits = (more: Partial<SteerRunsParameters>) => {
    const outcome = play(more)
    return 'which' in outcome ? outcome.which : null
  }
  expect(fits(which)).toMatchObject({
    kind: 'filter',
    workflowId: 'wf_a',
    state: 'waiting',
    match: { order: 7 },
  })
  const told = fits(which)
  const before = told?.kind === 'filter' ? told.startedBefore : null
  expect(Math.abs((before ?? 0) - (context.clock.now() - 7_200_000))).toBeLessThan(60_000)
  expect(fits({ which: 'filter' })).toEqual({
    kind: 'filter',
    workflowId: null,
    state: 'under-way',
    match: null,
    startedBefore: null,
  })
})

test('a signal carries what it says, or what arrived', () => {
  const more = { action: 'signal', name: 'go', runs: 'run_1' } as const
  expect(play(more)).toMatchObject({
    ask: { kind: 'signal', name: 'go', payload: { order: 7 }, correlation: null },
  })
  expect(play({ ...more, payload: [1], correlation: 7 })).toMatchObject({
    ask: { payload: [1], correlation: '7' },
  })
})

test.each([
  ['name', { action: 'signal', runs: 'run_1' }],
  ['runs', { runs: 7 }],
  ['runs', { runs: ['run_1', ''] }],
  ['match', { which: 'filter', match: [1] }],
] as const)('what makes no sense is refused with the field: %s', async (field, more) => {
  const thrown = await thrownBy(async () => play(more))
  expect(thrown).toMatchObject({ code: 'task_input_invalid', details: { field } })
})

test('on mocks nobody is asked for anything, and the log says so', () => {
  const mocked = taskContext({})
  expect(steerRunsMock(parameters({}), mocked)).toMatchObject({ output: { requested: [], left: [] } })
  expect(mocked.lines.join()).toContain('no run was asked to end')
})

test('its card says what it does to whom', () => {
  expect(steerRunsSpec.summary({ runs: 'input.id' })).toBe('cancels input.id')
  expect(steerRunsSpec.summary({ action: 'signal', name: 'go', which: 'filter' })).toBe(
    'signals go to runs of all workflows',
  )
})
