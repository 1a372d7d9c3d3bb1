/** How busy a runner is, and when that is too busy for more. */

import type { ProcessIdentity, RunnerRecord } from '../../model/runner.ts'
import type { EngineSettings } from '../../model/settings/engine-settings.ts'

/** How busy a runner and its machine are. */
export type RunnerLoad = Pick<RunnerRecord, 'active' | 'slots' | 'cpuPercent' | 'gpuPercent'>

/** From where on a runner leaves work to others. */
export type OverloadLimits = Pick<
  EngineSettings,
  'overloadSlotsFraction' | 'overloadCpuPercent' | 'overloadGpuPercent'
>

/** Smaller is better placed for more work (Cordum's score): its work, and a part of one for a busy machine. */
export const scoreOf = ({ active, cpuPercent, gpuPercent }: RunnerLoad): number =>
  active + (cpuPercent ?? 0) / 100 + (gpuPercent ?? 0) / 100

/** Whether so much of its machine is taken that its slots say nothing. 100 % turns a limit off. */
export const isMachineBusy = (
  { cpuPercent, gpuPercent }: Pick<RunnerLoad, 'cpuPercent' | 'gpuPercent'>,
  limits: OverloadLimits,
): boolean =>
  (limits.overloadCpuPercent < 100 && (cpuPercent ?? 0) >= limits.overloadCpuPercent) ||
  (limits.overloadGpuPercent < 100 && (gpuPercent ?? 0) >= limits.overloadGpuPercent)

/** How many slots may be taken in all before the runner is overloaded by them. */
export const slotsBeforeOverload = (
  slots: number,
  { overloadSlotsFraction: share }: OverloadLimits,
): number => (share >= 1 ? slots : Math.ceil(share * slots))

/** Whether it takes no more: nearly all of its slots, its processor or its graphics processor are busy. */
export const isOverloaded = (load: RunnerLoad, limits: OverloadLimits): boolean =>
  load.active >= slotsBeforeOverload(load.slots, limits) || isMachineBusy(load, limits)

/** Whether both run on one machine, whatever their containers call it. */
const isSameMachine = (a: ProcessIdentity, b: ProcessIdentity): boolean =>
  a.bootId === null || b.bootId === null ? a.host === b.host : a.bootId === b.bootId

/**
 * Whether a machine has less to do when that runner gets the work: it is on another one, which isn't too busy itself.
 * To leave work to a neighbour only makes the work wait.
 */
export const relieves = (
  peer: Pick<RunnerRecord, 'process' | 'cpuPercent' | 'gpuPercent'>,
  own: ProcessIdentity,
  limits: OverloadLimits,
): boolean => !isSameMachine(peer.process, own) && !isMachineBusy(peer, limits)
