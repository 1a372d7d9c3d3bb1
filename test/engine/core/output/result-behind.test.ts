/** What undoes a step sees what that gave, also where others don't. */

import { expect, test } from 'vitest'
import { resultBehind } from '../../../../src-engine/core/output/result-behind.ts'
import { invocationId, nodeId, runId } from '../../../../src-engine/model/ids.ts'
import { newInvocation } from '../../../../src-engine/model/new-records.ts'
import type { OutputCheck } from '../../../../src-engine/model/output/output-check.ts'
import { heldCheck } from './held-check.ts'

const inline = (json: string) => ({ kind: 'inline', json }) as const

const plain = newInvocation({
  id: invocationId('r/a'),
  runId: runId('r'),
  nodeId: nodeId('a'),
  taskKind: 'transform',
  registeredAt: 0,
  cause: { kind: 'manual', by: null, detail: null },
  input: inline('1'),
  output: inline('2'),
})

const check: OutputCheck = {
  ...heldCheck,
  held: inline('3'),
  input: inline('4'),
  ports: null,
  dependents: [],
  dependentsCount: 0,
}
const dispatch = {
  firstClaimedAt: null,
  schedulingAttempts: 0,
  lastFailedRunner: null,
  pauseRequestedAt: null,
  beatAt: null,
}

test('a result is seen by what undoes its step, held back or not, until it is thrown away', () => {
  expect(resultBehind(plain)).toEqual({ input: inline('1'), output: inline('2') })
  const gone = { ...plain, input: null, output: null }
  expect(resultBehind({ ...gone, dispatch: { ...dispatch, check } })).toEqual({
    input: inline('4'),
    output: inline('3'),
  })
  const discarded = { ...check, held: null, input: null, standing: 'discarded' } as const
  expect(resultBehind({ ...gone, dispatch: { ...dispatch, check: discarded } })).toEqual({
    input: null,
    output: null,
  })
})
