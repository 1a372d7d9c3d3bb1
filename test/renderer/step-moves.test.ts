/** What became of a step, with who had it. */

import { expect, test } from 'vitest'
import type { EngineEvent } from '../../src-engine/model/event.ts'
import { movesOf } from '../../src-renderer/panels/inspector/step-history/step-moves.ts'
import { eventOf, happyEvents, invocationRecord } from './factories.ts'

const lease = (runnerId: string) => ({ runnerId, fence: {}, expiresAt: 0 })

/** A change of `a` by somebody. */
function change(
  moves: readonly [string, string],
  set: object,
  actor: object = { kind: 'runner', id: 'r1' },
): EngineEvent {
  const [from, to] = moves
  const body = { type: 'invocation.changed', from, to, set, attempt: null } as never
  return { ...eventOf(body, 'a'), actor: actor as EngineEvent['actor'] }
}

const registered = () => eventOf({ type: 'invocation.registered', invocation: invocationRecord('a') }, 'a')

test('a step that a runner lost is told with both runners and what took it from the first', () => {
  const events = [
    registered(),
    change(['REGISTERED', 'PENDING'], { lease: lease('r1') }),
    change(['PENDING', 'RUNNING'], { attempt: 1 }),
    change(['RUNNING', 'RUNNING'], { lease: lease('r1') }),
    change(['RUNNING', 'RUNNING_RECOVERY'], { lease: null }, { kind: 'recovery', id: null }),
    change(['RUNNING_RECOVERY', 'REROUTED'], {}, { kind: 'recovery', id: null }),
    change(['REROUTED', 'PENDING'], { lease: lease('r2') }, { kind: 'runner', id: 'r2' }),
    change(['PENDING', 'RUNNING'], { attempt: 2 }, { kind: 'runner', id: 'r2' }),
  ]
  const moves = movesOf([...happyEvents('b'), ...events], invocationRecord('a').id)
  expect(
    moves.map(({ status, owner, isNewOwner, attempt, by }) => [status, owner, isNewOwner, attempt, by.kind]),
  ).toEqual([
    ['REGISTERED', null, false, 0, 'runner'],
    ['PENDING', 'r1', true, 0, 'runner'],
    ['RUNNING', 'r1', false, 1, 'runner'],
    ['RUNNING_RECOVERY', null, false, 1, 'recovery'],
    ['REROUTED', null, false, 1, 'recovery'],
    ['PENDING', 'r2', true, 1, 'runner'],
    ['RUNNING', 'r2', false, 2, 'runner'],
  ])
  // Events of these tests are 10 ms apart; the longer lease is none of the moves.
  expect(moves.map(({ lasted }) => lasted)).toEqual([10, 10, 20, 10, 10, 10, null])
})

test('a step that changes hands without another state says so', () => {
  const events = [
    registered(),
    change(['REGISTERED', 'PENDING'], { lease: lease('r1') }),
    change(['PENDING', 'PENDING'], { lease: lease('r2') }),
  ]
  const moves = movesOf(events, invocationRecord('a').id)
  expect(moves.map(({ status, owner }) => `${status} ${owner}`)).toEqual([
    'REGISTERED null',
    'PENDING r1',
    'PENDING r2',
  ])
})
