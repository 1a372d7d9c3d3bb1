/** Addresses of steps: what the process that listens can tell of them, and what reaches the engine. */

import { createHash } from 'node:crypto'
import { afterEach, describe, expect, it } from 'vitest'
import { invocationId } from '../../../../src-engine/model/ids.ts'
import {
  callbackKeysOf,
  callbackReader,
  readCallbackPath,
} from '../../../../src-engine/runtime/webhooks/callback-address.ts'
import type { ListenedCall } from '../../../../src-engine/runtime/webhooks/listener-message.ts'
import type { WebListener } from '../../../../src-engine/runtime/webhooks/web-listener.ts'
import { createWebListener } from '../../../../src-engine/runtime/webhooks/web-listener.ts'
import { fakeClock } from '../../shell/shell-fixtures.ts'

const key = createHash('sha256').update('a data directory').digest()
const id = invocationId('run_0123456789/wait@each:3#2')
const nameIn = (path: string) => {
  const read = readCallbackPath(path)
  if (read === null) throw new Error(`${path} is no address`)
  return read
}

describe('an address of a step', () => {
  it('names its invocation, and is the same whenever it is asked for', () => {
    const keys = callbackKeysOf(key)
    const path = keys.pathOf(id)
    expect(keys.read(nameIn(path))).toBe(id)
    expect(callbackKeysOf(key).pathOf(id)).toBe(path)
    expect(callbackReader(keys.publicKey)(nameIn(path))).toBe(true)
  })

  it('is believed of nobody else: not for another step, another key, or with a letter changed', () => {
    const keys = callbackKeysOf(key)
    const mine = nameIn(keys.pathOf(id))
    const other = nameIn(keys.pathOf(invocationId('run_0123456789/other')))
    const foreign = nameIn(callbackKeysOf(createHash('sha256').update('another').digest()).pathOf(id))
    const changed = `${mine.signature.startsWith('A') ? 'B' : 'A'}${mine.signature.slice(1)}`
    for (const forged of [
      { ...mine, signature: other.signature },
      { ...other, signature: mine.signature },
      foreign,
      { ...mine, signature: changed },
    ]) {
      expect(keys.read(forged)).toBeNull()
      expect(callbackReader(keys.publicKey)(forged)).toBe(false)
    }
  })

  it('is no other path', () => {
    const path = callbackKeysOf(key).pathOf(id)
    for (const other of [
      path.slice(1),
      `${path}x`,
      `${path}/`,
      path.replace('/callbacks/', '/hooks/'),
      '/callbacks/a',
    ])
      expect(readCallbackPath(other)).toBeNull()
  })
})

describe('the process that listens', () => {
  const listeners: WebListener[] = []
  afterEach(async () => {
    for (const listener of listeners.splice(0)) await listener.close()
  })

  const listening = async (callbackKey: string | null) => {
    const calls: ListenedCall[] = []
    const opened = Promise.withResolvers<number>()
    const listener = createWebListener({
      clock: fakeClock(),
      send: (report) => {
        if (report.kind === 'listening') opened.resolve(report.port)
        else if (report.kind === 'call') {
          calls.push(report)
          listener.receive({ kind: 'answer', id: report.id, status: 200, headers: {}, body: 'taken' })
        }
      },
    })
    listener.receive({ kind: 'routes', routes: [], callbackKey })
    listener.receive({ kind: 'listen', host: '127.0.0.1', port: 0 })
    listeners.push(listener)
    return { calls, base: `http://127.0.0.1:${await opened.promise}` }
  }

  it('hands calls of addresses that were given out on, with any method and what names the step', async () => {
    const keys = callbackKeysOf(key)
    const { calls, base } = await listening(keys.publicKey)
    const path = keys.pathOf(id)
    expect((await fetch(`${base}${path}?by=ada`)).status).toBe(200)
    expect((await fetch(base + path, { method: 'POST', body: 'x' })).status).toBe(200)
    expect(calls.map(({ method }) => method)).toEqual(['GET', 'POST'])
    expect(calls[0]).toMatchObject({ path: '', query: 'by=ada', callback: nameIn(path) })
  })

  it('lets nothing through that was not given out, nor anything once no step may be called', async () => {
    const keys = callbackKeysOf(key)
    const open = await listening(keys.publicKey)
    const { name } = nameIn(keys.pathOf(id))
    expect((await fetch(`${open.base}/callbacks/${name}/${'A'.repeat(86)}`)).status).toBe(404)
    const shut = await listening(null)
    expect((await fetch(shut.base + keys.pathOf(id))).status).toBe(404)
    expect([...open.calls, ...shut.calls]).toEqual([])
  })

  it('has whoever calls one address too often wait', async () => {
    const keys = callbackKeysOf(key)
    const { base } = await listening(keys.publicKey)
    const statuses: number[] = []
    for (let count = 0; count < 61; count += 1) statuses.push((await fetch(base + keys.pathOf(id))).status)
    expect(statuses.filter((status) => status === 200)).toHaveLength(60)
    expect(statuses.at(-1)).toBe(429)
  })
})
