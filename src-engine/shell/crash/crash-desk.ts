/**
 * Kills workers of this machine on purpose. A process of its own that works on the run is killed as it is; for a
 * certain moment, or where the engine itself carries the run, the run is paused, a worker is started with the
 * moment, and that resumes the run and takes its steps in one commit. The engine's own process is never killed.
 */

import { recordOfThrown, SagasmithError } from '../../model/errors.ts'
import type { RunId } from '../../model/ids.ts'
import { runnerId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import { runMachine } from '../../model/run-status.ts'
import type { RunnerRecord } from '../../model/runner.ts'
import type { Millis } from '../../model/time.ts'
import type { CrashAnswer, CrashMoment } from '../../protocol/crash.ts'
import type { Engine } from '../../runtime/engine.ts'
import { isProvenAlive } from '../../runtime/process-identity.ts'
import { systemClock } from '../../runtime/system-ports.ts'
import type { LentKey } from '../../runtime/vault/lent-key.ts'
import type { Vault } from '../../runtime/vault/vault.ts'
import type { GuardedHost } from '../../tasks/guarded-process.ts'
import type { DataDirectory } from '../data-directory.ts'
import { createNodeCrashHost } from './crash-host.ts'
import type { CrashOrder, CrashWord } from './crash-message.ts'

export interface CrashDeskParts {
  readonly engine: Engine
  readonly directory: Pick<DataDirectory, 'root'>
  readonly vault: Pick<Vault, 'lend'>
  /** Starts the worker; a child of this Node when absent. */
  readonly host?: GuardedHost
  /** Kinds of steps that such a worker can't do: none when absent. */
  readonly refusesKinds?: readonly string[]
  /** Ends a process at once; the system's own way when absent. */
  readonly kill?: (pid: number) => void
}

export interface CrashWish {
  readonly runId: RunId
  readonly moment: CrashMoment
  readonly by: string
}

export interface CrashDesk {
  /** Throws `run_not_found`, `run_already_final`, `crash_not_possible`, and what a pause throws. */
  readonly crash: (wish: CrashWish) => Promise<CrashAnswer>
}

/** How long the steps under way may take to end before it is given up, and a worker to die before it is told as armed. */
const patienceMs: Millis = 15_000

export function createCrashDesk(parts: CrashDeskParts): CrashDesk {
  return {
    crash: async (wish) => {
      const run = await parts.engine.store.load(0, 'run', { runId: wish.runId })
      if (run === null) throw new SagasmithError('run_not_found', { details: { runId: wish.runId } })
      if (runMachine.final.has(run.status)) {
        throw new SagasmithError('run_already_final', { details: { runId: run.id, status: run.status } })
      }
      const own = wish.moment === 'now' ? await workerOf(parts, wish.runId) : null
      return own === null ? handOver(parts, wish) : killOwn(parts, wish, own)
    },
  }
}

const refused = (message: string, hint?: string): SagasmithError =>
  new SagasmithError('crash_not_possible', { message, ...(hint === undefined ? {} : { hint }) })

/** A living process of this machine that works on a step of the run, and isn't this one. */
async function workerOf({ engine }: CrashDeskParts, runId: RunId): Promise<RunnerRecord | null> {
  const records = await engine.store.load(0, 'invocations', { runId })
  for (const { lease } of records) {
    if (lease === null || lease.runnerId === engine.runnerId) continue
    const runner = await engine.store.load(0, 'runner', { runnerId: lease.runnerId })
    if (runner?.stoppedAt !== null || runner.process.pid === process.pid) continue
    if (isProvenAlive(runner.process)) return runner
  }
  return null
}

async function killOwn(
  { engine, kill = (pid) => process.kill(pid, 'SIGKILL') }: CrashDeskParts,
  { runId, moment, by }: CrashWish,
  runner: RunnerRecord,
): Promise<CrashAnswer> {
  await engine.noteCrash({ runId, note: 'asked', by, detail: moment })
  try {
    kill(runner.process.pid)
  } catch {
    await engine.noteCrash({ runId, note: 'missed', by: runner.id, detail: null })
    throw refused(
      `The worker ${runner.id} (process ${runner.process.pid}) could not be killed: it has gone, or belongs to another user.`,
    )
  }
  await engine.noteCrash({ runId, note: 'died', by: runner.id, detail: String(engine.now()) })
  return { runId, worker: 'own', runnerId: runner.id, pid: runner.process.pid, isDead: true }
}

async function handOver(parts: CrashDeskParts, wish: CrashWish): Promise<CrashAnswer> {
  const { engine } = parts
  const vaultKey = await keyFor(parts)
  const { runId, by } = wish
  const reason = `crash: ${wish.moment}`
  const control = { runId, nodeId: null, by, reason }
  const run = await engine.store.load(0, 'run', { runId })
  if (run?.pauseRequestedAt !== null)
    throw refused('The run is paused: no worker carries it.', 'Resume it first.')
  let isHanded = false
  try {
    await pausedInTime(engine, control)
    const pools = poolsOf(parts, await engine.store.load(0, 'invocations', { runId }))
    await engine.noteCrash({ runId, note: 'asked', by, detail: wish.moment })
    const answer = await sendWorker(parts, wish, { pools, vaultKey })
    isHanded = true
    return answer
  } finally {
    const now = isHanded ? null : await engine.store.load(0, 'run', { runId })
    if (now !== null && now.pauseRequestedAt !== null && !runMachine.final.has(now.status))
      await engine.controlRun({ ...control, action: 'resume', wait: false })
  }
}

/** What the vault is open with here goes with the order, so that the worker gets at the same secrets. */
async function keyFor({ vault }: CrashDeskParts): Promise<LentKey | null> {
  try {
    return await vault.lend()
  } catch (cause) {
    throw refused(
      `A worker of its own would not get at the secrets: ${recordOfThrown(cause).message}`,
      'Unlock the vault first.',
    )
  }
}

/** Steps under way end where they are: what this very process does is never cut off. */
async function pausedInTime(
  engine: Engine,
  control: { readonly runId: RunId; readonly nodeId: null; readonly by: string; readonly reason: string },
): Promise<void> {
  const late = Promise.withResolvers<null>()
  const cancel = systemClock.after(patienceMs, () => late.resolve(null))
  const paused = engine.controlRun({ ...control, action: 'pause', wait: true })
  const answer = await Promise.race([paused, late.promise])
  cancel()
  if (answer !== null) return
  // It comes into effect, or is taken back, with nobody waiting.
  paused.catch(() => undefined)
  throw refused(
    'Its steps under way are still at work in the engine’s own process, which is never killed.',
    'Try again when they have ended, or start `sagasmith runner` and crash that while it has a step.',
  )
}

function poolsOf(
  { refusesKinds = [] }: CrashDeskParts,
  records: readonly InvocationRecord[],
): readonly string[] {
  const waiting = records.filter(({ status }) => invocationMachine.available.has(status))
  const strange = waiting.find(({ taskKind }) => refusesKinds.includes(taskKind))
  if (strange !== undefined) {
    throw refused(
      `The step “${strange.nodeId}” runs in a process that this app alone can start.`,
      'Open the designer with `sagasmith serve` to crash a worker under such a step.',
    )
  }
  const fit = waiting.filter(({ route, permits }) => route === null && permits === null)
  if (fit.length > 0) return [...new Set(fit.map(({ pool }) => pool))]
  throw waiting.length > 0
    ? refused(
        'Its next step needs a place of its own, or room under a limit: a worker for the crash alone can’t take it.',
        'Start `sagasmith runner`, have it work on the run, and crash that.',
      )
    : refused('No step of it can begin now: it waits, and no worker carries it.')
}

/** Resolves when the worker has died, or is at work with its moment to come. */
function sendWorker(
  { engine, directory, host = createNodeCrashHost() }: CrashDeskParts,
  { runId, moment, by }: CrashWish,
  given: Pick<CrashOrder, 'pools' | 'vaultKey'>,
): Promise<CrashAnswer> {
  const worker = host.start()
  const outcome = Promise.withResolvers<CrashAnswer>()
  let ready: Extract<CrashWord, { readonly kind: 'ready' }> | null = null
  let last: CrashWord | null = null
  const answer = (isDead: boolean): void => {
    if (ready === null) return
    outcome.resolve({
      runId,
      worker: 'handed-over',
      runnerId: runnerId(ready.runnerId),
      pid: ready.pid,
      isDead,
    })
  }
  const late = systemClock.after(patienceMs, () => {
    if (ready === null) worker.kill()
    else answer(false)
  })
  worker.onText((text) => {
    // It was started by this process, from the product's own code.
    const word = JSON.parse(text) as CrashWord
    if (word.kind === 'ready') ready = word
    else last = word
  })
  worker.onExit(() => {
    late()
    const diedAt = engine.now()
    const end = async (): Promise<void> => {
      if (ready === null || last !== null) {
        await engine.noteCrash({ runId, note: 'missed', by: ready?.runnerId ?? by, detail: null })
        throw refused(
          last?.kind === 'failed'
            ? `The worker for the crash could not work on the run: ${last.message}`
            : 'The worker ended without having come to that moment: the run goes on elsewhere.',
        )
      }
      await engine.noteCrash({ runId, note: 'died', by: ready.runnerId, detail: String(diedAt) })
      answer(true)
    }
    end().catch(outcome.reject)
  })
  const order: CrashOrder = { dataDir: directory.root, runId, moment, by, ...given }
  worker.send(JSON.stringify(order))
  return outcome.promise
}
