/** Servers of one process: each as if it had the process for itself, and none leaves anything to the next. */

import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { commandLine } from '../support/program.ts'
import { ServingProcess } from '../support/serving-process.ts'

async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'sagasmith-in-turn-'))
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
  return path
}

function servingProcess(bundle: string): ServingProcess {
  const environment = { ...process.env, SAGASMITH_CONFIG: join(tmpdir(), 'sagasmith-no-such-config.json') }
  const made = new ServingProcess({ bundle, cwd: process.cwd(), environment, closingMs: 50 })
  onTestFinished(() => made.end())
  return made
}

/** On a busy machine. */
const waiting = { timeout: 60_000, interval: 10 }

const says = `console.log(JSON.stringify({ type: 'serving', url: 'http://nowhere', port: 1 }))`
/** Who has said where it is can be interrupted, as `serve` can. */
const saysAndServes = `const interrupted = new Promise((settle) => process.on('SIGINT', settle))
${says}
await interrupted`

/** A command of our own. */
async function command(text: string): Promise<string> {
  const path = join(await folder(), 'command.mjs')
  await writeFile(path, text)
  return path
}

test('one serves after the other in the same process, at the same address, each with a token of its own', async () => {
  const shared = servingProcess(await commandLine())
  const [one, two] = [await folder(), await folder()]
  const first = await shared.serve(one)
  expect((await fetch(first.url)).status).toBe(200)
  await first.stop()
  await expect(fetch(first.url)).rejects.toThrow('fetch failed')

  const second = await shared.serve(two)
  expect((await fetch(second.url)).status).toBe(200)
  expect(second.process.pid).toBe(first.process.pid)
  expect(second.port).toBe(first.port)
  expect(new URL(second.url).hash).not.toBe(new URL(first.url).hash)
  await second.stop()

  // The lock of a data directory is gone with its server, not with the process.
  await (await shared.serve(one)).stop()
})

test('where another program took the address meanwhile, the next one is elsewhere', async () => {
  const shared = servingProcess(await commandLine())
  const first = await shared.serve(await folder())
  await first.stop()
  const other = createServer().listen(first.port, '127.0.0.1')
  onTestFinished(() => void other.close())
  await once(other, 'listening')

  const second = await shared.serve(await folder())
  expect(second.port).not.toBe(first.port)
  expect((await fetch(second.url)).status).toBe(200)
  await second.stop()
})

test('who is killed takes the process along, and the next one gets a new one', async () => {
  const shared = servingProcess(await commandLine())
  const data = await folder()
  const first = await shared.serve(data)
  await first.kill()
  expect(first.process.signalCode).toBe('SIGKILL')
  await first.stop()

  const second = await shared.serve(data)
  expect(second.process.pid).not.toBe(first.process.pid)
  // It goes on where the one was that was killed, as any server does.
  expect(second.url).toBe(first.url)
  await second.stop()
})

test('who is killed takes along what it has started, and what that has', async () => {
  const started = join(await folder(), 'started')
  const sleeps = `sh -c 'sh -c "echo \\$\\$ > ${started}; exec sleep 600" & wait'`
  const shared = servingProcess(
    await command(
      `import { spawn } from 'node:child_process'\nspawn('sh', ['-c', ${JSON.stringify(sleeps)}], { detached: true, stdio: 'ignore' })\n${saysAndServes}`,
    ),
  )
  const server = await shared.serve(await folder())
  const pid = await vi.waitFor(async () => {
    const text = (await readFile(started, 'utf8')).trim()
    expect(text).not.toBe('')
    return Number(text)
  }, waiting)
  await server.kill()
  await vi.waitFor(() => expect(() => process.kill(pid, 0)).toThrow('ESRCH'), waiting)
})

test('what a server leaves behind is told by its kind, and no other one meets it', async () => {
  const shared = servingProcess(await command(`${saysAndServes}\nsetInterval(() => undefined, 1_000_000)`))
  const first = await shared.serve(await folder())
  await expect(first.stop()).rejects.toThrow('left Timeout behind')
  const second = await shared.serve(await folder())
  expect(second.process.pid).not.toBe(first.process.pid)
})

test('a command that is interrupted hears of it once, whoever ran before it', async () => {
  const heard = join(await folder(), 'heard')
  const notes = `import { appendFileSync } from 'node:fs'
process.on('SIGINT', () => appendFileSync(${JSON.stringify(heard)}, 'x'))`
  const shared = servingProcess(await command(`${notes}\n${saysAndServes}`))
  for (const _ of [1, 2, 3]) await (await shared.serve(await folder())).stop()
  expect(await readFile(heard, 'utf8')).toBe('xxx')
})

test('the process ends with whoever started it, in the middle of what it serves', async () => {
  const shared = servingProcess(await command(saysAndServes))
  const served = await shared.serve(await folder())
  const exited = once(served.process, 'exit')
  served.process.disconnect()
  expect(await exited).toEqual([1, null])
})

test('a server that ends badly, or by itself, isn’t taken for one that was stopped', async () => {
  const bad = servingProcess(await command(`${saysAndServes}\nprocess.exitCode = 3`))
  await expect((await bad.serve(await folder())).stop()).rejects.toThrow('ended badly')

  const short = servingProcess(await command(says))
  const served = await short.serve(await folder())
  await expect
    .poll(() =>
      served.stop().then(
        () => '',
        (error: unknown) => String(error),
      ),
    )
    .toContain('ended by itself')
})

test('what a server finds in its environment is its own', async () => {
  const named = `process.env['OF_ONE'] ?? 'nothing'`
  const shared = servingProcess(await command(saysAndServes.replace(`'http://nowhere'`, named)))
  const first = await shared.serve(await folder(), { OF_ONE: 'something' })
  expect(first.url).toBe('something')
  await first.stop()
  const second = await shared.serve(await folder())
  expect(second.url).toBe('nothing')
  expect(second.process.pid).toBe(first.process.pid)
  await second.stop()
})
