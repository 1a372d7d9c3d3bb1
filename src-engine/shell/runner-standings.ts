/** How the runners that are at work stand among each other: the rules of the load gate, over their rows. Pure. */

import type { RunnerRecord } from '../model/runner.ts'
import type { SettingReport } from '../model/settings/setting-report.ts'
import type { RunnerStanding } from '../protocol/runner-standing.ts'
import type { OverloadLimits } from '../runtime/routing/load.ts'
import { isMachineBusy, relieves, scoreOf, slotsBeforeOverload } from '../runtime/routing/load.ts'

/** Only of runners that haven't stopped. What they do in the next moment is theirs: rows are a heartbeat old. */
export function runnerStandings(
  runners: readonly RunnerRecord[],
  limits: OverloadLimits,
): readonly RunnerStanding[] {
  const here = runners.filter(({ stoppedAt }) => stoppedAt === null)
  return here.map((runner) => {
    const peers = here.filter(
      ({ id, drainingSince, pools }) =>
        id !== runner.id && drainingSince === null && pools.some((pool) => runner.pools.includes(pool)),
    )
    const score = scoreOf(runner)
    return {
      runnerId: runner.id,
      score,
      ...roomOf(runner, limits, peers),
      isFirst: runner.drainingSince === null && peers.every((peer) => scoreOf(peer) >= score),
    }
  })
}

/** Nobody leaves work to others where there are none. */
function roomOf(
  runner: RunnerRecord,
  limits: OverloadLimits,
  peers: readonly RunnerRecord[],
): Pick<RunnerStanding, 'room' | 'held'> {
  const { active, slots, drainingSince } = runner
  if (drainingSince !== null) return { room: 0, held: 'draining' }
  const free = Math.max(0, slots - active)
  const isLeft = isMachineBusy(runner, limits) && peers.some((peer) => relieves(peer, runner.process, limits))
  if (free > 0 && isLeft) {
    return active === 0 ? { room: 1, held: null } : { room: 0, held: 'machine' }
  }
  const room =
    peers.length > 0 ? Math.max(0, Math.min(free, slotsBeforeOverload(slots, limits) - active)) : free
  return { room, held: room === 0 ? 'slots' : null }
}

/** The limits as this process has them; runners are started with the same as a rule. */
export function overloadLimitsOf(settings: readonly SettingReport[]): OverloadLimits {
  const valueOf = (name: string): number => {
    const value = settings.find((setting) => setting.name === name)?.value
    // A limit that nobody knows limits nothing.
    return typeof value === 'number' ? value : 100
  }
  return {
    overloadSlotsFraction: valueOf('overload_slots_fraction'),
    overloadCpuPercent: valueOf('overload_cpu_percent'),
    overloadGpuPercent: valueOf('overload_gpu_percent'),
  }
}
