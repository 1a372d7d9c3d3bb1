import { EventEmitter } from 'node:events'
import type { MessagePortMain, UtilityProcess, WebContents } from 'electron'
import { expect, test } from 'vitest'
import { errorRecord } from '../../src-engine/model/errors.ts'
import type { EngineProcessState } from '../../src-engine/protocol/desktop-api.ts'
import {
  crashCountMax,
  crashWindowMs,
  EngineProcess,
  restartDelayMaxMs,
  restartDelayMinMs,
  stopLimitMs,
} from '../../src-main/engine-process.ts'
import { forwardPowerEvents } from '../../src-main/power-events.ts'
import { createManualClock } from './manual-clock.ts'

class FakeChild extends EventEmitter {
  readonly stdout = new EventEmitter()
  readonly stderr = new EventEmitter()
  readonly told: { readonly kind: string; readonly portCount: number }[] = []
  readonly heard: unknown[] = []
  killCount = 0

  postMessage(message: { kind: string }, ports: readonly unknown[]): void {
    this.told.push({ kind: message.kind, portCount: ports.length })
    this.heard.push(message)
  }

  kill(): boolean {
    this.killCount += 1
    this.emit('exit', 15)
    return true
  }
}

function setUp() {
  const clock = createManualClock()
  const children: FakeChild[] = []
  const states: EngineProcessState[] = []
  const log: string[] = []
  const engine = new EngineProcess({
    fork: () => {
      const child = new FakeChild()
      children.push(child)
      return child as unknown as UtilityProcess
    },
    createChannel: () => ({
      port1: 'p1' as unknown as MessagePortMain,
      port2: 'p2' as unknown as MessagePortMain,
    }),
    keyStore: (request) => Promise.resolve({ ok: true, text: `${request.op} answered`, isStale: false }),
    startSandbox: (program) => `port of ${program}` as unknown as MessagePortMain,
    clock,
    log: (text) => log.push(text),
    onState: (state) => states.push(state),
  })
  const crash = (): void => {
    children.at(-1)?.emit('exit', 1)
  }
  return { engine, clock, children, states, log, crash }
}

function fakePage() {
  const posted: unknown[][] = []
  const page: Pick<WebContents, 'postMessage'> = { postMessage: (...args) => void posted.push(args) }
  return { page, posted }
}

test('it runs once the engine says that it is ready', () => {
  const { engine, children, states } = setUp()
  engine.start()
  children[0]?.emit('message', { kind: 'ready' })
  expect(states).toEqual([{ status: 'starting' }, { status: 'running' }])
})

test('starting twice starts one process', () => {
  const { engine, children } = setUp()
  engine.start()
  engine.start()
  expect(children).toHaveLength(1)
})

test('a crash restarts it after a delay that doubles, and what it printed is logged [P54]', () => {
  const { engine, clock, children, states, log, crash } = setUp()
  engine.start()
  children[0]?.stderr.emit('data', Buffer.from('out of luck\n'))
  crash()
  expect(states.at(-1)).toEqual({ status: 'restarting', delayMs: restartDelayMinMs, crashCount: 1 })
  clock.advance(restartDelayMinMs)
  crash()
  expect(states.at(-1)).toEqual({ status: 'restarting', delayMs: restartDelayMinMs * 2, crashCount: 2 })
  expect(children).toHaveLength(2)
  expect(log[0]).toBe('out of luck\n')
  expect(log[1]).toContain('exit code 1')
})

test('after too many crashes in a minute it stays down and says so', () => {
  const { engine, clock, children, states, crash } = setUp()
  engine.start()
  for (let count = 1; count < crashCountMax; count += 1) {
    crash()
    clock.advance(restartDelayMaxMs / 4)
  }
  crash()
  expect(states.at(-1)).toMatchObject({
    status: 'stopped',
    error: { code: 'engine_stopped', retryable: false },
  })
  expect(clock.waiting()).toEqual([])
  expect(children).toHaveLength(crashCountMax)
})

test('crashes far apart never add up', () => {
  const { engine, clock, states, crash } = setUp()
  engine.start()
  for (let count = 0; count < crashCountMax * 2; count += 1) {
    crash()
    clock.advance(crashWindowMs + 1)
  }
  crash()
  expect(states.at(-1)).toEqual({ status: 'restarting', delayMs: restartDelayMinMs, crashCount: 1 })
})

test('a person can start it again after it was given up', () => {
  const { engine, clock, children, states, crash } = setUp()
  engine.start()
  for (let count = 0; count < crashCountMax; count += 1) {
    crash()
    clock.advance(restartDelayMaxMs / 4)
  }
  engine.restart()
  expect(children).toHaveLength(crashCountMax + 1)
  crash()
  expect(states.at(-1)).toMatchObject({ status: 'restarting', crashCount: 1 })
})

test('an engine that refuses is told to stop, is not restarted, and its reason is kept', () => {
  const { engine, clock, children, states } = setUp()
  const error = errorRecord('store_too_new')
  engine.start()
  children[0]?.emit('message', { kind: 'refused', error })
  expect(children[0]?.told).toEqual([{ kind: 'stop', portCount: 0 }])
  children[0]?.emit('exit', 1)
  expect(states.at(-1)).toEqual({ status: 'stopped', error })
  expect(clock.waiting()).toEqual([])
  expect(engine.openPort(fakePage().page, 'a')).toEqual({ ok: false, error })
})

test('a page gets one end of a channel and the engine the other, also while it starts', () => {
  const { engine, children } = setUp()
  const { page, posted } = fakePage()
  engine.start()
  expect(engine.openPort(page, 'request-1').ok).toBe(true)
  expect(children[0]?.told).toEqual([{ kind: 'connect', portCount: 1 }])
  expect(posted).toEqual([['engine:port', 'request-1', ['p1']]])
})

test('a port asked of an engine that is down is refused at once', () => {
  const { engine, crash } = setUp()
  const { page, posted } = fakePage()
  engine.start()
  crash()
  expect(engine.openPort(page, 'a')).toMatchObject({
    ok: false,
    error: { code: 'engine_stopped', retryable: true },
  })
  expect(posted).toEqual([])
})

test('the engine gets the port of the sandbox that it asked for', () => {
  const { engine, children } = setUp()
  engine.start()
  children[0]?.emit('message', { kind: 'start-sandbox', id: 3, program: 'webhook-listener' })
  expect(children[0]?.told).toEqual([{ kind: 'sandbox', portCount: 1 }])
})

test('the system’s sleep and its end are told to the engine', () => {
  const { engine, children } = setUp()
  const monitor = new EventEmitter()
  forwardPowerEvents(monitor, (hint) => engine.power(hint))
  monitor.emit('resume')
  engine.start()
  monitor.emit('suspend')
  monitor.emit('resume')
  expect(children[0]?.told.map(({ kind }) => kind)).toEqual(['power', 'power'])
})

test('files that a person chose are allowed to this engine, and to the next one once it is ready', () => {
  const { engine, children, crash, clock } = setUp()
  const grantsOf = (index: number) => children[index]?.told.filter(({ kind }) => kind === 'grant').length
  engine.grant('/before.json')
  engine.start()
  expect(grantsOf(0)).toBe(0)
  children[0]?.emit('message', { kind: 'ready' })
  engine.grant('/a.json')
  expect(grantsOf(0)).toBe(2)
  crash()
  clock.advance(restartDelayMaxMs)
  children[1]?.emit('message', { kind: 'ready' })
  expect(grantsOf(1)).toBe(2)
})

test('stop asks first and waits for the end', async () => {
  const { engine, clock, children, states } = setUp()
  engine.start()
  const stopped = engine.stop()
  expect(children[0]?.told).toEqual([{ kind: 'stop', portCount: 0 }])
  children[0]?.emit('exit', 0)
  await stopped
  expect(children[0]?.killCount).toBe(0)
  expect(clock.waiting()).toEqual([])
  expect(states.at(-1)).toEqual({ status: 'starting' })
})

test('stop ends by force what does not answer in time', async () => {
  const { engine, clock, children, log } = setUp()
  engine.start()
  const stopped = engine.stop()
  clock.advance(stopLimitMs)
  await stopped
  expect(children[0]?.killCount).toBe(1)
  expect(log.join('')).toContain('ended by force')
})

test('stop during a restart delay keeps it down [P54]', async () => {
  const { engine, clock, children, crash } = setUp()
  engine.start()
  crash()
  await engine.stop()
  clock.advance(restartDelayMaxMs)
  expect(children).toHaveLength(1)
})

test('a question to the key store is answered to the process that asked, and to no other', async () => {
  const { engine, clock, children, crash } = setUp()
  engine.start()
  const ask = (id: number): void => {
    children.at(-1)?.emit('message', { kind: 'ask-key-store', id, request: { op: 'check' } })
  }
  ask(3)
  await expect.poll(() => children[0]?.heard.length).toBe(1)
  const answer = { ok: true, text: 'check answered', isStale: false }
  expect(children[0]?.heard).toEqual([{ kind: 'key-store', id: 3, answer }])
  ask(4)
  crash()
  clock.advance(restartDelayMinMs)
  await Promise.resolve()
  expect(children[1]?.heard).toEqual([])
})
