/** What only some steps say of themselves is drawn, and comes to pass: else no invariant about it proves anything. */

import { expect, test } from 'vitest'
import { redactedMark } from '../../src-engine/model/redact-paths.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { RunHistory } from '../support/history.ts'
import { readHistory } from '../support/history.ts'
import { storeOf } from './campaign.ts'
import { scenarioOf, simulate } from './simulate.ts'

/** Seeds among which each of it has to be met. */
const seedsMax = 600
/** They showed all of it when it was last looked: played first, and all others after them. */
const showing = [260, 41, 8, 215, 305, 334]

/** What a run shows of it, by name. */
const signs: Readonly<Record<string, (history: RunHistory) => boolean>> = {
  'a condition has a failure not tried again': ({ workflow, invocations }) =>
    invocations.some(
      ({ nodeId, status, failureCount }) =>
        status === 'FAILED' && failureCount === 1 && workflow.nodeById.get(nodeId)?.retry.retryIf === 'never',
    ),
  'a condition has a failure tried again': ({ workflow, invocations }) =>
    invocations.some(
      ({ nodeId, attempt }) => attempt > 1 && workflow.nodeById.get(nodeId)?.retry.retryIf === 'again',
    ),
  'a step ends its run': ({ workflow, invocations }) =>
    invocations.some(
      ({ nodeId, status, attempt }) =>
        status === 'SUCCESS' && attempt > 0 && workflow.nodeById.get(nodeId)?.stop?.condition === 'enough',
    ),
  'a part is taken out of a result': ({ invocations }) =>
    invocations.some(({ output }) => output?.kind === 'inline' && output.json.includes(redactedMark)),
  'items have keys': ({ invocations }) => invocations.some(({ dispatch }) => dispatch?.keys !== undefined),
  'items are taken over': ({ invocations }) =>
    invocations.some(({ dispatch }) => dispatch?.taken !== undefined),
  'another run is asked to end': ({ events }) => events.some(({ cause }) => cause.by?.endsWith('/steers')),
  'another run is sent a signal': ({ events }) =>
    events.some(
      ({ body }) =>
        body.type === 'run.changed' &&
        body.set.signals?.some(({ messageId }) => messageId.includes('/steers:')),
    ),
  'a rollback begins anew by itself': ({ events }) =>
    events.some(
      ({ body, actor }) =>
        body.type === 'invocation.registered' &&
        body.invocation.cause.kind === 'retry' &&
        body.invocation.role === 'compensation' &&
        actor.kind !== 'operator',
    ),
  'a rollback is given up by itself': ({ events }) =>
    events.some(
      ({ body, actor }) =>
        body.type === 'run.changed' && body.to === 'ABANDONED' && actor.kind !== 'operator',
    ),
}

/** A store that is looked at before it is closed. */
async function watched(look: (histories: readonly RunHistory[]) => void): Promise<Store> {
  const store = await storeOf('memory')()
  return {
    ...store,
    async close() {
      look((await readHistory(store)).runs)
      await store.close()
    },
  }
}

test('each is drawn, and comes to pass', async () => {
  const missing = new Set(Object.keys(signs))
  const look = (histories: readonly RunHistory[]): void => {
    for (const name of missing) if (histories.some((history) => signs[name]?.(history))) missing.delete(name)
  }
  const all = Array.from({ length: seedsMax }, (_, index) => index + 1)
  for (const seed of new Set([...showing, ...all])) {
    if (missing.size === 0) break
    if (!scenarioOf(seed).particular) continue
    const { violations } = await simulate(seed, { openStore: () => watched(look) })
    expect(violations).toEqual([])
  }
  expect([...missing]).toEqual([])
})
