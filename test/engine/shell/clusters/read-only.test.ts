import { expect, test } from 'vitest'
import type { Method } from '../../../../src-engine/protocol/api.ts'
import { inputSchemas } from '../../../../src-engine/protocol/schema.ts'
import { changingMethods } from '../../../../src-engine/shell/clusters/changing-methods.ts'
import { refusingChanges } from '../../../../src-engine/shell/clusters/cluster-host.ts'
import type { Handlers } from '../../../../src-engine/shell/handlers/contract.ts'

const methods = Object.keys(inputSchemas) as readonly Method[]

/** What only reads, of methods that all are about the store. */
const reading: readonly Method[] = [
  ...(['engine.info', 'settings.list', 'atomicService.status', 'audit.list', 'logs.search'] as const),
  ...(['workflows.validate', 'workflows.version', 'workflows.preview', 'workflows.versions'] as const),
  ...([
    'runs.list',
    'runs.counts',
    'runs.get',
    'runs.family',
    'runs.stateAt',
    'runs.why',
    'runs.attempts',
  ] as const),
  ...(['runs.crashReport', 'runs.leases', 'runs.ghosts', 'runners.attempts', 'runners.list'] as const),
  ...(['results.get', 'payloads.get', 'saga.show', 'deadLetters.list', 'deadLetters.get'] as const),
  ...(['quarantine.list', 'quarantine.show', 'outputPolicy.get', 'outputPolicy.test'] as const),
  ...(['approvals.list', 'approvals.show', 'approvals.watch', 'circuits.list', 'pools.list'] as const),
  ...(['triggers.month', 'triggers.preview', 'triggers.list', 'triggers.show', 'triggers.firings'] as const),
  ...(['triggers.why', 'events.list', 'events.show', 'tenants.list', 'policy.get', 'policy.ofStep'] as const),
  ...(['policy.test', 'policy.history', 'policy.replay', 'trust.definition', 'seal.state'] as const),
  ...(['webhooks.list', 'webhooks.address', 'webhooks.callback', 'webhooks.captures'] as const),
  'webhooks.capture',
]
/** Their methods change this machine, if anything: its files, its vault, its lists, its copies of runs. */
const ofThisMachine =
  /^(?:checkpoints|clusters|documents|drafts|expressions|library|pictures|rehearsal|samples|seal|secrets|tasks|teleport|tests|trust|undo)\./

test('a read-only connection refuses whatever changes a cluster, and each method is known to do so or not', async () => {
  const changing = methods.filter((method) => !reading.includes(method) && !ofThisMachine.test(method))
  const refused: readonly Method[] = changingMethods
  expect(refused).toEqual(expect.arrayContaining(changing))
  expect(refused.filter((method) => reading.includes(method))).toEqual([])
  const handlers = Object.fromEntries(methods.map((method) => [method, () => Promise.resolve('done')]))
  const guarded = refusingChanges(handlers as unknown as Handlers, 'plant') as unknown as Readonly<
    Record<Method, () => Promise<unknown>>
  >
  for (const method of methods) {
    const answer = guarded[method]().catch((error: unknown) => error)
    if (refused.includes(method)) expect(await answer).toMatchObject({ code: 'cluster_read_only' })
    else expect(await answer).toBe('done')
  }
})
