/** A checkpoint as a unit, over the records as they are believed to be. */

import { hash } from 'node:crypto'
import type { Checkpoint } from '../../model/checkpoint.ts'
import type { EventDraft } from '../../model/event.ts'
import { packEvents } from '../../model/event-codec.ts'
import type { InvocationId, RunId } from '../../model/ids.ts'
import { runIdOf } from '../../model/ids.ts'
import type { InvocationRecord } from '../../model/invocation.ts'
import type { RunRecord } from '../../model/run.ts'
import type { EventOrigin } from '../event-chain.ts'
import { partsByRun } from '../event-chain.ts'
import { news } from '../hints.ts'
import type { Draft } from './draft.ts'
import { hashOf, hashOfRun, newDraft } from './draft.ts'
import { keyNames, runFields } from './layout.ts'
import type { PartitionState, Seen } from './partition-state.ts'
import { writeAttempt, writeInvocation, writeRun } from './record-ops.ts'
import type { WriteTag } from './tokens.ts'
import { opTagOf, recordToken, versionOf } from './tokens.ts'
import type { EventPart, Unit } from './unit.ts'

/** Records as the writer believes them. */
export interface Believed {
  readonly run: (id: RunId) => Seen<RunRecord>
  readonly invocation: (id: InvocationId) => Seen<InvocationRecord>
  /** The item is the token. */
  readonly register: (key: string) => Seen<string>
}

/** The unit of a checkpoint that was found valid. */
export function checkpointUnit(
  checkpoint: Checkpoint,
  state: PartitionState,
  { believed, tag }: { readonly believed: Believed; readonly tag: WriteTag },
): Unit {
  const { at, writes, events, opId, actor } = checkpoint
  const draft = newDraft(state, tag)
  if (writes.run !== null) writeRun(draft, writes.run, believed.run(writes.run.id))
  for (const record of writes.invocations) writeInvocation(draft, record, believed.invocation(record.id))
  for (const attempt of writes.attempts) writeAttempt(draft, attempt)
  guardRest(draft, checkpoint, believed)
  writeRegisters(draft, checkpoint, believed)
  writeSides(draft, checkpoint)
  const parts = packParts(state, { opId, actor, at }, events)
  if (parts.every(({ groups }) => groups === null)) {
    draft.ops.push({ code: 'z', key: state.keys.of(keyNames.ops), args: [at, opId] })
  }
  if (writes.registers.length > 0) draft.news |= news.registers
  const { hashes, left, leases, ops } = draft
  const { release: releases, take: takes } = writes
  const values = checkpoint.values ?? 'plain'
  return { opId, news: draft.news, values, tag, hashes, at, releases, takes, left, leases, ops, parts }
}

/** What must hold though it isn't written. */
function guardRest(draft: Draft, { expect, writes }: Checkpoint, believed: Believed): void {
  const { run } = expect
  if (run !== undefined && writes.run === null) {
    const { token } = believed.run(run.id)
    hashOfRun(draft, run.id).looked.push({ field: runFields.token, believed: token })
  }
  for (const [index, { id }] of expect.invocations.entries()) {
    // What is written stands first, and in the same order, mostly.
    if (writes.invocations[index]?.id === id || writes.invocations.some((record) => record.id === id))
      continue
    const field = runFields.invocationToken(id)
    hashOfRun(draft, runIdOf(id)).looked.push({ field, believed: believed.invocation(id).token })
  }
}

function writeRegisters(draft: Draft, checkpoint: Checkpoint, believed: Believed): void {
  if (checkpoint.expect.registers.length === 0) return
  const { keys } = draft.state
  const { tag, ops } = draft
  const values = keys.of(keyNames.registers)
  const tokens = keys.of(keyNames.registerTokens)
  const names = keys.of(keyNames.registerKeys)
  const due = keys.of(keyNames.registerDue)
  for (const { key: name } of checkpoint.expect.registers) {
    const { token } = believed.register(name)
    const write = checkpoint.writes.registers.find(({ key }) => key === name)
    const { written, looked } = hashOf(draft, tokens)
    if (write === undefined || write.value === null) looked.push({ field: name, believed: token })
    if (write === undefined) continue
    if (write.value === null) {
      ops.push({ code: 'd', key: tokens, args: [name] }, { code: 'd', key: values, args: [name] })
      ops.push({ code: 'r', key: names, args: [name] }, { code: 'r', key: due, args: [name] })
      continue
    }
    const next = recordToken(versionOf(token) + 1, tag)
    written.push({ field: name, believed: token, token: next })
    ops.push({ code: 'h', key: values, args: [name, `${versionOf(next)} ${JSON.stringify(write.value)}`] })
    if (token === '') ops.push({ code: 'z', key: names, args: [0, name] })
    const { dueAt } = write
    if (dueAt === undefined) continue
    ops.push(
      dueAt === null ? { code: 'r', key: due, args: [name] } : { code: 'z', key: due, args: [dueAt, name] },
    )
  }
}

function writeSides({ state, ops }: Draft, { writes }: Checkpoint): void {
  const { keys } = state
  for (const version of writes.workflowVersions) {
    // What is there stays: the place in front is only told once.
    ops.push({ code: 'n', key: keys.of(`${keyNames.versions}:places`), args: [version.hash] })
    ops.push({ code: 'x', key: keys.of(keyNames.versions), args: [version.hash, JSON.stringify(version)] })
  }
  for (const record of writes.outbox) {
    ops.push({ code: 'p', key: keys.of(keyNames.outbox), args: [record.id, JSON.stringify(record)] })
    ops.push({ code: 'z', key: keys.of(keyNames.outboxDue), args: [record.dueAt, record.id] })
  }
  for (const id of writes.delivered) {
    ops.push({ code: 'd', key: keys.of(keyNames.outbox), args: [id] })
    ops.push({ code: 'r', key: keys.of(keyNames.outboxDue), args: [id] })
  }
  for (const letter of writes.deadLetters) {
    ops.push({ code: 'p', key: keys.of(keyNames.letters), args: [letter.id, JSON.stringify(letter)] })
  }
  for (const id of writes.settledLetters) {
    ops.push({ code: 'd', key: keys.of(keyNames.letters), args: [id] })
  }
}

/** Events as they are kept: packed by run, with the digest that the chain covers. */
export function packParts(
  state: PartitionState,
  { opId, actor, at }: EventOrigin,
  events: readonly EventDraft[],
): readonly EventPart[] {
  if (events.length === 0) return []
  const opTag = opTagOf(opId)
  return partsByRun(events).map((part) => {
    const runId = part[0]?.runId ?? null
    const text = packEvents({ epoch: state.epoch, runId, at, opId, actor }, part)
    return {
      groups: runId === null ? null : state.keys.groups(runId),
      runId: runId ?? '',
      count: part.length,
      digest: hash('sha256', text),
      opTag,
      text,
    }
  })
}
