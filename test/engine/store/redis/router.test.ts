/** How long a question is asked again, and what goes on after the end. */

import type { AddressInfo, Server, Socket } from 'node:net'
import { createServer } from 'node:net'
import { afterEach, expect, test } from 'vitest'
import { systemClock } from '../../../../src-engine/runtime/system-ports.ts'
import { openAccess } from '../../../../src-engine/store/redis/redis-options.ts'
import { openRouter } from '../../../../src-engine/store/redis/router.ts'

const cleanUps: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp()
})

/** A node that answers each command by its name; null for never. */
async function aNode(answerTo: (name: string) => string | null) {
  const sockets = new Set<Socket>()
  let connects = 0
  const server: Server = createServer((socket) => {
    connects += 1
    sockets.add(socket)
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket))
    socket.on('data', (bytes) => {
      for (const [, name = ''] of bytes.toString().matchAll(/\*\d+\r\n\$\d+\r\n(\w+)\r\n/g)) {
        const answer = answerTo(name.toUpperCase())
        if (answer !== null) socket.write(answer)
      }
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUps.push(async () => {
    for (const socket of sockets) socket.destroy()
    await new Promise((resolve) => server.close(resolve))
  })
  const { port } = server.address() as AddressInfo
  return { port, open: () => sockets.size, connects: () => connects }
}

const bulk = (text: string): string => `$${Buffer.byteLength(text)}\r\n${text}\r\n`

test('a search for the cluster ends when its store is closed', async () => {
  let silent = false
  const range = (port: number): string => `*1\r\n*3\r\n:0\r\n:16383\r\n*2\r\n${bulk('127.0.0.1')}:${port}\r\n`
  const second = await aNode(() => null)
  const first = await aNode((name) => {
    if (name === 'CLIENT') return '+OK\r\n'
    if (silent) return name === 'GET' ? '-MOVED 1 127.0.0.1:1\r\n' : null
    if (name === 'INFO') return bulk('cluster_enabled:1')
    return name === 'CLUSTER' ? range(first.port) : '+OK\r\n'
  })
  const nodes = [first, second].map(({ port }) => ({ host: '127.0.0.1', port }))
  const router = await openRouter({
    nodes,
    access: openAccess,
    clock: systemClock,
    commandMs: 2_000,
    patienceMs: 0,
  })
  silent = true
  // It is sent elsewhere, so the topology is asked for again, which the first node doesn't answer.
  await expect(router.ask(1, ['GET', 'k'])).rejects.toMatchObject({ code: 'redis_unreachable' })
  router.close()
  await expect.poll(first.open).toBe(0)
  expect(second.connects()).toBe(0)
})

test('a node that answers nothing is asked for a time that ends', async () => {
  const commandMs = 2_000
  let now = 0
  const deadlines = new Set<() => void>()
  const clock = {
    now: () => now,
    /** A pause is over at once; a deadline when the node has got what it doesn't answer. */
    after(ms: number, call: () => void) {
      if (ms === commandMs) deadlines.add(call)
      else {
        now += ms
        setImmediate(call)
      }
      return () => void deadlines.delete(call)
    },
  }
  const node = await aNode((name) => {
    if (name === 'CLIENT') return '+OK\r\n'
    if (name === 'INFO') return bulk('cluster_enabled:0')
    now += commandMs
    for (const call of deadlines) call()
    return null
  })
  const nodes = [{ host: '127.0.0.1', port: node.port }]
  const router = await openRouter({ nodes, access: openAccess, clock, commandMs, patienceMs: 10_000 })
  cleanUps.push(() => router.close())
  await expect(router.ask(1, ['GET', 'k'])).rejects.toMatchObject({ code: 'redis_timeout' })
  expect(now).toBeLessThan(25_000)
})
