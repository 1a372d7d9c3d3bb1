/**
 * Whether this runner may take more. Only where somebody else could: a runner without peers fills all of its
 * slots, whatever its machine does, for there is nobody to leave the work to. And what goes on where it is adds
 * nothing: the next step of a run takes the place of the one that ended.
 */

import type { RunnerId } from '../../model/ids.ts'
import type { ProcessIdentity, RunnerRecord } from '../../model/runner.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'
import type { Millis } from '../../model/time.ts'
import type { Slots } from '../slots.ts'
import { isMachineBusy, relieves, scoreOf, slotsBeforeOverload } from './load.ts'
import type { RunnerBoard } from './runner-board.ts'

/** How busy the machine is, in percent; null for what it doesn't tell. */
export type LoadProbe = () => Pick<RunnerRecord, 'cpuPercent' | 'gpuPercent'>

/** Nothing is known about the machine. */
export const noLoadProbe: LoadProbe = () => unknownLoad

const unknownLoad = { cpuPercent: null, gpuPercent: null } as const

export interface LoadGate {
  /**
   * How many slots may be filled now; none while this runner is overloaded and others could take the work. With
   * `ended` steps whose places are free again since, at least as many.
   */
  readonly room: (ended?: number) => number
  /**
   * How long new work, of so many pieces at least, is left to runners that come before this one: the less busy ones,
   * and of equally busy ones those of a smaller id. 0 for as many as there are pieces; then twice as many come each
   * `head_start` later, should it still be there.
   */
  readonly headStartMs: (pieces?: number) => Millis
  /** How long others may have what this runner failed with; 0 when there are none. */
  readonly leaveFailedMs: () => Millis
}

export interface LoadGateParts {
  readonly slots: Slots
  readonly settings: EngineSettings
  readonly board: Pick<RunnerBoard, 'peers'>
  readonly probe: LoadProbe
  readonly runnerId: RunnerId
  /** This process: what its neighbours take, its machine has to do all the same. */
  readonly own: ProcessIdentity
}

export function createLoadGate(parts: LoadGateParts): LoadGate {
  const { slots, settings, board, probe, own, runnerId } = parts
  const busy = (): number => slots.total - slots.free()
  const roomForMore = (free: number, peers: readonly RunnerRecord[]): number => {
    const active = busy()
    // One that has nothing to do isn't what keeps its machine busy: it may always have a piece of work.
    if (isMachineBusy(probe(), settings) && peers.some((peer) => relieves(peer, own, settings))) {
      return active === 0 ? 1 : 0
    }
    return Math.min(free, slotsBeforeOverload(slots.total, settings) - active)
  }
  return {
    room: (ended = 0) => {
      const free = slots.free()
      const peers = board.peers()
      if (free === 0 || peers.length === 0) return free
      return Math.max(Math.min(ended, free), roomForMore(free, peers))
    },
    headStartMs: (pieces = 1) => {
      const peers = board.peers()
      if (peers.length < pieces) return 0
      const own = scoreOf({ active: busy(), slots: slots.total, ...probe() })
      const before = peers.filter((peer) => {
        const score = scoreOf(peer)
        return score < own || (score === own && peer.id < runnerId)
      })
      return before.length < pieces
        ? 0
        : settings.headStartMs * Math.ceil(Math.log2((before.length + 1) / pieces))
    },
    leaveFailedMs: () => (board.peers().length === 0 ? 0 : settings.headStartMs),
  }
}
