/** `sagasmith runner` as people start it: real processes on one data file, and runs for them to do. */

import type { ChildProcess } from 'node:child_process'
import { spawn } from 'node:child_process'
import { expect, onTestFinished } from 'vitest'
import { nodeFlags, runnerFlags } from '../../bin/launcher/cli.mjs'
import type { RunId } from '../../src-engine/model/ids.ts'
import type { JsonObject } from '../../src-engine/model/json.ts'
import { parseDocument } from '../../src-engine/model/read-document.ts'
import { engineSettings } from '../../src-engine/model/settings/engine-settings.ts'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import type { Engine } from '../../src-engine/runtime/engine.ts'
import { isClusterAddress } from '../../src-engine/shell/clusters/cluster-address.ts'
import { openSinkEngine } from '../crash/sink-engine.ts'
import { commandLine } from '../support/program.ts'

const cli = await commandLine()
/** Whatever has not happened by then never will, be the machine as busy as it may. */
export const bound = { timeout: 120_000, interval: 50 }
/** The same where each look reads a list of runs from a cluster. */
export const boundOfLists = { ...bound, interval: 500 }

/** A process of `sagasmith runner`. */
export interface RunnerProcess {
  readonly child: ChildProcess
  /** Everything that it has said so far. */
  readonly lines: readonly (JsonObject & { readonly type: string })[]
  readonly runnerId: string
  readonly ended: Promise<number | null>
}

/** A runner that has said that it works, for a data file or a cluster; `environment` is added to this process's own. */
export async function startRunner(
  store: string,
  more: readonly string[] = [],
  environment: Readonly<Record<string, string>> = {},
): Promise<RunnerProcess> {
  const place = isClusterAddress(store) ? store : `sqlite:${store}`
  const args = [...nodeFlags, ...runnerFlags, cli, 'runner', '--store', place, '--json', ...more]
  const child = spawn(process.execPath, args, {
    env: { ...process.env, ...environment },
  })
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
export async function openStarter(directory: string): Promise<Engine> {
  const engine = await openSinkEngine({ directory, settings: engineSettings(), spanOf: () => 0 })
  onTestFinished(async () => {
    await engine.stop()
    await engine.store.close()
  })
  return engine
}

/** Steps one after the other. */
export function chain(nodes: Readonly<Record<string, JsonObject>>): WorkflowDocument {
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

/** Starts a run. */
export async function begin(engine: Engine, document: WorkflowDocument, input: number): Promise<RunId> {
  const { runId } = await engine.startRun({ document, input, baseDirectory: null, requestId: null })
  return runId
}

/** A step that counts. */
export const add = (): JsonObject => ({ kind: 'transform', parameters: { expression: 'input + 1' } })
/** Adds to what an earlier step gave. */
export const addTo = (node: string): JsonObject => ({
  kind: 'transform',
  parameters: { expression: `nodes.${node}.output + 1` },
})
/** A step that takes its time. */
export const nap = (sleepMs: number): JsonObject => ({ kind: 'debug', parameters: { sleepMs } })

/** Who executes the run's step now; null while nobody does. */
export async function executing(engine: Engine, runId: RunId): Promise<string | null> {
  const [record] = await engine.store.load(0, 'invocations', { runId })
  return record?.status === 'RUNNING' ? (record.lease?.runnerId ?? null) : null
}

/** Who executes steps of these runs now. */
export async function workers(engine: Engine, ...runs: readonly RunId[]): Promise<ReadonlySet<string>> {
  const all = await Promise.all(runs.map((runId) => engine.store.load(0, 'invocations', { runId })))
  const owners = all
    .flat()
    .flatMap(({ status, lease }) => (status === 'RUNNING' && lease !== null ? [lease.runnerId] : []))
  return new Set(owners)
}
