/** Records as a round of commits believes them: as last seen, and over that what the round is about to write. */

import type { Checkpoint } from '../../model/checkpoint.ts'
import type { InvocationId, OpId, RunId } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { Actor } from '../../model/invocation-status.ts'
import type { RunRecord } from '../../model/run.ts'
import type { LastOps } from '../last-ops.ts'
import type { CommitView } from '../validate-commit.ts'
import type { Believed } from './checkpoint-unit.ts'
import type { PartitionState, Seen } from './partition-state.ts'
import { nothing } from './partition-state.ts'
import type { Wanted } from './read-records.ts'
import type { WriteTag } from './tokens.ts'
import { invocationToken, recordToken, runToken, versionOf } from './tokens.ts'

/** Writes go into what the state has seen at once; a writer that turns out to be wrong drops them again. */
export class Beliefs implements CommitView {
  readonly epoch: number
  readonly believed: Believed
  readonly #state: PartitionState
  readonly #lastOps: LastOps
  readonly #ops = new Map<RunId, string>()

  constructor(state: PartitionState, lastOps: LastOps) {
    this.epoch = state.epoch
    this.#state = state
    this.#lastOps = lastOps
    this.believed = {
      run: (id) => state.runs.get(id) ?? nothing,
      invocation: (id) => state.invocations.get(id) ?? nothing,
      register: (key) => state.registers.get(key) ?? nothing,
    }
  }

  run = (id: RunId): RunRecord | null => this.believed.run(id).item

  invocation = (id: InvocationId): InvocationRecord | null => this.believed.invocation(id).item

  /** The script sees to that. */
  readonly isSealed = false

  registerVersion = (key: string): number => versionOf(this.believed.register(key).token)

  /** The script counts: nobody else can. */
  slotHolders = (): readonly string[] => []

  isLast = (id: RunId, opId: OpId, actor: Actor): boolean => {
    const written = this.#ops.get(id)
    return written === undefined ? this.#lastOps.isLast(id, opId, actor) : written === nameOf(opId, actor)
  }

  /** Takes a checkpoint as written. */
  assume({ writes, opId, actor }: Checkpoint, tag: WriteTag): void {
    const { runs, invocations, registers } = this.#state
    const { run } = writes
    if (run !== null) {
      runs.put(run.id, { token: runToken(run.version, tag, run.status), item: run })
      this.#ops.set(run.id, nameOf(opId, actor))
    }
    for (const record of writes.invocations) {
      invocations.put(record.id, { token: invocationToken(record, tag), item: record })
    }
    for (const { key, value } of writes.registers) {
      const token = recordToken(this.registerVersion(key) + 1, tag)
      registers.put(key, value === null ? nothing : { token, item: token })
    }
  }
}

const nameOf = (opId: OpId, { id }: Actor): string => `${opId} ${id ?? ''}`

const nothingWanted: Wanted = { runs: new Set(), invocations: new Set(), registers: new Set() }

/** What isn't to be new is there to be seen. */
const isUnseen = (seen: Seen<unknown> | undefined, version: number): boolean =>
  seen === undefined && version > 0

/** Whether all was seen that isn't to be new. */
function isSeen({ expect: { run, invocations, registers } }: Checkpoint, state: PartitionState): boolean {
  if (run !== undefined && isUnseen(state.runs.get(run.id), run.version)) return false
  for (const { id, version } of invocations) if (isUnseen(state.invocations.get(id), version)) return false
  for (const { key, version } of registers) if (isUnseen(state.registers.get(key), version)) return false
  return true
}

/**
 * What a writer has to look at before it can judge: records that it hasn't seen. What is to be new is believed
 * to be until the script says otherwise; then all of it is looked at. What an earlier checkpoint expects it has
 * written by then, or has had looked at.
 */
export function touchedBy(checkpoints: readonly Checkpoint[], state: PartitionState, fresh: boolean): Wanted {
  // As with nearly every step.
  if (!fresh && checkpoints.every((checkpoint) => isSeen(checkpoint, state))) return nothingWanted
  const runs = new Set<RunId>()
  const invocations = new Set<InvocationId>()
  const registers = new Set<string>()
  const expected = new Set<string>()
  const isWanted = (seen: Seen<unknown> | undefined, version: number): boolean =>
    isUnseen(seen, version) || (fresh && seen === undefined)
  for (const { expect } of checkpoints) {
    const { run } = expect
    if (run !== undefined && !expected.has(run.id) && isWanted(state.runs.get(run.id), run.version)) {
      runs.add(run.id)
    }
    if (run !== undefined) expected.add(run.id)
    for (const { id, version } of expect.invocations) {
      if (!expected.has(id) && isWanted(state.invocations.get(id), version)) invocations.add(id)
      expected.add(id)
    }
    for (const { key, version } of expect.registers) {
      if (isWanted(state.registers.get(key), version)) registers.add(key)
    }
  }
  return { runs, invocations, registers }
}
