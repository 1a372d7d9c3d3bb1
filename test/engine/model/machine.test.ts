import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { ActorKind } from '../../../src-engine/model/invocation-status.ts'
import { invocationMachine, invocationStatuses } from '../../../src-engine/model/invocation-status.ts'
import type { MachineTable, StatusRow } from '../../../src-engine/model/machine.ts'
import { defineMachine } from '../../../src-engine/model/machine.ts'

type Rows = Readonly<Record<string, StatusRow<string, string>>>
const tableOf = (rows: Rows, initial: readonly string[] = ['A']): MachineTable<string, string> => ({
  name: 'test',
  initial,
  rows,
})
const end: StatusRow<string, string> = { final: true, to: [] }

describe('defineMachine refuses', () => {
  test.for<[string, MachineTable<string, string>]>([
    ['no initial status', tableOf({}, [])],
    ['initial X is not defined', tableOf({ A: end }, ['A', 'X'])],
    ['A both acquires and releases', tableOf({ A: { acquires: true, releases: true, to: ['B'] }, B: end })],
    [
      'A both overrides and requires an owner',
      tableOf({ A: { overrides: ['x'], requires: true, to: ['B'] }, B: end }),
    ],
    ['A overrides for nobody', tableOf({ A: { overrides: [], to: ['B'] }, B: end })],
    ['A is final and available', tableOf({ A: { ...end, available: true, releases: true } })],
    ['A is available but keeps an owner', tableOf({ A: { available: true, to: ['B'] }, B: end })],
    ['A is not final and has no exit', tableOf({ A: { to: [] } })],
    ['A leads to X, which is not defined', tableOf({ A: { to: ['X'] } })],
    ['A is final but may be left for B by anyone', tableOf({ A: { final: true, to: ['B'] }, B: end })],
    [
      'A is final but may be left for B by anyone',
      tableOf({ A: { final: true, to: [{ status: 'B', by: [] }] }, B: end }),
    ],
    ["B can't be reached", tableOf({ A: end, B: end })],
  ])('%s', ([problem, table]) => {
    expect(() => defineMachine(table)).toThrow(`The test table is impossible: `)
    expect(() => defineMachine(table)).toThrow(problem)
  })

  test('names every contradiction at once [P5]', () => {
    const table = tableOf({ A: { acquires: true, releases: true, to: ['X'] }, B: { to: [] } })
    expect(() => defineMachine(table)).toThrow(/both acquires.*not defined.*no exit.*can't be reached/)
  })
})

describe('a machine', () => {
  const machine = defineMachine<string, string>(
    tableOf({
      A: { releases: true, available: true, to: ['B'] },
      B: { acquires: true, requires: true, to: ['C', 'E', 'A'] },
      C: { requires: true, to: ['D'] },
      D: { final: true, releases: true, to: [{ status: 'E', by: ['boss'] }] },
      E: { final: true, releases: true, overrides: ['boss'], to: [] },
    }),
  )
  const me = { kind: 'worker', id: 'me' }
  const boss = { kind: 'boss', id: null }

  test('derives its sets from the table', () => {
    expect(machine.statuses).toEqual(['A', 'B', 'C', 'D', 'E'])
    expect([...machine.final]).toEqual(['D', 'E'])
    expect([...machine.available]).toEqual(['A'])
    expect([...machine.owned].sort()).toEqual(['B', 'C'])
  })

  test('starts only at an initial status', () => {
    expect(machine.validateTransition(null, 'A', me)).toBeNull()
    expect(machine.validateTransition(null, 'B', me)).toEqual({
      kind: 'illegal-transition',
      from: null,
      to: 'B',
    })
  })

  test('takes a restricted exit only by the actor named there', () => {
    expect(machine.validateTransition('D', 'E', boss)).toBeNull()
    expect(machine.validateTransition('D', 'E', me)).toMatchObject({ kind: 'illegal-transition' })
    expect(machine.validateTransition('D', 'A', boss)).toMatchObject({ kind: 'illegal-transition' })
  })

  test('lets only the owner leave, except into what the actor may override [P6]', () => {
    const leave = (to: string, owner: string | null, actor: typeof me | typeof boss) =>
      machine.validateOwnership({ from: 'B', to, owner, actor })
    expect(leave('C', 'me', me)).toBeNull()
    expect(leave('C', 'other', me)).toEqual({ kind: 'not-the-owner', owner: 'other', actor: 'me' })
    expect(leave('C', null, boss)).toEqual({ kind: 'not-the-owner', owner: null, actor: null })
    expect(leave('E', 'other', boss)).toBeNull()
    expect(leave('E', 'other', me)).toMatchObject({ kind: 'not-the-owner' })
    expect(machine.validateOwnership({ from: 'A', to: 'B', owner: null, actor: me })).toBeNull()
  })

  test('computes the owner from the status entered', () => {
    expect(machine.computeOwner('B', null, me)).toBe('me')
    expect(machine.computeOwner('C', 'me', boss)).toBe('me')
    expect(machine.computeOwner('D', 'me', me)).toBeNull()
  })
})

test('along any legal walk an invocation has an owner exactly in the owned statuses', () => {
  const actors: readonly ActorKind[] = [
    'runner',
    'recovery',
    'reconciler',
    'operator',
    'scan',
    'run',
    'policy',
  ]
  const step = fc.record({ to: fc.constantFrom(...invocationStatuses), kind: fc.constantFrom(...actors) })
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      let status: (typeof invocationStatuses)[number] = 'REGISTERED'
      let owner: string | null = null
      for (const { to, kind } of steps) {
        const actor = { kind, id: kind === 'runner' ? 'r1' : null }
        if (invocationMachine.validateTransition(status, to, actor) !== null) continue
        if (invocationMachine.validateOwnership({ from: status, to, owner, actor }) !== null) continue
        // Only a runner claims; that rule is the store's.
        if (to === 'PENDING' && kind !== 'runner') continue
        owner = invocationMachine.computeOwner(to, owner, actor)
        status = to
        expect(owner !== null).toBe(invocationMachine.owned.has(status))
      }
    }),
  )
})
