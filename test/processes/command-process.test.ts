/** Commands of one process: each tells what it told by itself, in its turn, and none leaves anything to the next. */

import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { CommandProcess } from '../support/command-process.ts'
import { commandLine } from '../support/program.ts'

function commandProcess(bundle: string): CommandProcess {
  const environment = { ...process.env, SAGASMITH_CONFIG: join(tmpdir(), 'sagasmith-no-such-config.json') }
  const made = new CommandProcess({ bundle, cwd: process.cwd(), environment, closingMs: 50 })
  onTestFinished(() => made.end())
  return made
}

/** A command of our own, in which `words` are those that it was given. */
async function command(text: string): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'sagasmith-command-'))
  onTestFinished(() => rm(path, { recursive: true, force: true, maxRetries: 5 }))
  await writeFile(join(path, 'command.mjs'), `const words = process.argv.slice(2)\n${text}`)
  return join(path, 'command.mjs')
}

test('a command of the product ends with its code and all that it told', async () => {
  const shared = commandProcess(await commandLine())
  const good = await shared.run(['help'])
  expect(good.code).toBe(0)
  expect(good.text).toContain('Draw and run')
  const bad = await shared.run(['no-such-command'])
  expect(bad.code).not.toBe(0)
  expect(bad.text).toContain('no-such-command')
})

test('who asks for several at once has each in its turn, with its own words, whole and on either stream', async () => {
  const shared = commandProcess(
    await command(`process.stdout.write(process.pid + ' ' + words[0].repeat(300_000))
await new Promise((settle) => setTimeout(settle, 1))
process.stderr.write(' and ' + words[0])
process.exitCode = words[0] === 'b' ? 3 : 0`),
  )
  const [a, b] = await Promise.all([shared.run(['a']), shared.run(['b'])])
  expect([a.code, b.code]).toEqual([0, 3])
  // Which of two streams is read first nobody can say.
  const shapeOf = ({ text }: { readonly text: string }, word: string) =>
    new RegExp(`^(\\d+) ${word}{300000}$`).exec(text.replace(` and ${word}`, ''))
  expect(shapeOf(a, 'a')).not.toBeNull()
  expect(shapeOf(b, 'b')?.[1]).toBe(shapeOf(a, 'a')?.[1])
})

test('who would never have ended, or ended the process, is told, and the next one runs', async () => {
  const shared = commandProcess(
    await command(`if (words[0] === 'waits') setInterval(() => undefined, 1_000_000)
if (words[0] === 'leaves') process.exit(1)
console.log('ran')`),
  )
  await expect(shared.run(['waits'])).rejects.toThrow('waits left Timeout behind')
  await expect(shared.run(['leaves'])).rejects.toThrow('leaves ended by itself')
  expect(await shared.run(['ends'])).toEqual({ code: 0, text: 'ran\n' })
})
