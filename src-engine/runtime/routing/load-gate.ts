/**
 * Whether this runner may take more. Only where somebody else could: a runner without peers fills all of its
 * slots, whatever its machine does, for there is nobody to leave the work to.
 */

import type { RunnerRecord } from '../../model/runner.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { Millis } from '../../model/time.ts'
import type { Slots } from '../slots.ts'
import { isMachineBusy, scoreOf, slotsBeforeOverload } from './load.ts'
import type { RunnerBoard } from './runner-board.ts'

/** How busy the machine is, in percent; null for what it doesn't tell. */
export type LoadProbe = () => Pick<RunnerRecord, 'cpuPercent' | 'gpuPercent'>

/** Nothing is known about the machine. */
export const noLoadProbe: LoadProbe = () => unknownLoad

const unknownLoad = { cpuPercent: null, gpuPercent: null } as const

export interface LoadGate {
  /** How many slots may be filled now; none while this runner is overloaded and others could take the work. */
  readonly room: () => number
  /** How long new work is left to a less busy runner; 0 when none is less busy. */
  readonly headStartMs: () => Millis
  /** How long others may have what this runner failed with; 0 when there are none. */
  readonly leaveFailedMs: () => Millis
}

export interface LoadGateParts {
  readonly slots: Slots
  readonly settings: EngineSettings
  readonly board: Pick<RunnerBoard, 'peers'>
  readonly probe: LoadProbe
}

export function createLoadGate({ slots, settings, board, probe }: LoadGateParts): LoadGate {
  const busy = (): number => slots.total - slots.free()
  return {
    room: () => {
      const free = slots.free()
      if (free === 0 || board.peers().length === 0) return free
      const active = busy()
      // One that has nothing to do isn't what keeps its machine busy: it may always have a piece of work.
      if (isMachineBusy(probe(), settings)) return active === 0 ? 1 : 0
      return Math.max(0, Math.min(free, slotsBeforeOverload(slots.total, settings) - active))
    },
    headStartMs: () => {
      const peers = board.peers()
      if (peers.length === 0) return 0
      const own = scoreOf({ active: busy(), slots: slots.total, ...probe() })
      return peers.some((peer) => scoreOf(peer) < own) ? settings.headStartMs : 0
    },
    leaveFailedMs: () => (board.peers().length === 0 ? 0 : settings.headStartMs),
  }
}
