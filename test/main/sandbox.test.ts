import { EventEmitter } from 'node:events'
import type { UtilityProcess } from 'electron'
import { MessageChannelMain } from 'electron'
import { expect, test } from 'vitest'
import { startSandbox } from '../../src-main/sandbox-broker.ts'
import { createUtilitySandboxHosts } from '../../src-main/utility-sandbox.ts'

class FakeChild extends EventEmitter {
  pid: number | undefined = undefined
  readonly heard: unknown[] = []
  postMessage(text: unknown): void {
    this.heard.push(text)
  }

  spawn(): void {
    this.pid = 4711
    this.emit('spawn')
  }
}

/** The engine's host joined with the main process's broker over a real pair of ports. */
function setUp() {
  const child = new FakeChild()
  const killed: number[] = []
  const asked: number[] = []
  const programs: string[] = []
  const hosts = createUtilitySandboxHosts((id, program) => {
    asked.push(id)
    programs.push(program)
  })
  const sandbox = hosts.of('javascript-sandbox').start()
  const connect = (): void => {
    const port = startSandbox({
      fork: () => child as unknown as UtilityProcess,
      createChannel: () => new MessageChannelMain(),
      kill: (pid) => {
        killed.push(pid)
        child.emit('exit', 9)
      },
    })
    hosts.arrived(asked[0] ?? 0, port)
  }
  const texts: string[] = []
  let exitCount = 0
  sandbox.onText((text) => void texts.push(text))
  sandbox.onExit(() => {
    exitCount += 1
  })
  return { child, killed, asked, programs, hosts, sandbox, connect, texts, exitCount: () => exitCount }
}

test('what is sent before the process is there waits for it, in order', async () => {
  const { child, sandbox, connect } = setUp()
  sandbox.send('one')
  sandbox.send('two')
  connect()
  child.spawn()
  sandbox.send('three')
  await expect.poll(() => child.heard).toEqual(['one', 'two', 'three'])
})

test('answers come back, and the end comes after them, once', async () => {
  const { child, connect, texts, exitCount } = setUp()
  connect()
  child.spawn()
  child.emit('message', 'answer')
  child.emit('exit', 0)
  await expect.poll(exitCount).toBe(1)
  expect(texts).toEqual(['answer'])
})

test('killing ends the process, and its end is told afterwards', async () => {
  const { child, killed, sandbox, connect, exitCount } = setUp()
  connect()
  child.spawn()
  sandbox.kill()
  expect(exitCount()).toBe(0)
  await expect.poll(() => killed).toEqual([4711])
  expect(exitCount()).toBe(1)
})

test('a sandbox that is killed before it is there never runs on', async () => {
  const { child, killed, sandbox, connect } = setUp()
  sandbox.kill()
  connect()
  await new Promise((settle) => setImmediate(settle))
  child.spawn()
  await expect.poll(() => killed).toEqual([4711])
})

test('each program is asked for by its name', () => {
  const { hosts, programs, asked } = setUp()
  hosts.of('webhook-listener').start()
  expect(programs).toEqual(['javascript-sandbox', 'webhook-listener'])
  expect(new Set(asked).size).toBe(2)
})
