/** A run that is followed says after each batch of events what it would say if it were read anew. */

import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import { replayRun } from '../../src-engine/model/replay.ts'
import { advance, emptyRunModel, modelAt } from '../../src-renderer/state/run-model.ts'
import { createRunsStore } from '../../src-renderer/state/runs-store.ts'
import { attemptRecord, eventOf, invocationRecord, runRecord } from './factories.ts'

const created = (): EngineEvent => eventOf({ type: 'run.created', run: runRecord() })

/** Of a key: the record of that node at that path, of that role. */
const recordOf = ({ node, path, role }: Step) =>
  invocationRecord(node, { id: idOf({ node, path, role }), path, role })
const keyOf = ({ node, path, role }: Step) => `${node}${path}${role}`
const idOf = (step: Step) => invocationRecord(keyOf(step)).id

interface Step {
  readonly node: string
  readonly path: string
  readonly role: 'forward' | 'compensation'
}

type Move = Step & { readonly kind: 'register' | 'start' | 'end' | 'skip' | 'reopen' }

const moves = fc.array(
  fc.record<Move>({
    kind: fc.constantFrom('register', 'register', 'start', 'end', 'end', 'skip', 'reopen'),
    node: fc.constantFrom('a', 'b', 'c', 'd'),
    // Bodies are rare here: their runs are read anew.
    path: fc.oneof({ weight: 12, arbitrary: fc.constant('') }, { weight: 1, arbitrary: fc.constant('m:0') }),
    role: fc.constantFrom('forward', 'forward', 'compensation'),
  }),
  { maxLength: 40 },
)

/** The first event of a record registers it, and what undoes a step is registered after that step. */
function possible(steps: readonly Move[]): readonly Move[] {
  const registered = new Set<string>()
  return steps.filter((step) => {
    if (step.role === 'compensation' && !registered.has(keyOf({ ...step, role: 'forward' }))) return false
    if (step.kind === 'register') registered.add(keyOf(step))
    return registered.has(keyOf(step)) || step.kind === 'skip' || step.kind === 'reopen'
  })
}

function eventsOf(move: Move): EngineEvent {
  const key = keyOf(move)
  const change = { type: 'invocation.changed', from: 'PENDING' } as const
  switch (move.kind) {
    case 'register':
      return eventOf({ type: 'invocation.registered', invocation: recordOf(move) }, key)
    case 'start':
      return eventOf({ ...change, to: 'RUNNING', set: { startedAt: 5 }, attempt: null }, key)
    case 'end':
      return eventOf(
        { ...change, to: 'SUCCESS', set: { finishedAt: 9 }, attempt: attemptRecord(key, { number: 1 }) },
        key,
      )
    case 'skip':
      return eventOf({
        type: 'node.skipped',
        nodeId: invocationRecord(move.node).nodeId,
        path: '',
        generation: 0,
      })
    default:
      return eventOf({ type: 'run.changed', from: 'FAILED', to: 'RUNNING', set: { cancelRequestedAt: 1 } })
  }
}

describe('a followed run', () => {
  it('is the same in whatever batches its events come', () => {
    fc.assert(
      fc.property(moves, fc.array(fc.integer({ min: 1, max: 7 }), { maxLength: 40 }), (steps, sizes) => {
        const events = [created(), ...possible(steps).map(eventsOf)]
        let model = emptyRunModel
        for (let from = 0, batch = 0; from < events.length; batch += 1) {
          const to = from + (sizes[batch] ?? 1)
          model = advance(model, events.slice(from, to))
          from = to
        }
        const anew = modelAt(replayRun(events), emptyRunModel)
        expect(model.replay).toEqual(anew.replay)
        expect(new Map(model.nodes)).toEqual(new Map(anew.nodes))
        expect(model.strips).toEqual(anew.strips)
      }),
    )
  })

  it('of thousands of steps looks only at the one that an event is about', () => {
    const ids = Array.from({ length: 2_000 }, (_, index) => `n${index}`)
    const registered = ids.map((id) =>
      eventOf({ type: 'invocation.registered', invocation: invocationRecord(id) }, id),
    )
    const before = advance(emptyRunModel, [created(), ...registered])
    const change = { type: 'invocation.changed', from: 'REGISTERED', to: 'PENDING', set: {}, attempt: null }
    const after = advance(before, [eventOf(change as EngineEvent['body'], 'n7')])
    expect(ids.filter((id) => before.nodes.get(id) !== after.nodes.get(id))).toEqual(['n7'])
  })

  it('takes an attempt that was fetched once, however much came before it', () => {
    const store = createRunsStore()
    const place = { site: null, runId: runRecord().id, overlay: null, hash: null, shownOn: null }
    store.getState().show(place, new Map())
    const first = attemptRecord('a')
    const second = attemptRecord('a', { number: 2 })
    const ended = (attempt: typeof first): EngineEvent =>
      eventOf({ type: 'invocation.changed', from: 'RUNNING', to: 'REGISTERED', set: {}, attempt }, 'a')
    store
      .getState()
      .takeEvents([
        created(),
        eventOf({ type: 'invocation.registered', invocation: invocationRecord('a') }, 'a'),
      ])
    store.getState().takeEvents([ended(first)])
    store.getState().takeAttempts(runRecord().id, [first, second])
    store.getState().takeEvents([ended(second), ended(attemptRecord('a', { number: 3 }))])
    const { current } = store.getState()
    expect(current?.live.replay.attempts.map(({ number }) => number)).toEqual([1, 2, 3])
    expect(current?.live.nodes.get('a')?.attempts.map(({ number }) => number)).toEqual([1, 2, 3])
  })
})
