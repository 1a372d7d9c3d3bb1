import { expect, test } from 'vitest'
import type { PermitQueue, WhyWaiting } from '../../src-engine/protocol/why-waiting.ts'
import { runLineWords } from '../../src-renderer/status/run-line-words.ts'
import { isInLine } from '../../src-renderer/status/wait-words.ts'
import { runRecord } from './factories.ts'

const why = (
  code: string,
  permit: Partial<PermitQueue> | null,
  more: Partial<WhyWaiting> = {},
): WhyWaiting => ({
  invocationId: null,
  nodeId: null,
  status: 'CREATED',
  code,
  message: '1 of 1 permits of “workflow:w:74234e” are taken by run_1.',
  since: 0,
  until: null,
  permit:
    permit === null
      ? null
      : { key: 'workflow:w:74234e', limit: 1, holders: ['run_1'], position: 2, waiting: 3, ...permit },
  help: '',
  ...more,
})

test('a run in line says where it stands and what limits it, without the keys of the engine', () => {
  expect(runLineWords(why('workflow_limit', {}), '')).toEqual({
    place: 'Number 2 of 3 in line.',
    limit: 'Not more than 1 run of this workflow at a time (“Runs at a time”).',
    holder: 'run_1',
  })
  expect(runLineWords(why('workflow_limit', { limit: 4 }), 'input.customer').limit).toBe(
    'Not more than 4 runs at a time for the same “input.customer” (“Runs at a time”).',
  )
  expect(runLineWords(why('tenant_limit', {}), '').limit).toBe('Not more than 1 run of its tenant at a time.')
})

test('who waits for a rate is told when it begins, and is led to no run', () => {
  const { limit, holder } = runLineWords(why('rate_limit', { holders: ['x'] }, { until: 60_000 }), '')
  expect(limit).toMatch(/^As many runs have started as may in this time\. It begins at .+ at the latest\.$/)
  expect(holder).toBeNull()
})

test('what isn’t known is told in the engine’s words', () => {
  expect(runLineWords(why('created', null, { message: 'It is about to begin.' }), '')).toEqual({
    place: 'Waits for its turn.',
    limit: 'It is about to begin.',
    holder: null,
  })
})

test('only a run that a limit keeps from beginning stands in line', () => {
  const permits = { permits: [], resolved: true, blockedSince: 3, blockedBy: 'workflow:w' }
  expect(isInLine(runRecord({ status: 'CREATED', permits }))).toBe(true)
  expect(isInLine(runRecord({ status: 'CREATED' }))).toBe(false)
  expect(isInLine(runRecord({ status: 'RUNNING', permits }))).toBe(false)
})
