/** A limit is passed by as many as lost their end, which is told, or their place, and by nobody else. */

import { expect, test } from 'vitest'
import type { FastCluster } from './journaled-store.ts'
import { withoutWhatIsTold } from './told-losses.ts'

const cluster = (...lost: readonly string[]): FastCluster =>
  ({
    reports: [
      {
        gone: lost.map((runId) => ({
          runId,
          opId: `approval:${runId}/p:8d89:approve:ann`,
          did: [`${runId}/n PENDING → RUNNING`, `${runId}/m registered`, `${runId}/o REGISTERED → CANCELLED`],
        })),
      },
    ],
    server: {
      lostTakes: new Set(['run_9/n']),
      lostRenewals: new Set(['run_8/n']),
      lostStarts: new Set(['run_7']),
    },
  }) as unknown as FastCluster

test.for([
  ['I20 2 runs hold workflow:w, which has room for 1, at 4: run_1 and run_2', ['run_1'], false],
  ['I20 2 hold node:w/n, which has room for 1, at 4: run_1/n and run_2/n', ['run_2'], false],
  ['I20 3 runs hold workflow:w, which has room for 1, at 4: run_1 and run_2 and run_3', ['run_1'], true],
  ['I20 2 runs hold workflow:w, which has room for 1, at 4: run_12 and run_2', ['run_1'], true],
  ['I20 2 runs hold workflow:w, which has room for 1, at 4: run_1 and run_2', [], true],
  ['I20 2 hold node:w/n, which has room for 1, at 4: run_9/n and run_2/n', [], false],
  ['I20 2 hold node:w/n, which has room for 1, at 4: run_9/m and run_2/n', [], true],
  ['I21 run_1/n and run_2/n stand for reg:w/n at 4', ['run_1'], false],
  ['I21 run_1/n and run_2/n stand for reg:w/n at 4', [], true],
  ['I21 run_1/m and run_2/m stand for reg:w/m at 4', ['run_1'], true],
  ['I21 run_1/n and run_2/n and run_3/n stand for reg:w/n at 4', ['run_1'], true],
  ['I13 run_8/n was taken from runner_1, who was alive', [], false],
  ['I13 run_9/n was taken from runner_1, who was alive', [], true],
  ['I21 run_1/o and run_2/o stand for reg:w/o at 4', ['run_1'], false],
  ['I20 run_1/n is passed by in the line of node:w/n', ['run_1'], true],
  ['I20 run_7 is passed by in the line of workflow:w', [], false],
  ['I20 run_7/n is passed by in the line of node:w/n', [], true],
  ['I20 run_1 is passed by in the line of workflow:w', ['run_1'], true],
  ['I38 run_1/p ran, but the policy says REQUIRE_APPROVAL', ['run_1'], false],
  ['I38 run_1/p ran, but the policy says REQUIRE_APPROVAL', [], true],
  ['I38 run_1/p ran, but the policy says DENY', ['run_1'], true],
  ['I38 run_1/n ran, but the policy says REQUIRE_APPROVAL', ['run_1'], true],
] as const)('%s, of which %s are told: found is %s', ([text, told, isFound]) => {
  expect(withoutWhatIsTold(cluster(...told), [text])).toEqual(isFound ? [text] : [])
})
