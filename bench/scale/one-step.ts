/** Runs of one step that wait in the queue, and what takes them from there. */

import { noWrites } from '../../src-engine/model/checkpoint.ts'
import type { Claimed, ClaimRequest, Store } from '../../src-engine/store/store.ts'
import { accepted, benchRun, checkpoint, closing, event, newStep, runner, told } from '../step-records.ts'

/** Begins a run whose only step is available. */
export async function enqueue(store: Store, index: number, notBefore: number | null = null): Promise<void> {
  const now = Date.now()
  const created = benchRun(index, now)
  const began = { status: 'RUNNING', startedAt: now } as const
  const step = newStep(created, 0, now)
  const parked = { status: 'WAITING', notBefore } as const
  const record = notBefore === null ? step : { ...step, ...parked }
  await accepted(
    store,
    checkpoint(now, {
      expect: {
        run: { id: created.id, version: 0 },
        invocations: [{ id: step.id, version: 0, fence: null }],
        registers: [],
      },
      writes: { ...noWrites, run: { ...created, ...began }, invocations: [record] },
      events: [
        told(created, { type: 'run.created', run: created }),
        told(created, { type: 'run.changed', from: 'CREATED', to: 'RUNNING', set: began }),
        event(record, { type: 'invocation.registered', invocation: step }),
        ...(notBefore === null
          ? []
          : [
              event(record, {
                type: 'invocation.changed',
                from: 'REGISTERED',
                to: 'WAITING',
                set: parked,
                attempt: null,
              }),
            ]),
      ],
    }),
  )
}

const claimOf = (limit: number): ClaimRequest => {
  return {
    partition: 0,
    runnerId: runner,
    limit,
    now: Date.now(),
    pools: ['default'],
    capabilities: ['noop'],
    labels: [],
    agingMs: 300_000,
    ttlMs: 300_000,
    invocationIds: null,
  }
}

/** Claims the most urgent steps; throws when there are fewer. */
export async function claim(store: Store, limit: number): Promise<readonly Claimed[]> {
  const { claimed } = await store.claim(claimOf(limit))
  if (claimed.length !== limit) throw new Error(`claimed ${claimed.length} of ${limit}`)
  return claimed
}

/** Starts and ends a claimed step, and its run with it. */
export async function complete(store: Store, { run, invocation }: Claimed): Promise<void> {
  const at = Date.now()
  const begin = {
    status: 'RUNNING',
    version: invocation.version + 1,
    attempt: 1,
    startedAt: at,
    deadlineAt: at + 3_600_000,
  } as const
  const running = { ...invocation, ...begin }
  // One checkpoint raises a version once, however many moves it has.
  const done = closing({ ...running, version: invocation.version }, at)
  const end = { status: 'SUCCEEDED', version: run.version + 1, finishedAt: at } as const
  await accepted(
    store,
    checkpoint(at, {
      expect: {
        run: { id: run.id, version: run.version },
        invocations: [{ id: invocation.id, version: invocation.version, fence: invocation.fence }],
        registers: [],
      },
      writes: { ...noWrites, run: { ...run, ...end }, invocations: [done.record], attempts: [done.attempt] },
      events: [
        event(running, {
          type: 'invocation.changed',
          from: 'PENDING',
          to: 'RUNNING',
          set: begin,
          attempt: null,
        }),
        ...done.events,
        told(run, { type: 'run.changed', from: 'RUNNING', to: 'SUCCEEDED', set: end }),
      ],
    }),
  )
}
