/** I14, I25, I29 and I41: what gave up has its letter, what waited waited long enough, what is named is there. */

import { isLoser } from '../../src-engine/core/run-state.ts'
import { nextInChain } from '../../src-engine/core/saga/undo-chain.ts'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import type { Payload } from '../../src-engine/model/payload.ts'
import { isFleeting } from '../../src-engine/model/payload.ts'
import type { Store } from '../../src-engine/store/store.ts'
import type { Forgotten } from './forgotten-invariants.ts'
import { checkForgotten } from './forgotten-invariants.ts'
import type { History } from './history.ts'

/** All of these, and what is to be gone by now; `forgotten` is null where all stays. */
export async function checkKept(
  store: Store,
  history: History,
  forgotten: Forgotten | null,
): Promise<readonly string[]> {
  return [
    ...checkTimers(history.events),
    ...(await checkDeadLetters(store, history)),
    ...(await checkBlobs(store, history)),
    ...(forgotten === null ? [] : await checkForgotten(store, history, forgotten)),
  ]
}

/** What was given up after too many crashes, and nobody in the workflow deals with, has its dead letter. */
async function checkDeadLetters(store: Store, { runs }: History): Promise<readonly string[]> {
  const found: string[] = []
  // Having a run go on, or starting it again, settles its letters.
  const repeated = new Set(runs.flatMap(({ run }) => (run.origin === null ? [] : [run.origin.runId])))
  const lost = runs.flatMap(({ run, invocations }) =>
    invocations.filter(
      (record) =>
        record.generation === run.generation &&
        !repeated.has(run.id) &&
        record.status === 'FAILED' &&
        record.error?.code === 'worker_lost' &&
        record.ports === null &&
        record.path === '' &&
        !isLoser(record) &&
        !isDealtWith(record, invocations),
    ),
  )
  if (lost.length === 0) return found
  const letters = await store.list(0, 'deadLetters', {
    filter: { reason: null, workflowId: null, runId: null },
    page: { after: null, limit: 1_000 },
  })
  for (const { id } of lost) {
    if (!letters.some(({ invocationId }) => invocationId === id)) found.push(`I14 ${id} has no dead letter`)
  }
  return found
}

/** Of a failed compensation: somebody has tried it again, passed over it, or given it up. */
function isDealtWith({ id, role }: InvocationRecord, all: readonly InvocationRecord[]): boolean {
  if (role === 'forward') return false
  const next = nextInChain(id)
  return all.some((other) => other.id === next)
}

/** No timer rings before its instant, by the clock of whoever let it ring. */
function checkTimers(events: readonly EngineEvent[]): readonly string[] {
  const found: string[] = []
  const due = new Map<string, number | null>()
  for (const { body, invocationId: id, at, opId } of events) {
    if (id === null || body.type !== 'invocation.changed') continue
    const notBefore = due.get(id) ?? null
    const rang = body.from === 'WAITING' && opId.startsWith(`wake:${id}:`)
    if (rang && notBefore !== null && at < notBefore)
      found.push(`I25 ${id} woke at ${at}, ${notBefore - at} ms early`)
    if (body.set.notBefore !== undefined) due.set(id, body.set.notBefore)
  }
  return found
}

/** Every large value that a record names is there, whole. */
async function checkBlobs(store: Store, { runs }: History): Promise<readonly string[]> {
  const named = new Map<string, Extract<Payload, { readonly kind: 'blob' }>>()
  const name = (payload: Payload | null): void => {
    // What goes with its run has a check of its own.
    if (payload?.kind === 'blob' && !isFleeting(payload)) named.set(payload.hash, payload)
  }
  for (const { run, invocations } of runs) {
    name(run.output)
    for (const { input, output } of invocations) {
      name(input)
      name(output)
    }
  }
  const found: string[] = []
  for (const { hash, bytes } of named.values()) {
    const whole = await store.getBlob(hash).then(
      (read) => read.byteLength === bytes,
      () => false,
    )
    if (!whole) found.push(`I29 the value ${hash} is named, but not there`)
  }
  return found
}
