/**
 * Every move of the status tables is made by engines as they are: each has a story that leads there, and a move that
 * none leads to is dead and doesn't belong into the table.
 */

import { expect, test } from 'vitest'
import { invocationMachine } from '../../../src-engine/model/invocation-status.ts'
import type { StatusRow } from '../../../src-engine/model/machine.ts'
import { exitsOf } from '../../../src-engine/model/machine.ts'
import { runMachine } from '../../../src-engine/model/run-status.ts'
import type { Store } from '../../../src-engine/store/store.ts'
import { simulationStores } from '../../simulation/stores.ts'
import { everyEvent } from '../../support/read-events.ts'
import { atWork } from './at-work.ts'
import { available } from './available.ts'
import { programs } from './programs.ts'
import { runs } from './runs.ts'
import { waiting } from './waiting.ts'

const scenarios = [...available, ...atWork, ...programs, ...waiting, ...runs]

function movesOf(table: Readonly<Record<string, StatusRow<string, string>>>): readonly string[] {
  return Object.entries(table).flatMap(([from, row]) => exitsOf(row).map((to) => `${from} > ${to}`))
}

const table: readonly string[] = [
  ...movesOf(invocationMachine.table.rows),
  ...movesOf(runMachine.table.rows).map((move) => `run ${move}`),
]

/** The moves that the events of a store tell. */
async function madeIn(store: Store): Promise<readonly string[]> {
  const events = await everyEvent(store)
  return events.flatMap(({ body }) => {
    if (body.type !== 'invocation.changed' && body.type !== 'run.changed') return []
    const move = `${body.from} > ${body.to}`
    if (body.from === body.to) return []
    return [body.type === 'run.changed' ? `run ${move}` : move]
  })
}

for (const [name, open] of ['memory', 'sqlite'].map((kind) => [kind, simulationStores[kind]] as const)) {
  test.for(scenarios)(`on ${name}: $name`, async ({ reaches, play }) => {
    if (open === undefined) throw new Error(`there is no store ${name}`)
    const store = await open()
    await play(store)
    const made = await madeIn(store)
    await store.close()
    expect(made, made.join(', ')).toEqual(expect.arrayContaining([...reaches]))
    expect(table).toEqual(expect.arrayContaining([...new Set(made)]))
  })
}

test('each move of the tables has its story, and each story its moves', () => {
  const reached = new Set(scenarios.flatMap(({ reaches }) => reaches))
  expect([...reached].sort()).toEqual([...table].sort())
})
