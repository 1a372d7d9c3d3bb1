/** Items of a map that were done before its run went on count as done. */

import { expect, test } from 'vitest'
import { stripsOf } from '../../src-renderer/state/turns.ts'

test('they are in the strip of the map, beside those that are worked on', () => {
  const map = {
    ...{ nodeId: 'each', path: '', status: 'WAITING', ports: null, wait: { kind: 'items', count: 5 } },
    dispatch: {
      taken: [
        { at: 0, count: 2, generation: 0, from: 0 },
        { at: 3, count: 1, generation: 0, from: 4 },
      ],
    },
  }
  const step = { nodeId: 'step', path: 'each:2', status: 'RUNNING', ports: null, wait: null, dispatch: null }
  const strips = stripsOf([map, step] as never)
  expect([...strips.values()]).toEqual(['ddad.'])
  // Once it has ended its record tells what it took over, and nothing waits.
  expect([
    ...stripsOf([
      { ...map, wait: null },
      { ...step, status: 'SUCCESS' },
    ] as never).values(),
  ]).toEqual(['dddd'])
})
