/** The report of a crash: read from the history of a run whose worker died. */

import { expect, test } from 'vitest'
import { crashCauses } from '../../../src-engine/core/control/note-crash.ts'
import type { EngineEvent, EventBody } from '../../../src-engine/model/event.ts'
import { invocationId, nodeId, runId, runnerId } from '../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import type { InvocationStatus } from '../../../src-engine/model/invocation-status.ts'
import type { SideEffectClass } from '../../../src-engine/model/workflow.ts'
import { crashReportOf } from '../../../src-engine/runtime/crash/crash-report.ts'

const dead = runnerId('runner_dead')
const living = runnerId('runner_living')
const run = runId('run_1')

/** A history in the making: an event per second. */
class History {
  readonly events: EngineEvent[] = []
  #at = 0

  #add(
    body: EventBody,
    cause: { kind: string; by: string | null; detail: string | null },
    node?: string,
  ): void {
    this.#at += 1_000
    // What the report doesn't read is left out.
    this.events.push({
      at: this.#at,
      runId: run,
      invocationId: node === undefined ? null : invocationId(node),
      body,
      cause,
    } as EngineEvent)
  }

  note(kind: keyof typeof crashCauses, by: string, detail: string | null): this {
    const body = { type: 'run.changed', from: 'RUNNING', to: 'RUNNING', set: {} } as const
    this.#add(body, { kind: crashCauses[kind], by, detail })
    return this
  }

  died(): this {
    return this.note('died', dead, String(this.#at + 500))
  }

  register(node: string): this {
    const invocation = {
      id: invocationId(node),
      nodeId: nodeId(node),
      path: '',
      status: 'REGISTERED',
      lease: null,
    }
    this.#add(
      { type: 'invocation.registered', invocation: invocation as InvocationRecord },
      { kind: 'x', by: null, detail: null },
      node,
    )
    return this
  }

  move(node: string, to: InvocationStatus, set: Partial<InvocationRecord> = {}): this {
    this.#add(
      { type: 'invocation.changed', from: 'RUNNING', to, set, attempt: null },
      { kind: 'x', by: null, detail: null },
      node,
    )
    return this
  }

  owned(node: string, by: typeof dead, counter: number): this {
    return this.move(node, 'RUNNING', {
      lease: { runnerId: by, fence: { epoch: 1, counter }, expiresAt: 0 },
    })
  }

  report(sideEffect: SideEffectClass = 'keyed') {
    return crashReportOf(this.events, () => sideEffect)
  }
}

/** `a` has ended, `b` was at work with the runner that died, and was taken from it. */
const lost = (): History =>
  new History()
    .register('a')
    .owned('a', living, 1)
    .move('a', 'SUCCESS', { lease: null })
    .note('asked', 'ada', 'after-effect')
    .register('b')
    .owned('b', dead, 1)
    .died()
    .move('b', 'RUNNING_RECOVERY')
    .move('b', 'REROUTED', { lease: null })

test('nobody asked: there is none', () => {
  expect(new History().register('a').report()).toBeNull()
})

test('it is armed until the worker is dead, and missed when it ended otherwise', () => {
  const history = new History().note('asked', 'ada', 'before-commit')
  expect(history.report()).toMatchObject({
    state: 'armed',
    moment: 'before-commit',
    by: 'ada',
    runnerId: null,
  })
  expect(history.note('missed', dead, null).report()).toMatchObject({ state: 'missed' })
})

test('a step that is taken over, begun again and ended is told with its effect, its fence and the spans', () => {
  const history = lost()
  expect(history.report()).toMatchObject({
    state: 'lost',
    keptCount: 1,
    takeoverMs: null,
    steps: [{ nodeId: 'b', state: 'waiting', effect: 'keyed', fenced: { epoch: 1, counter: 1 } }],
  })
  expect(history.owned('b', living, 2).report()).toMatchObject({
    takeoverMs: 1_500,
    recoveryMs: null,
    steps: [{ state: 'again', takenBy: living }],
  })
  expect(history.move('b', 'SUCCESS').report()).toMatchObject({
    state: 'recovered',
    recoveryMs: 4_500,
    steps: [{ state: 'done', takenBy: living }],
  })
})

test('the effect follows from the class of the step, and from whether it begins again', () => {
  const effect = (history: History, sideEffect: SideEffectClass) =>
    history.report(sideEffect)?.steps[0]?.effect
  const again = lost().owned('b', living, 2).move('b', 'SUCCESS')
  expect(effect(again, 'pure')).toBe('none')
  expect(effect(again, 'idempotent')).toBe('idempotent')
  expect(effect(again, 'keyed')).toBe('keyed')
  expect(effect(again, 'unsafe')).toBe('doubled')
  const asks = lost().move('b', 'APPROVAL_REQUIRED')
  expect(effect(asks, 'unsafe')).toBe('asked')
  expect(asks.report('unsafe')).toMatchObject({ state: 'recovered', steps: [{ state: 'person' }] })
  // Claimed and never begun, nothing of it can have happened.
  const pending = new History().note('asked', 'ada', 'now').register('b').owned('b', dead, 1).died()
  expect(effect(pending.move('b', 'PENDING_RECOVERY'), 'unsafe')).toBe('none')
})

test('what was taken from others meanwhile is not told, and the newest crash counts', () => {
  const history = lost().register('z').owned('z', living, 1).move('z', 'RUNNING_RECOVERY')
  expect(history.report()?.steps.map(({ nodeId: id }) => id)).toEqual(['b'])
  expect(history.note('asked', 'bob', 'now').report()).toMatchObject({ by: 'bob', state: 'armed', steps: [] })
})
