/** A workflow from elsewhere whose id is known here is a copy or that very workflow: who takes it in says which. */

import { describe, expect, test } from 'vitest'
import type { WorkflowDocument } from '../../src-engine/model/workflow.ts'
import { settleArriving } from '../../src-renderer/state/arriving.ts'
import { importFile, openPath } from '../../src-renderer/state/files.ts'
import { chain } from './factories.ts'
import type { Machine } from './fake-designer.ts'
import { newMachine, openPage, putFile } from './fake-designer.ts'

const orders = { ...chain('a', 'b'), title: 'Orders' }

async function taken(machine: Machine, document: WorkflowDocument = orders) {
  const { designer } = openPage(machine)
  const front = () => designer.document.getState().history.document
  const isOpen = () => designer.document.getState().isOpen
  const take = () =>
    importFile(designer, { name: 'x.json', bytes: new TextEncoder().encode(JSON.stringify(document)) })
  const asked = () => designer.view.getState().arriving?.twin ?? null
  await take()
  return { designer, front, isOpen, take, asked }
}

function published(title: string): Machine {
  const machine = newMachine()
  const versions = [{ hash: 'w1_a', title, publishedAt: 0 }]
  Object.assign(machine.methods, { 'workflows.versions': () => ({ versions }) })
  return machine
}

describe('a workflow that is taken in', () => {
  test('is opened at once, as it is, where nobody has its id', async () => {
    const { asked, front } = await taken(newMachine())
    expect([asked(), front().id, front().title]).toEqual([null, orders.id, 'Orders'])
  })

  test('asks where one that is open, saved or published has it, and opens nothing before', async () => {
    const open = await taken(newMachine())
    await open.take()
    expect(open.asked()).toEqual({ title: 'Orders', path: null })
    const machine = newMachine()
    const entry = { path: '/w/orders.json', id: orders.id, title: 'Orders', modifiedAt: 0, problem: null }
    Object.assign(machine.methods, { 'library.list': () => [entry] })
    expect((await taken(machine)).asked()).toEqual({ title: 'Orders', path: '/w/orders.json' })
    const of = await taken(published('Orders of old'))
    expect(of.asked()).toEqual({ title: 'Orders of old', path: null })
    expect(of.isOpen()).toBe(false)
  })

  test('asks also where the one that has it is open behind another', async () => {
    const machine = newMachine()
    putFile(machine, '/w/other.json', { ...chain('c'), id: 'wf_other' })
    const { designer, take, asked } = await taken(machine)
    await openPath(designer, '/w/other.json')
    await take()
    expect(asked()).toEqual({ title: 'Orders', path: null })
  })

  test('as a copy has an id of its own and says so in its title', async () => {
    const { designer, front, asked } = await taken(published('Orders'))
    settleArriving(designer, 'copy')
    expect(front().id).not.toBe(orders.id)
    expect(front()).toMatchObject({ title: 'Orders (copy)', nodes: orders.nodes })
    expect([asked(), designer.view.getState().dialog]).toEqual([null, null])
  })

  test('as the same workflow stays as it is', async () => {
    const { designer, front } = await taken(published('Orders'))
    settleArriving(designer, 'same')
    expect(front()).toMatchObject({ id: orders.id, title: 'Orders' })
  })
})
