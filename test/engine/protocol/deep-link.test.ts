import fc from 'fast-check'
import { expect, test } from 'vitest'
import { nodeId, runId, workflowId } from '../../../src-engine/model/ids.ts'
import { runStatuses } from '../../../src-engine/model/run-status.ts'
import type { DeepLink } from '../../../src-engine/protocol/deep-link.ts'
import { deepLinkOf, linkPages, readDeepLink } from '../../../src-engine/protocol/deep-link.ts'
import { runBeginnings, runTimes } from '../../../src-engine/protocol/run-search.ts'
import type { RunsPlace } from '../../../src-engine/protocol/runs-link.ts'

const id = fc.stringMatching(/^[A-Za-z0-9_][A-Za-z0-9._:-]{0,40}$/)
const option = <Value>(value: fc.Arbitrary<Value>) => fc.option(value)
const runs: fc.Arbitrary<RunsPlace> = fc
  .record({
    statuses: option(fc.uniqueArray(fc.constantFrom(...runStatuses), { minLength: 1, maxLength: 5 })),
    workflowId: option(id.map(workflowId)),
    time: option(fc.constantFrom(...runTimes)),
    origin: option(fc.constantFrom(...runBeginnings)),
    tenant: option(id),
    error: option(id),
    failedAt: option(id),
    waitsFor: option(id),
  })
  .filter((place) => Object.values(place).some((value) => value !== null))
const link: fc.Arbitrary<DeepLink> = fc.oneof(
  fc.record({ kind: fc.constant('page' as const), page: fc.constant('runs' as const), runs }),
  fc.record({ kind: fc.constant('page' as const), page: fc.constantFrom(...linkPages) }),
  fc.record(
    {
      kind: fc.constant('run' as const),
      runId: id.map(runId),
      nodeId: fc.option(id.map(nodeId)),
      seq: fc.integer({ min: 1, max: 999_999_999_999_999 }),
      cluster: fc.stringMatching(/^[A-Za-z0-9_.-]{1,40}$/),
    },
    { requiredKeys: ['kind', 'runId', 'nodeId'] },
  ),
)

test('an address leads back to the place that it was made for', () => {
  fc.assert(
    fc.property(link, (place) => {
      expect(readDeepLink(deepLinkOf(place))).toEqual(place)
      if (place.kind === 'run' || place.runs === undefined)
        expect(
          readDeepLink(
            `${deepLinkOf({ ...place, ...{ nodeId: null, seq: undefined, cluster: undefined } })}/`,
          ),
        ).not.toBeNull()
    }),
  )
})

test.for([
  'sagasmith://run/',
  'sagasmith://run/run_1?node=',
  'sagasmith://run/run_1?',
  'sagasmith://run/run_1?at=',
  'sagasmith://run/run_1?at=0',
  'sagasmith://run/run_1?at=-1',
  'sagasmith://run/run_1?at=1e3',
  'sagasmith://run/run_1?&at=1',
  'sagasmith://run/run_1?node=a&',
  'sagasmith://run/run_1?node=aat=1&at=',
  'sagasmith://run/run_1?at=1&node=a',
  'sagasmith://run/run_1?at=1&start=true',
  'sagasmith://run/run_1?at=1&at=2',
  'sagasmith://run/run_1?cluster=',
  'sagasmith://run/run_1?cluster=plant&at=1',
  'sagasmith://run/run_1?cluster=redis%3A%2F%2Felsewhere',
  'sagasmith://run/run_1?cluster=mocks%20only',
  `sagasmith://run/run_1?cluster=${'a'.repeat(41)}`,
  'sagasmith://run/run_1?toString=1',
  'sagasmith://page/inbox?cluster=plant',
  'sagasmith://page/runs?cluster=plant',
  'sagasmith://page/inbox?at=1',
  'sagasmith://run/run_1?node=a&start=true',
  'sagasmith://run/run_1?start=true',
  'sagasmith://run/run_1#x',
  'sagasmith://run/..%2f..%2fetc',
  'sagasmith://run/run_1/cancel',
  'sagasmith://run/%00',
  'sagasmith://run/%zz',
  'sagasmith://me@run/run_1',
  'sagasmith://run:80/run_1',
  'sagasmith://page/policy',
  'sagasmith://page/inbox?node=a',
  'sagasmith://page/runs?',
  'sagasmith://page/runs?status=',
  'sagasmith://page/runs?status=FAILED,BROKEN',
  'sagasmith://page/runs?status=FAILED,FAILED',
  'sagasmith://page/runs?status=FAILED&status=FAILED',
  'sagasmith://page/runs?status=FAILED&start=true',
  'sagasmith://page/runs?time=tomorrow',
  'sagasmith://page/runs?origin=nobody',
  'sagasmith://page/runs?error=two%20words',
  'sagasmith://page/runs?error=a=b',
  'sagasmith://page/runs?workflow=%zz',
  'sagasmith://page/runs?text=hello',
  'sagasmith://page/inbox?status=FAILED',
  'sagasmith://start/run_1',
  'sagasmith:run/run_1',
  'SAGASMITH://run/run_1',
  'https://run/run_1',
  ' sagasmith://run/run_1',
  `sagasmith://run/${'a'.repeat(600)}`,
  '--sagasmith://run/run_1',
])('%j is no link of ours', (text) => {
  expect(readDeepLink(text)).toBeNull()
})
