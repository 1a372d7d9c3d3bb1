/**
 * One run that is killed and goes on, again and again, until it is final; then everything about it is
 * checked. The parent outlives its engines, and so does what they told the sink.
 */

import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'better-sqlite3'
import { storeId } from '../../src-engine/model/ids.ts'
import { systemClock } from '../../src-engine/runtime/system-ports.ts'
import { dataFileName, openSqliteStore } from '../../src-engine/store/sqlite/sqlite-store.ts'
import { readEffects } from '../support/effect-sink.ts'
import { checkAll } from '../support/invariants.ts'
import { programOf } from '../support/program.ts'
import type { CrashScenario } from './crash-scenario.ts'
import { playStory } from './engine-story.ts'
import { requireStrace } from './power-loss/trace.ts'
import { sinkName } from './sink-engine.ts'

/**
 * When an engine dies: at the n-th passing of a failpoint, so long after it was ready, or in its n-th system
 * call of that name.
 */
export type Kill =
  | { readonly kind: 'failpoint'; readonly name: string; readonly nth: number }
  | { readonly kind: 'time'; readonly afterMs: number }
  | { readonly kind: 'syscall'; readonly name: string; readonly nth: number }

export interface CrashResult {
  /** How many of the planned kills happened. */
  readonly kills: number
  readonly problems: readonly string[]
  /** How often the last engine passed each failpoint. */
  readonly passed: Readonly<Record<string, number>>
  readonly output: string | null
  /** From the last start of a killed run's engine to its being ready, in ms. */
  readonly readyMs: number
}

interface Finished {
  readonly runId: string
  readonly status: string
  readonly output: string | null
  readonly passed: Readonly<Record<string, number>>
}

interface Ended {
  readonly killed: boolean
  readonly accepted: string | null
  readonly finished: Finished | null
  readonly readyMs: number
  readonly errors: string
}

/** An engine that isn't final by then hangs. */
const endMsMax = 180_000
const child = await programOf('test/crash/engine-child.ts')

/**
 * Where the engine lives that nobody kills: in a process like the others, or in this one, which spares the start of a
 * process and finds what the dead have left all the same.
 */
export type Heir = 'process' | 'here'

/** Kills the scenario's engines as planned, one after the other, and lets the last one, the heir, end the run. */
export async function crashRun(
  scenario: CrashScenario,
  kills: readonly Kill[],
  heir: Heir = 'process',
): Promise<CrashResult> {
  const directory = mkdtempSync(join(tmpdir(), 'sagasmith-crash-'))
  try {
    const accepted = new Set<string>()
    let killed = 0
    for (const kill of [...kills, null]) {
      const isHere = kill === null && heir === 'here'
      const ended = isHere
        ? await playHere(directory, scenario)
        : await runEngine(directory, scenario.name, kill)
      if (ended.accepted !== null) accepted.add(ended.accepted)
      if (ended.killed) {
        killed += 1
        continue
      }
      if (ended.finished === null) {
        const problems = [`an engine ended without an end of its run: ${ended.errors}`]
        return { kills: killed, problems, passed: {}, output: null, readyMs: ended.readyMs }
      }
      // A planned kill that never came: the run was over first. Its end is checked all the same.
      const { status, output, passed, runId } = ended.finished
      accepted.add(runId)
      const problems = await checkDirectory(directory, [...accepted])
      if (status !== scenario.status) problems.push(`the run ended ${status}, not ${scenario.status}`)
      return { kills: killed, problems, passed, output, readyMs: ended.readyMs }
    }
    throw new Error('the last engine is never killed')
  } finally {
    rmSync(directory, { recursive: true, force: true })
  }
}

/** What the engine is started with: nothing, or strace, which kills it in a system call and then itself. */
function tracerOf(kill: Kill | null): readonly [] | readonly [string, ...string[]] {
  if (kill?.kind !== 'syscall') return []
  const { name, nth } = kill
  const inject = ['-e', `trace=${name}`, '-e', `inject=${name}:signal=SIGKILL:when=${nth}`]
  return [requireStrace(), '-f', '-qq', '-o', '/dev/null', ...inject]
}

/** What an engine has told so far. */
function createTold(onReady: () => void) {
  const began = performance.now()
  const told: Omit<Writable<Ended>, 'killed'> = { accepted: null, finished: null, readyMs: 0, errors: '' }
  const hear = (said: { readonly [key: string]: unknown }): void => {
    // Lines of `engine-story.ts`, which says what each has.
    if (said['type'] === 'accepted') told.accepted = String(said['runId'])
    if (said['type'] === 'finished') told.finished = said as unknown as Finished
    if (said['type'] === 'problem') told.errors += JSON.stringify(said)
    if (said['type'] !== 'ready') return
    told.readyMs = performance.now() - began
    onReady()
  }
  return { told, hear }
}

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** Plays the story to its end in this process. */
async function playHere(directory: string, scenario: CrashScenario): Promise<Ended> {
  const { told, hear } = createTold(() => {})
  const { promise: hung, resolve: hang } = Promise.withResolvers<string>()
  const timer = setTimeout(() => hang('it hung'), endMsMax)
  const story = playStory({ directory, scenario, atFailpoint: () => {}, say: hear })
  const played = story.then(
    () => '',
    (thrown: unknown) => (thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown)),
  )
  told.errors += await Promise.race([played, hung])
  clearTimeout(timer)
  return { ...told, killed: false }
}

function runEngine(directory: string, scenario: string, kill: Kill | null): Promise<Ended> {
  const atFailpoint = kill?.kind === 'failpoint' ? `${kill.name}@${kill.nth}` : ''
  const [program = process.execPath, ...args] = [
    ...tracerOf(kill),
    process.execPath,
    child,
    directory,
    scenario,
  ]
  const { told, hear } = createTold(() => {
    if (kill?.kind === 'time') setTimeout(() => engine.kill('SIGKILL'), kill.afterMs)
  })
  const engine = spawn(program, args, {
    env: { ...process.env, KILL_AT: atFailpoint },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const hang = setTimeout(() => engine.kill('SIGKILL'), endMsMax)
  let lines = ''
  engine.stdout.on('data', (chunk: Buffer) => {
    lines += chunk.toString()
    const whole = lines.split('\n')
    lines = whole.pop() ?? ''
    for (const line of whole) if (line !== '') hear(JSON.parse(line) as { readonly [key: string]: unknown })
  })
  engine.stderr.on('data', (chunk: Buffer) => {
    told.errors += chunk.toString()
  })
  return new Promise((resolve) => {
    engine.on('close', (_code, signal) => {
      clearTimeout(hang)
      if (signal === 'SIGKILL' && kill === null) told.errors += 'it hung'
      const killed = signal === 'SIGKILL' && kill !== null && told.finished === null
      resolve({ ...told, killed })
    })
  })
}

/** Everything that must hold of a data directory whose engines have ended, and of its sink. */
export async function checkDirectory(directory: string, accepted: readonly string[]): Promise<string[]> {
  const effects = readEffects(join(directory, sinkName))
  const store = await openSqliteStore({ directory, storeId: storeId('crash-test'), clock: systemClock })
  const problems = [...(await checkAll({ store, effects, accepted, settled: true }))]
  await store.close()
  const file = new Database(join(directory, dataFileName), { readonly: true })
  const integrity = file.pragma('integrity_check', { simple: true })
  if (integrity !== 'ok') problems.push(`I30 the file is damaged: ${String(integrity)}`)
  const orphans = file.pragma('foreign_key_check') as readonly unknown[]
  if (orphans.length > 0) problems.push(`I30 ${orphans.length} rows refer to nothing`)
  file.close()
  return problems
}
