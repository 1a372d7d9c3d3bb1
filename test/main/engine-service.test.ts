import { EventEmitter } from 'node:events'
import type { MessageEvent } from 'electron'
import { expect, test } from 'vitest'
import { SagasmithError } from '../../src-engine/model/errors.ts'
import type { Channel } from '../../src-engine/protocol/channel.ts'
import type { EngineToMain } from '../../src-main/engine-messages.ts'
import type { ServableEngine } from '../../src-main/engine-service.ts'
import { runEngineService } from '../../src-main/engine-service.ts'

class FakePort extends EventEmitter {
  readonly sent: unknown[] = []
  isClosed = false

  postMessage(message: unknown): void {
    this.sent.push(message)
  }

  start(): void {}

  close(): void {
    this.isClosed = true
  }
}

function setUp() {
  const opening = Promise.withResolvers<ServableEngine>()
  const said: EngineToMain[] = []
  const served: Channel[] = []
  const errors: string[] = []
  const sandboxes: number[] = []
  const answers: unknown[] = []
  const hints: string[] = []
  const exited = Promise.withResolvers<number>()
  let hear: (event: MessageEvent) => void = () => undefined
  let closeCount = 0
  runEngineService({
    parent: {
      on: (_name, listener) => {
        hear = listener
      },
      postMessage: (message) => void said.push(message),
    },
    open: () => opening.promise,
    exit: exited.resolve,
    reportError: (text) => void errors.push(text),
    onSandbox: (id) => void sandboxes.push(id),
    onKeyStore: (id, answer) => void answers.push([id, answer]),
  })
  const engine: ServableEngine = {
    serve: (channel) => void served.push(channel),
    power: (hint) => void hints.push(hint),
    grant: (path) => void hints.push(path),
    close: async () => {
      closeCount += 1
    },
  }
  const tell = (data: unknown, ports: readonly FakePort[] = []): void => {
    hear({ data, ports } as unknown as MessageEvent)
  }
  return {
    opening,
    said,
    served,
    errors,
    sandboxes,
    answers,
    hints,
    exited: exited.promise,
    engine,
    tell,
    closeCount: () => closeCount,
  }
}

test('a line that comes while the engine opens is served once it is open', async () => {
  const { opening, said, served, engine, tell } = setUp()
  tell({ kind: 'connect' }, [new FakePort()])
  expect(served).toHaveLength(0)
  opening.resolve(engine)
  await opening.promise
  await expect.poll(() => served.length).toBe(1)
  expect(said).toEqual([{ kind: 'ready' }])
})

test('what the system says of its power is passed on, and of no use before the engine is open', async () => {
  const { opening, said, errors, hints, engine, tell } = setUp()
  tell({ kind: 'power', hint: 'suspend' })
  opening.resolve(engine)
  await expect.poll(() => said.length).toBe(1)
  tell({ kind: 'power', hint: 'resume' })
  tell({ kind: 'grant', path: '/a.json' })
  expect(hints).toEqual(['resume', '/a.json'])
  expect(errors).toEqual([])
})

test('a line carries text both ways', async () => {
  const { opening, served, engine, tell } = setUp()
  const port = new FakePort()
  opening.resolve(engine)
  await opening.promise
  tell({ kind: 'connect' }, [port])
  await expect.poll(() => served.length).toBe(1)
  const heard: string[] = []
  served[0]?.onMessage((text) => heard.push(text))
  port.emit('message', { data: 'hello', ports: [] })
  served[0]?.send('back')
  expect(heard).toEqual(['hello'])
  expect(port.sent).toEqual(['back'])
})

test('stop closes the engine, then exits with 0', async () => {
  const { opening, exited, engine, tell, closeCount } = setUp()
  opening.resolve(engine)
  tell({ kind: 'stop' })
  expect(await exited).toBe(0)
  expect(closeCount()).toBe(1)
})

test('a lasting refusal is told with its code; the process waits for its stop', async () => {
  const { opening, said, errors, exited, tell } = setUp()
  const port = new FakePort()
  tell({ kind: 'connect' }, [port])
  opening.reject(new SagasmithError('store_corrupt'))
  await expect.poll(() => said).toMatchObject([{ kind: 'refused', error: { code: 'store_corrupt' } }])
  expect(port.isClosed).toBe(true)
  tell({ kind: 'stop' })
  expect(await exited).toBe(1)
  expect(errors.join('')).not.toContain(' at ')
})

test('anything else that keeps it from opening is a crash', async () => {
  const { opening, said, errors, exited } = setUp()
  opening.reject(new Error('unexpected'))
  expect(await exited).toBe(1)
  expect(said).toEqual([])
  expect(errors.join('')).toContain('unexpected')
})

test('the port of a sandbox goes to whoever asked for it', () => {
  const { sandboxes, served, tell } = setUp()
  tell({ kind: 'sandbox', id: 4 }, [new FakePort()])
  expect(sandboxes).toEqual([4])
  expect(served).toEqual([])
})

test('an answer of the key store goes to whoever asked for it', () => {
  const { answers, errors, tell } = setUp()
  const answer = { ok: true, text: 'x', isStale: false }
  tell({ kind: 'key-store', id: 7, answer })
  expect(answers).toEqual([[7, answer]])
  expect(errors).toEqual([])
})
