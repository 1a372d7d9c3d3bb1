/** What every channel adapter promises, checked on each of them. */

import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { MessageChannel } from 'node:worker_threads'
import { afterEach, describe, expect, test } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { Channel } from '../../../src-engine/protocol/channel.ts'
import { createChannelPair } from '../../../src-engine/protocol/channel-pair.ts'
import { messagePortChannel } from '../../../src-engine/shell/channels/message-port.ts'
import { streamChannel } from '../../../src-engine/shell/channels/stream.ts'
import { webSocketChannel } from '../../../src-engine/shell/channels/web-socket.ts'

interface Line {
  readonly near: Channel
  readonly far: Channel
  readonly dispose: () => void
}

function pairLine(): Promise<Line> {
  const [near, far] = createChannelPair()
  return Promise.resolve({ near, far, dispose: () => undefined })
}

function portLine(): Promise<Line> {
  const { port1, port2 } = new MessageChannel()
  const dispose = (): void => port1.close()
  return Promise.resolve({ near: messagePortChannel(port1), far: messagePortChannel(port2), dispose })
}

function streamLine(): Promise<Line> {
  const folder = mkdtempSync(join(tmpdir(), 'sagasmith-line-'))
  const path = join(folder, 's')
  return new Promise((resolve) => {
    const server = net.createServer((socket) => {
      const dispose = (): void => {
        client.destroy()
        socket.destroy()
        server.close()
        rmSync(folder, { recursive: true })
      }
      resolve({ near: streamChannel(client), far: streamChannel(socket), dispose })
    })
    let client: net.Socket
    server.listen(path, () => {
      client = net.connect(path)
    })
  })
}

function webSocketLine(): Promise<Line> {
  const http = createServer()
  const server = new WebSocketServer({ server: http })
  return new Promise((resolve) => {
    http.listen(0, '127.0.0.1', () => {
      const address = http.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      const client = new WebSocket(`ws://127.0.0.1:${port}`)
      const near = webSocketChannel(client)
      server.on('connection', (socket) => {
        const dispose = (): void => {
          client.terminate()
          http.close()
        }
        resolve({ near, far: webSocketChannel(socket), dispose })
      })
    })
  })
}

const adapters: readonly (readonly [string, () => Promise<Line>])[] = [
  ['in-process pair', pairLine],
  ['MessagePort', portLine],
  ['unix socket', streamLine],
  ['WebSocket', webSocketLine],
]

/** The next `count` messages of a channel. */
function collect(channel: Channel, count: number): Promise<string[]> {
  const texts: string[] = []
  return new Promise((resolve) => {
    channel.onMessage((text) => {
      texts.push(text)
      if (texts.length === count) resolve(texts)
    })
  })
}

const closed = (channel: Channel): Promise<void> => new Promise((resolve) => channel.onClose(resolve))

describe.each(adapters)('a channel (%s)', (_name, open) => {
  let line: Line | null = null
  afterEach(() => line?.dispose())

  test('delivers texts whole and in order, both ways', async () => {
    line = await open()
    const texts = ['', 'a', 'two\nlines\r\n\u2028', 'žluťoučký 🐎', 'x'.repeat(3_000_000), '{"json":true}']
    const there = collect(line.far, texts.length)
    const back = collect(line.near, texts.length)
    for (const text of texts) {
      line.near.send(text)
      line.far.send(text)
    }
    expect(await there).toEqual(texts)
    expect(await back).toEqual(texts)
  })

  test('keeps what arrives before somebody listens', async () => {
    line = await open()
    const { near, far } = line
    near.send('early')
    near.send('later')
    const answered = collect(near, 1)
    far.send('mine')
    // Once the answer is here, the earlier texts have crossed the line too.
    expect(await answered).toEqual(['mine'])
    expect(await collect(far, 2)).toEqual(['early', 'later'])
  })

  test('tells both ends of a close once, after the last message', async () => {
    line = await open()
    const log: string[] = []
    line.far.onMessage((text) => log.push(text))
    line.far.onClose(() => log.push('closed'))
    const farClosed = closed(line.far)
    const nearClosed = closed(line.near)
    for (let index = 0; index < 50; index += 1) line.near.send(String(index))
    line.near.close()
    line.near.close()
    await Promise.all([farClosed, nearClosed])
    expect(log).toEqual([...Array.from({ length: 50 }, (_, index) => String(index)), 'closed'])
  })

  test('tells of a close that came before somebody asked', async () => {
    line = await open()
    const first = closed(line.far)
    line.far.onMessage(() => undefined)
    line.near.close()
    await first
    await closed(line.far)
    await closed(line.near)
    expect(() => line?.far.send('into the void')).not.toThrow()
    expect(() => line?.near.send('into the void')).not.toThrow()
  })

  test('delivers nothing after its own close', async () => {
    line = await open()
    const log: string[] = []
    line.near.onMessage((text) => log.push(text))
    line.near.close()
    line.far.send('too late')
    await Promise.all([closed(line.near), closed(line.far)])
    expect(log).toEqual([])
  })
})
