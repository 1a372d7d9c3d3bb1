/** Which queue work waits in, and what it counts among: the same for the same, whatever was asked before it. */

import { expect, test } from 'vitest'
import { runnerId } from '../../../../src-engine/model/ids.ts'
import type { InvocationRecord, Route } from '../../../../src-engine/model/invocation.ts'
import { moveInvocation } from '../../../../src-engine/store/redis/index-entries.ts'
import { keyNames, partitionKeys } from '../../../../src-engine/store/redis/layout.ts'
import { shapeOf } from '../../../../src-engine/store/redis/shapes.ts'
import type { Op } from '../../../../src-engine/store/redis/unit.ts'
import { anInvocation, aRun } from '../../../conformance/story.ts'

const route: Route = {
  pools: ['gpu', 'default'],
  labels: ['x'],
  requires: ['cuda'],
  tags: ['t'],
  preferredRunner: null,
  preferredUntil: null,
}
const { tags: _, ...untagged } = route

const plain = anInvocation(aRun(), 'a')
const all: readonly (readonly [string, InvocationRecord])[] = [
  ['no route', plain],
  ['another pool', { ...plain, pool: 'gpu' }],
  ['another priority', { ...plain, priority: 'HIGH' }],
  ['another kind', { ...plain, taskKind: 'wait' }],
  ['a route', { ...plain, route }],
  ['its pools the other way round', { ...plain, route: { ...route, pools: ['default', 'gpu'] } }],
  ['fewer pools', { ...plain, route: { ...route, pools: ['gpu'] } }],
  ['other labels', { ...plain, route: { ...route, labels: ['y'] } }],
  ['other abilities', { ...plain, route: { ...route, requires: [] } }],
  ['other tags', { ...plain, route: { ...route, tags: ['u'] } }],
  ['no tags', { ...plain, route: untagged }],
]

test('each asks its own, whatever came before it', () => {
  const alone = new Map(all.map(([name, record]) => [name, shapeOf(record)]))
  expect(new Set([...alone.values()].map(({ id }) => id))).toHaveLength(all.length)
  for (const [before, one] of all) {
    for (const [name, other] of all) {
      shapeOf(one)
      expect(shapeOf(other), `${name} after ${before}`).toEqual(alone.get(name))
    }
  }
})

test('a route to one pool that asks nothing else is as good as none', () => {
  const bare = { ...route, pools: [plain.pool], labels: [], requires: [], tags: [] }
  expect(shapeOf({ ...plain, route: bare })).toEqual(shapeOf(plain))
})

const keys = partitionKeys('s', 1)
const countedAs = (record: InvocationRecord): unknown => {
  const ops: Op[] = []
  moveInvocation({ state: { keys }, ops }, null, record)
  const count = ops.find(({ key }) => key === keys.of(keyNames.workCounts))
  return JSON.parse(String(count?.args[0]))
}
const ownedBy = (name: string): InvocationRecord => ({
  ...plain,
  status: 'PENDING',
  lease: { runnerId: runnerId(name), fence: { epoch: 1, counter: 1 }, expiresAt: 9 },
})

test('it counts among those of its owner and its pools, whatever came before it', () => {
  const expected: readonly (readonly [InvocationRecord, unknown])[] = [
    [plain, [null, [plain.pool]]],
    [{ ...plain, pool: 'gpu' }, [null, ['gpu']]],
    [{ ...plain, route }, [null, ['gpu', 'default']]],
    [{ ...plain, route: { ...route, pools: ['default', 'gpu'] } }, [null, ['default', 'gpu']]],
    [ownedBy('a'), ['a', [plain.pool]]],
    [ownedBy('b'), ['b', [plain.pool]]],
    [{ ...ownedBy('b'), route }, ['b', ['gpu', 'default']]],
  ]
  for (const [one] of expected) {
    for (const [other, counts] of expected) {
      countedAs(one)
      expect(countedAs(other)).toEqual(counts)
    }
  }
})
