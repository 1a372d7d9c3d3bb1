/** `sagasmith runner` as people start it: real processes that share one data file, and how they end. */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { join, resolve } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import type { RunId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { parseDocument } from '../../src-engine/model/read-document.ts'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import { dataFileName } from '../../src-engine/store/sqlite/sqlite-store.ts'
import { openSinkEngine } from '../crash/sink-engine.ts'
import { temporaryFolder } from '../engine/shell/shell-fixtures.ts'

vi.setConfig({ testTimeout: 90_000 })

const cli = join(resolve(import.meta.dirname, '../..'), 'src-engine/shell/cli.ts')
/** Whatever has not happened by then never will. */
const bound = { timeout: 40_000, interval: 50 }

interface RunnerProcess {
  readonly child: ChildProcess
  /** Everything that it has said so far. */
  readonly lines: readonly (JsonObject & { readonly type: string })[]
  readonly runnerId: string
  readonly ended: Promise<number | null>
}

async function startRunner(store: string, ...more: readonly string[]): Promise<RunnerProcess> {
  const child = spawn(process.execPath, [cli, 'runner', '--store', `sqlite:${store}`, '--json', ...more])
  onTestFinished(() => void child.kill('SIGKILL'))
  const ended = new Promise<number | null>((settle) => child.on('exit', (code) => settle(code)))
  const lines: RunnerProcess['lines'][number][] = []
  let text = ''
  child.stdout.on('data', (chunk: Buffer) => {
    text += chunk.toString('utf8')
    const whole = text.split('\n')
    text = whole.pop() ?? ''
    for (const line of whole) lines.push(JSON.parse(line) as (typeof lines)[number])
  })
  await expect.poll(() => lines.length, bound).toBeGreaterThan(0)
  expect(lines[0]?.type).toBe('runner.started')
  return { child, lines, runnerId: JSON.stringify(lines[0]?.['runnerId']).slice(1, -1), ended }
}

/** Starts runs and looks at them; executes nothing. */
async function openStarter(directory: string): Promise<Engine> {
  const engine = await openSinkEngine({ directory, settings: engineSettings(), spanOf: () => 0 })
  onTestFinished(async () => {
    await engine.stop()
    await engine.store.close()
  })
  return engine
}

/** Steps one after the other. */
function chain(nodes: Readonly<Record<string, JsonObject>>): WorkflowDocument {
  const ids = Object.keys(nodes)
  const edges = ids
    .slice(1)
    .map((to, index) => [to, { from: { node: ids[index] ?? '', port: 'out' }, to: { node: to, port: 'in' } }])
  const read = parseDocument({
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: 'chain',
    title: 'Chain',
    nodes,
    edges: Object.fromEntries(edges),
  })
  if (!read.ok) throw read.error
  return read.value.document
}

async function begin(engine: Engine, document: WorkflowDocument, input: number): Promise<RunId> {
  const { runId } = await engine.startRun({ document, input, baseDirectory: null, requestId: null })
  return runId
}

const add = (): JsonObject => ({ kind: 'transform', parameters: { expression: 'input + 1' } })
const nap = (sleepMs: number): JsonObject => ({ kind: 'debug', parameters: { sleepMs } })

/** Who executes the run's step now; null while nobody does. */
async function executing(engine: Engine, runId: RunId): Promise<string | null> {
  const [record] = await engine.store.load(0, 'invocations', { runId })
  return record?.status === 'RUNNING' ? (record.lease?.runnerId ?? null) : null
}

test('two runners share six runs of three steps, each step once, with the right outputs [S43]', async () => {
  const directory = temporaryFolder()
  const starter = await openStarter(directory)
  const [a, b] = await Promise.all([
    startRunner(directory, '--concurrency', '1'),
    startRunner(join(directory, dataFileName), '--concurrency', '1'),
  ])
  const document = chain({ add: add(), nap: nap(150), again: add() })
  const runs = await Promise.all([1, 2, 3, 4, 5, 6].map((input) => begin(starter, document, input)))
  const ended = await Promise.all(runs.map((runId) => starter.waitForRun(runId)))
  expect(ended.map(({ output }) => output)).toEqual(
    [3, 4, 5, 6, 7, 8].map((value) => ({ kind: 'inline', json: String(value) })),
  )
  const attempts = (await Promise.all(runs.map((runId) => starter.attempts(runId, null)))).flat()
  expect(attempts).toHaveLength(18)
  expect(new Set(attempts.map(({ invocationId }) => invocationId)).size).toBe(18)
  expect(new Set(attempts.map(({ runnerId }) => runnerId))).toEqual(new Set([a.runnerId, b.runnerId]))
})

test('SIGTERM hands work back, and what SIGKILL leaves behind is recovered by the other [P53]', async () => {
  const directory = temporaryFolder()
  const starter = await openStarter(directory)
  // All are up before the work begins: starting one may take longer than the step.
  const crew = await Promise.all([1, 2, 3].map(() => startRunner(directory, '--grace', '0s')))
  const runId = await begin(starter, chain({ nap: nap(4_000) }), 1)
  const others = [...crew]
  const nextOwner = async (): Promise<RunnerProcess> => {
    const isOne = async (): Promise<boolean> => {
      const owner = await executing(starter, runId)
      return others.some(({ runnerId }) => runnerId === owner)
    }
    await expect.poll(isOne, bound).toBe(true)
    const owner = await executing(starter, runId)
    const [found] = others.splice(
      others.findIndex(({ runnerId }) => runnerId === owner),
      1,
    )
    if (found === undefined) throw new Error('somebody executes it')
    return found
  }
  const first = await nextOwner()
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)
  expect(first.lines.map(({ type }) => type)).toEqual([
    'runner.started',
    'runner.draining',
    'runner.handing-back',
    'runner.stopped',
  ])
  const second = await nextOwner()
  second.child.kill('SIGKILL')
  await nextOwner()
  expect((await starter.waitForRun(runId)).status).toBe('SUCCEEDED')
  const events = await starter.store.readEvents({
    after: { partition: 0, epoch: starter.store.info.epochs[0] ?? 0, seq: 0 },
    runId,
    until: null,
    limit: 500,
  })
  const moves = events.flatMap(({ body }) =>
    body.type === 'invocation.changed' && body.from !== body.to ? [body.to] : [],
  )
  const telling = ['RUNNING', 'KILLED', 'REROUTED', 'RUNNING_RECOVERY', 'SUCCESS']
  const told = moves.filter((to) => telling.includes(to)).join(' ')
  expect(told).toMatch(/^RUNNING KILLED REROUTED RUNNING RUNNING_RECOVERY (REROUTED )?RUNNING SUCCESS$/)
})

test('a draining runner ends what it has begun, within its grace', async () => {
  const directory = temporaryFolder()
  const starter = await openStarter(directory)
  const runner = await startRunner(directory, '--grace', '30s')
  const runId = await begin(starter, chain({ nap: nap(1_500), after: add() }), 1)
  await expect.poll(() => executing(starter, runId), bound).toBe(runner.runnerId)
  runner.child.kill('SIGTERM')
  expect(await runner.ended).toBe(0)
  expect(runner.lines.map(({ type }) => type)).toEqual([
    'runner.started',
    'runner.draining',
    'runner.stopped',
  ])
  const records = await starter.store.load(0, 'invocations', { runId })
  expect(records.map(({ status }) => status)).toEqual(['SUCCESS', 'REGISTERED'])
})
