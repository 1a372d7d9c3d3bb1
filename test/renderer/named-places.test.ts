/** What a pasted id or line of a log leads to. */

import { describe, expect, test, vi } from 'vitest'
import { namedPlaces } from '../../src-engine/protocol/named-places.ts'
import { placeCommands } from '../../src-renderer/commands/place-commands.ts'
import type { Designer } from '../../src-renderer/state/designer.ts'

const told = (text: string) => placeCommands(text).map(({ title }) => title)

describe('a text names', () => {
  test.each([
    ['run_01m850kvcy10', ['Show the run run_01m850kvcy10']],
    ['  "run_01m850kvcy10". ', ['Show the run run_01m850kvcy10']],
    ['run_1/pay', ['Show the step “pay” of run_1']],
    ['run_1/pay@each:3#2', ['Show the step “pay@each:3” of run_1']],
    ['run_1/pay@each:3/in:0~undo', ['Show the step “pay@each:3/in:0~undo” of run_1']],
    ['run_req_webhook%3Aw%2Ft%3Amsg_1', ['Show the run run_req_webhook%3Aw%2Ft%3Amsg_1']],
    ['runner_01m850kvcy10jc', ['Show the runners, for runner_01m850kvcy10jc']],
    ['sagasmith://run/run_1?node=pay&at=9', ['Go to sagasmith://run/run_1?node=pay&at=9']],
    [
      '{"level":"warn","event":"claim.lost","run_id":"run_1","invocation_id":"run_1/pay","runner_id":"runner_0123456789"}',
      ['Show the step “pay” of run_1', 'Show the runners, for runner_0123456789', 'Show the run run_1'],
    ],
    ['run run_1 failed, then run_2: run_1 again', ['Show the run run_1', 'Show the run run_2']],
  ] as const)('%s', (text, expected) => {
    expect(told(text)).toEqual(expected)
  })

  test.each([
    '',
    'run',
    'run the tests',
    'run_',
    'runs_1',
    'runner_',
    'sagasmith://start/x',
    'https://x/run_1',
    'run_1/',
    'run_id=',
  ])('nothing: %o', (text) => {
    expect(namedPlaces(text)).toEqual([])
  })

  test('no more than anybody chooses from, however long the log', () => {
    const log = Array.from({ length: 5_000 }, (_, index) => `run_${index} ended`).join('\n')
    expect(namedPlaces(log)).toHaveLength(8)
  })
})

test('a runner leads to the page of the runners', () => {
  const setEnginePage = vi.fn<(page: string) => void>()
  const designer = { view: { getState: () => ({ setEnginePage }) } } as unknown as Designer
  placeCommands('runner_01m850kvcy10jc')[0]?.run(designer)
  expect(setEnginePage).toHaveBeenCalledExactlyOnceWith('runners')
})
