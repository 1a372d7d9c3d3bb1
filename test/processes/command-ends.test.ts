/** Every command as a program: it ends by itself, with its exit code and what it has to say. */

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import type { commandLoaders } from '../../src-engine/shell/commands/catalogue.ts'
import { loadSettings } from '../../src-engine/shell/config.ts'
import { openEngineHost } from '../../src-engine/shell/engine-host.ts'
import { documentOf } from '../engine/model/workflow-fixture.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'
import { endOf, startProgram } from './sagasmith.ts'

type CommandName = keyof typeof commandLoaders

/** What ends only when it is told to is shown where it is told: `cli.test.ts`, `runners.test.ts`. */
type Staying = 'serve' | 'runner'

/** How each command is called, and the exit code that it is to have. */
const calls = (
  file: string,
): Readonly<Record<Exclude<CommandName, Staying>, readonly [number, ...string[]]>> => ({
  run: [0, file],
  validate: [0, file],
  export: [0, file, '--to', 'json'],
  import: [0, file, '--to', 'json'],
  tasks: [0, 'list'],
  test: [2, file],
  rehearse: [0, file],
  publish: [0, file],
  push: [1, file, '--cluster', 'redis://127.0.0.1:1', '--yes'],
  clusters: [0, 'list'],
  pools: [0, 'list'],
  policy: [0, 'show'],
  tenants: [0, 'list'],
  teleport: [0, 'list'],
  runs: [0, 'list'],
  signal: [1, 'run_gone', 'go'],
  event: [0, 'list'],
  triggers: [0, 'list'],
  approvals: [0, 'list'],
  audit: [0],
  logs: [0],
  webhooks: [0],
  circuits: [0],
  dlq: [0, 'list'],
  quarantine: [0, 'list'],
  'output-policy': [0, 'show'],
  secrets: [0, 'list'],
  seal: [0, 'list'],
  trust: [0, 'list'],
  prune: [0],
  status: [0, 'render'],
  config: [0, 'show'],
  doctor: [0],
  version: [0],
})

function scene() {
  const folder = temporaryFolder()
  const file = join(folder, 'w.json')
  writeFileSync(file, JSON.stringify(documentOf({ nodes: { a: { kind: 'noop' } } })))
  return { data: join(folder, 'data'), file }
}

type Call = readonly [name: string, called: readonly [number, ...string[]]]

/** How each has ended. Two at a time, for most of what a program does here is to start. */
async function endsOf(data: string, all: readonly Call[], atATime: number): Promise<readonly unknown[]> {
  const next = all.entries()
  const ends: unknown[] = []
  const callNext = async (): Promise<void> => {
    for (const [index, [name, [, ...args]]] of next) {
      const { code, err, out } = await endOf(startProgram([name, ...args, '--data', data, '--json']))
      // Drawings are no lines, whatever was asked for.
      ends[index] = { name, code, err, refused: out.includes('{"type":"error"') }
    }
  }
  await Promise.all(Array.from({ length: atATime }, callNext))
  return ends
}

/** As they are to end. */
const meant = (all: readonly Call[]) =>
  all.map(([name, [code]]) => ({ name, code, err: '', refused: code !== 0 }))

test('each ends by itself when an engine runs that it attaches to', async () => {
  const { data, file } = scene()
  const host = await openEngineHost({
    dataDir: data,
    role: 'serve',
    mode: 'work',
    canRunAtomicService: true,
    settings: loadSettings({ flags: { data }, environment: {} }),
  })
  onTestFinished(() => host.close())
  const all = Object.entries(calls(file))
  expect(await endsOf(data, all, 2)).toEqual(meant(all))
})

test('those that look, steer and run end by themselves when they open the data on their own', async () => {
  const { data, file } = scene()
  const { run, runs, publish, policy, secrets, doctor, prune } = calls(file)
  const alone = Object.entries({ run, runs, publish, policy, secrets, doctor, prune })
  expect(await endsOf(data, alone, 1)).toEqual(meant(alone))
})
