/** The process that listens: started, called, killed, started again, and able to do nothing else. */

import { createHash } from 'node:crypto'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { createNodeListenerHost } from '../../src-engine/runtime/webhooks/listener-host.ts'
import type { ListenedRoute } from '../../src-engine/runtime/webhooks/listener-message.ts'
import type { ListenerProcess } from '../../src-engine/runtime/webhooks/listener-process.ts'
import { createListenerProcess } from '../../src-engine/runtime/webhooks/listener-process.ts'
import type { GuardedHost, GuardedProcess } from '../../src-engine/tasks/guarded-process.ts'
import { createNodeGuardedHost } from '../../src-engine/tasks/guarded-process.ts'
import { silentLog } from '../engine/shell/shell-fixtures.ts'

const token = 'abcdefghijklmnopqrstuvwxyz012345'
const route: ListenedRoute = {
  tokenHash: createHash('sha256').update(token).digest('hex'),
  root: 'hooks',
  path: 'orders',
  method: 'POST',
  maxBodyBytes: 1_000,
  callsPerMinute: 1_000,
  answerTimeoutMs: 10_000,
}

const open: ListenerProcess[] = []
afterEach(async () => {
  for (const listener of open.splice(0)) await listener.close()
})

/** Keeps hold of what it starts. */
function watched(host: GuardedHost): GuardedHost & { readonly started: GuardedProcess[] } {
  const started: GuardedProcess[] = []
  return {
    started,
    start: () => {
      const child = host.start()
      started.push(child)
      return child
    },
  }
}

function listener(host: GuardedHost, port = 0): ListenerProcess {
  const made = createListenerProcess({
    host,
    clock: systemClock,
    log: silentLog,
    address: '127.0.0.1',
    port,
    answer: ({ bodyBase64 }) =>
      Promise.resolve({
        status: 200,
        headers: { 'content-type': 'text/plain' },
        body: `heard ${Buffer.from(bodyBase64, 'base64').toString()}`,
      }),
  })
  open.push(made)
  return made
}

async function portOf(made: ListenerProcess): Promise<number> {
  await expect.poll(() => made.state().kind, { timeout: 20_000 }).toBe('listening')
  const state = made.state()
  return state.kind === 'listening' ? state.port : 0
}

const call = async (port: number): Promise<string> => {
  const response = await fetch(`http://127.0.0.1:${port}/hooks/${token}/orders`, {
    method: 'POST',
    body: 'me',
  })
  return response.text()
}

test('it listens only while there is an address to serve', async () => {
  const made = listener(createNodeListenerHost())
  expect(made.state()).toEqual({ kind: 'off' })
  made.serve([route])
  const port = await portOf(made)
  expect(await call(port)).toBe('heard me')
  made.serve([])
  expect(made.state()).toEqual({ kind: 'off' })
  await expect.poll(() => call(port).catch(() => 'refused'), { timeout: 10_000 }).toBe('refused')
})

test('killed, it is there again at its port', async () => {
  const host = watched(createNodeListenerHost())
  const made = listener(host)
  made.serve([route])
  const port = await portOf(made)
  host.started[0]?.kill()
  await expect.poll(() => host.started.length, { timeout: 20_000 }).toBe(2)
  expect(await portOf(made)).toBe(port)
  expect(await call(port)).toBe('heard me')
})

test('a port that is taken is told in words, and tried again', async () => {
  const first = listener(createNodeListenerHost())
  first.serve([route])
  const port = await portOf(first)
  const second = listener(createNodeListenerHost(), port)
  second.serve([route])
  await expect.poll(() => second.state().kind, { timeout: 20_000 }).toBe('failed')
  const state = second.state()
  expect(state.kind === 'failed' && state.error.code).toBe('webhook_port_refused')
  await first.close()
  await expect.poll(() => second.state().kind, { timeout: 20_000 }).toBe('listening')
})

test('a guarded process reads no file of the user’s and starts no program', async () => {
  const entry = new URL('./guarded-guest.mjs', import.meta.url).pathname
  const child = createNodeGuardedHost({ entry, root: '.', heapMb: 64 }).start()
  const said = await new Promise<string>((resolve) => child.onText(resolve))
  expect(JSON.parse(said)).toEqual({ file: 'ERR_ACCESS_DENIED', program: 'ERR_ACCESS_DENIED', env: [] })
})
