/** Addresses of steps that wait for web calls: who listens hears of the first one, and a port that nobody chose is waited for. */

import { expect, test } from 'vitest'
import { invocationId } from '../../../src-engine/model/ids.ts'
import type { Clock } from '../../../src-engine/model/ports.ts'
import type { ListenerState } from '../../../src-engine/runtime/webhooks/listener-process.ts'
import type { CallbackServing } from '../../../src-engine/shell/webhooks/callback-urls.ts'
import { createCallbackUrls } from '../../../src-engine/shell/webhooks/callback-urls.ts'

const id = invocationId('run_1/wait')
const listening: ListenerState = { kind: 'listening', address: '127.0.0.1', port: 4_711 }

/** Whoever listens is in that state; `told` tells of another one. */
function sceneOf({
  state,
  isNews = false,
  port = 0,
}: {
  state: ListenerState
  isNews?: boolean
  port?: number
}) {
  const seen = { refreshes: 0, cancelled: 0 }
  const watching = Promise.withResolvers<void>()
  let now = state
  let tell: (state: ListenerState) => void = () => undefined
  let passed = (): void => undefined
  const clock: Pick<Clock, 'after'> = {
    after: (_ms, call) => {
      passed = call
      return () => {
        seen.cancelled += 1
      }
    },
  }
  const urls = createCallbackUrls({
    settings: { webhookAddress: '127.0.0.1', webhookPort: port, webhookUrl: '', webhookKey: 'k'.repeat(43) },
    keyFile: null,
    isOneMachine: true,
    clock: clock as Clock,
  })
  const serving = {
    engine: { webhooks: { openCallbacks: async () => isNews } },
    server: {
      state: () => now,
      onState: (call: (state: ListenerState) => void) => {
        tell = call
        queueMicrotask(() => watching.resolve())
        return () => {
          tell = () => undefined
        }
      },
      refresh: async () => {
        seen.refreshes += 1
      },
    },
  }
  urls.attach(serving as unknown as CallbackServing)
  const told = (next: ListenerState): void => {
    now = next
    tell(next)
  }
  return { urls, seen, told, pass: () => passed(), watched: watching.promise }
}

test.each([
  ['is told of the first one', { state: listening, isNews: true }, 1],
  ['is told of none that follow it', { state: listening }, 0],
  ['is told where it has nothing to listen for', { state: { kind: 'off' } as const, port: 80 }, 1],
] as const)('who listens %s', async (_, given, refreshes) => {
  const { urls, seen } = sceneOf(given)
  const port = given.state.kind === 'off' ? 80 : 4_711
  expect(await urls.urlOf(id)).toMatch(`http://127.0.0.1:${port}/`)
  expect(seen.refreshes).toBe(refreshes)
})

test('a port that the system chooses is waited for', async () => {
  const { urls, seen, told, watched } = sceneOf({ state: { kind: 'off' } })
  const url = urls.urlOf(id)
  await watched
  expect(seen.refreshes).toBe(1)
  told({ kind: 'starting' })
  told(listening)
  expect(await url).toMatch('http://127.0.0.1:4711/')
  expect(seen.cancelled).toBe(1)
})

test('there is no address where nobody listens in time', async () => {
  const { urls, seen, pass, watched } = sceneOf({ state: { kind: 'off' } })
  const url = urls.urlOf(id)
  await watched
  expect(seen.refreshes).toBe(1)
  pass()
  expect(await url).toBeNull()
})
