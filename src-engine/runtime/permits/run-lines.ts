/** The lines of runs that are not to begin yet: who is next begins, and newer ones may take older ones' place. */

import { beginRun, stayInLine } from '../../core/permits/run-line.ts'
import { whenFull } from '../../core/permits/run-permits.ts'
import type { MissingKey } from '../../core/permits/wait-reason.ts'
import { cancelRun } from '../../core/requests.ts'
import type { RunState } from '../../core/run-state.ts'
import type { SlotTake } from '../../model/checkpoint.ts'
import type { OpId } from '../../model/ids.ts'
import { runId as asRunId, opId } from '../../model/ids.ts'
import type { Cause } from '../../model/invocation.ts'
import type { RunRecord } from '../../model/run.ts'
import { loadedState } from '../loaded-state.ts'
import type { Runner, RunnerDependencies } from '../runner.ts'
import type { Limits } from './limits.ts'

/** Who waits for a key in order, and who has it. */
export interface RunLine {
  readonly key: string
  readonly runs: readonly RunRecord[]
  readonly holding: readonly SlotTake[]
}

export interface RunLines {
  /** Lets as many runs begin as there is room for. */
  readonly serve: (line: RunLine) => Promise<void>
}

interface RunLineParts {
  readonly dependencies: RunnerDependencies
  readonly runner: Runner
}

export function createRunLines(dependencies: RunnerDependencies, runner: Runner): RunLines {
  const { limits } = dependencies
  const parts = { dependencies, runner }
  return {
    serve: async (line) => {
      // A paused one keeps its place, but nobody waits for it.
      const open = line.runs.filter(({ pauseRequestedAt }) => pauseRequestedAt === null)
      const [first] = open
      if (first === undefined) return
      const room = Math.max(0, limitOf(limits, first, line.key) - line.holding.length)
      for (const run of open.slice(0, room)) await begin(parts, run)
      const newest = open.slice(room).sort(byAge).at(-1)
      if (newest !== undefined) await replaceOlder(parts, newest, line)
    },
  }
}

function limitOf(limits: Limits, { permits }: RunRecord, key: string): number {
  const known = permits === null ? undefined : limits.current(permits).permits
  return known?.find((permit) => permit.key === key)?.limit ?? Number.MAX_SAFE_INTEGER
}

async function begin(parts: RunLineParts, { id, permits }: RunRecord): Promise<void> {
  if (permits === null) return
  const { book } = parts.dependencies
  const found: { missing: MissingKey | null } = { missing: null }
  await book.decide(
    id,
    (state) => {
      const { missing } = found
      if (missing !== null) return stayInLine(state, contextOf(parts, 'stay', state), missing)
      const context = contextOf(parts, 'begin-run', state)
      const { limits, policy } = parts.dependencies
      const plan = limits.current(state.run.permits ?? permits)
      return beginRun(state, context, { plan, isGated: policy.kernel.asksAboutStart(state.run) })
    },
    {
      slotTaken: (missing) => {
        found.missing = missing
      },
    },
  )
}

/** Where the workflow says so, the newest run and those just before it go on, and all older ones end. */
async function replaceOlder(parts: RunLineParts, newest: RunRecord, line: RunLine): Promise<void> {
  const { book, store, partition } = parts.dependencies
  const { key, runs, holding } = line
  const state = await loadedState(book, newest.id)
  if (state === null || whenFull(state.workflow.runPermits, key) !== 'replace') return
  const others = await Promise.all(
    holding.map(({ holder }) => store.load(partition, 'run', { runId: asRunId(holder) })),
  )
  const older = [...runs, ...others.filter((run) => run !== null)]
    .filter((run) => run.id !== newest.id && byAge(run, newest) < 0)
    .sort(byAge)
  const kept = Math.max(0, limitOf(parts.dependencies.limits, newest, key) - 1)
  const replaced = older.slice(0, Math.max(0, older.length - kept))
  const cause: Cause = { kind: 'replaced', by: newest.id, detail: key }
  for (const { id, cancelRequestedAt } of replaced) {
    if (cancelRequestedAt !== null) continue
    await book.decide(id, (run) => cancelRun(run, { ...contextOf(parts, 'replace', run), cause }))
  }
}

const byAge = (a: RunRecord, b: RunRecord): number => a.createdAt - b.createdAt || (a.id < b.id ? -1 : 1)

function contextOf({ runner }: RunLineParts, what: string, { run }: RunState) {
  const name: OpId = opId(`${what}:${run.id}:${run.version}`)
  const cause = { kind: 'concurrency', by: null, detail: null }
  return runner.context({ actor: 'run', cause, opId: name, runId: run.id, claims: false })
}
