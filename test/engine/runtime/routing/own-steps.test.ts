/** Which steps a runner goes on with itself, and which it leaves to the claim. */

import { expect, test } from 'vitest'
import { runnerId } from '../../../../src-engine/model/ids.ts'
import type { Route } from '../../../../src-engine/model/invocation.ts'
import { noPoolRules } from '../../../../src-engine/model/pools.ts'
import type { OwnStepsDependencies } from '../../../../src-engine/runtime/routing/own-steps.ts'
import { createOwnSteps } from '../../../../src-engine/runtime/routing/own-steps.ts'
import { taskSpecsByKind } from '../../../../src-engine/tasks/specs.ts'

const own = runnerId('own')
const dependencies: OwnStepsDependencies = {
  runnerId: own,
  clock: { now: () => 1_000 },
  settings: {
    pools: ['default', 'gpu'],
    capabilities: ['Cuda'],
    labels: ['placement.zone=eu'],
    tags: ['nightly'],
  },
  executor: { host: { specsByKind: taskSpecsByKind } },
  pools: { rules: () => noPoolRules },
  limits: { leavesAlone: () => true },
  policy: { kernel: { isActive: () => false } },
}
const route: Route = {
  pools: ['default'],
  labels: [],
  requires: [],
  preferredRunner: null,
  preferredUntil: null,
}
const step = { taskKind: 'noop', pool: 'default', route }
const accepts = createOwnSteps(dependencies)

test.each([
  ['a step of its pool that asks for nothing', { route: null }, true],
  ['one of another pool', { pool: 'other', route: null }, false],
  ['one of a kind that it does not know', { taskKind: 'unheard-of', route: null }, false],
  ['one for its labels', { route: { ...route, labels: ['placement.zone=eu'] } }, true],
  ['one for other labels', { route: { ...route, labels: ['placement.zone=us'] } }, false],
  ['one for what it can', { route: { ...route, requires: ['cuda'] } }, true],
  ['one for what it can’t', { route: { ...route, requires: ['tpu'] } }, false],
  ['one of its tags', { route: { ...route, tags: ['nightly'] } }, true],
  ['one of other tags', { route: { ...route, tags: ['daily'] } }, false],
  ['one that prefers it', { route: { ...route, preferredRunner: own, preferredUntil: 9_000 } }, true],
  [
    'one that prefers another',
    { route: { ...route, preferredRunner: runnerId('o'), preferredUntil: 9_000 } },
    false,
  ],
  [
    'one whose preferred runner had its time',
    { route: { ...route, preferredRunner: runnerId('o'), preferredUntil: 999 } },
    true,
  ],
  [
    'one that prefers a pool it doesn’t work for',
    { pool: 'far', route: { ...route, pools: ['far', 'default'] } },
    false,
  ],
  ['one whose topic has no pool', { route: { ...route, pools: [] } }, false],
])('%s: %o', (_what, set, goesOn) => {
  expect(accepts({ ...step, ...set })).toBe(goesOn)
})

test.each([
  ['while others have to be counted', { limits: { leavesAlone: () => false } }],
  ['while a policy is asked', { policy: { kernel: { isActive: () => true } } }],
])('nothing %s', (_when, set) => {
  expect(createOwnSteps({ ...dependencies, ...set })(step)).toBe(false)
})
