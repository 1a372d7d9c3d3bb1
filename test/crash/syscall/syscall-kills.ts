/** Engines killed inside their writes and syncs: every so many calls, until there is no such call. */
import type { CrashResult, Heir } from '../crash-run.ts'
import type { CrashScenario } from '../crash-scenario.ts'
import { planOf, playAll } from '../plans.ts'

/** What SQLite, the sink and the answers to the parent go through. */
const calls = ['pwrite64', 'fdatasync', 'write'] as const

/** What came of all kills. */
export interface SyscallKills {
  readonly kills: number
  readonly problems: readonly string[]
}

/** Which calls to die in. */
export interface SyscallOptions {
  /** The first call of each kind to die in. */
  readonly first: number
  /** How many calls from one death to the next. */
  readonly every: number
  /** The most kills per kind of call. */
  readonly most: number
  /** How many engines at a time. */
  readonly lanes: number
  /** Where the engine lives that ends the run after a kill. */
  readonly heir: Heir
}

/** Kills the scenario's engine in its writes and syncs; after each kill another one ends the run. */
export async function killInSyscalls(
  undisturbed: readonly [CrashScenario, CrashResult],
  { first, every, most, lanes, heir }: SyscallOptions,
): Promise<SyscallKills> {
  const [scenario] = undisturbed
  const problems: string[] = []
  let kills = 0
  for (const name of calls) {
    let last = 0
    for (let nth = first; last < most; ) {
      const wanted = Array.from({ length: lanes }, (_, lane) => nth + lane * every)
      const plans = wanted.map((at) => planOf(scenario, [{ kind: 'syscall', name, nth: at }]))
      const played = await playAll(plans, new Map([undisturbed]), { lanes, heir })
      problems.push(...played.problems)
      kills += played.kills
      last += played.kills
      // Fewer deaths than planned: the run makes no more calls of this kind.
      if (played.kills < plans.length) break
      nth += lanes * every
    }
  }
  return { kills, problems }
}
