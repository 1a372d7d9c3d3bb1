/** A channel that is about a cluster: everything after hello goes there, and nothing before it is reached. */

import { expect, test } from 'vitest'
import { SagasmithError } from '../../../src-engine/model/errors.ts'
import { createChannelPair } from '../../../src-engine/protocol/channel-pair.ts'
import { createClient } from '../../../src-engine/protocol/client.ts'
import type { Handlers } from '../../../src-engine/shell/handlers/contract.ts'
import type { HostDeps } from '../../../src-engine/shell/host.ts'
import { serveChannel } from '../../../src-engine/shell/host.ts'
import { fakeClock, fakeFeed, silentLog } from './shell-fixtures.ts'

const depsOf = (storeId: string): HostDeps => {
  // Only this method is ever called.
  const handlers = { 'drafts.list': () => Promise.resolve([]) } as Partial<Handlers> as Handlers
  const welcome = { engineVersion: '1.2.3', storeId }
  return { handlers, engine: fakeFeed().engine, clock: fakeClock(), log: silentLog, welcome }
}

function setUp(cluster?: HostDeps['cluster']) {
  const [near, far] = createChannelPair()
  const own = depsOf('own')
  serveChannel(cluster === undefined ? own : { ...own, cluster }, far, null)
  return near
}

test('a client that names a cluster is welcomed by the cluster’s store', async () => {
  const asked: string[] = []
  const near = setUp(async (name) => {
    asked.push(name)
    return depsOf('remote')
  })
  const client = createClient(near, { token: null, cluster: 'plant' })
  await expect(client.welcome).resolves.toMatchObject({ storeId: 'remote' })
  expect(asked).toEqual(['plant'])
})

test('what is called before the cluster is reached waits for it, in order', async () => {
  const reached = Promise.withResolvers<HostDeps>()
  const remote = depsOf('remote')
  const order: string[] = []
  const handlers = {
    'drafts.list': async () => {
      order.push('list')
      return []
    },
    'drafts.remove': async () => {
      order.push('remove')
      return {}
    },
  } as Partial<Handlers> as Handlers
  const client = createClient(
    setUp(() => reached.promise),
    { token: null, cluster: 'plant' },
  )
  const calls = [client.call('drafts.list', {}), client.call('drafts.remove', { id: 'd' })]
  await Promise.resolve()
  expect(order).toEqual([])
  reached.resolve({ ...remote, handlers })
  await Promise.allSettled(calls)
  expect(order[0]).toBe('list')
})

test('a cluster that can’t be reached refuses the client with the reason', async () => {
  const near = setUp(() => Promise.reject(new SagasmithError('redis_unreachable')))
  const client = createClient(near, { token: null, cluster: 'plant' })
  await expect(client.welcome).rejects.toMatchObject({ code: 'redis_unreachable' })
})

test('an engine that knows no clusters says so', async () => {
  const client = createClient(setUp(), { token: null, cluster: 'plant' })
  await expect(client.welcome).rejects.toMatchObject({ code: 'cluster_unknown' })
})

test('a client that names none stays with the engine’s own data', async () => {
  const client = createClient(
    setUp(async () => depsOf('remote')),
    { token: null },
  )
  await expect(client.welcome).resolves.toMatchObject({ storeId: 'own' })
})
