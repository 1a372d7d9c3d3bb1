/** A node or a trigger that was just added says what it lacks once it was left. */

import { describe, expect, it } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { Problem } from '../../src-engine/model/problem.ts'
import { taskSpecsByKind } from '../../src-engine/tasks/specs.ts'
import { addKind } from '../../src-renderer/canvas/placement.ts'
import { addTriggerOf } from '../../src-renderer/canvas/triggers/add-trigger.ts'
import { changeTrigger } from '../../src-renderer/commands/triggers.ts'
import { newDocument } from '../../src-renderer/state/files.ts'
import { isFreshTrigger, toldInForm } from '../../src-renderer/state/fresh.ts'
import { createViewStore } from '../../src-renderer/state/view-store.ts'
import { newMachine, openPage } from './fake-designer.ts'

it('it stays fresh while it is selected, and is left with the next selection', () => {
  const view = createViewStore({ panels: {}, theme: 'system' })
  const { select, setFresh } = view.getState()
  select({ nodes: [nodeId('a')] })
  setFresh(nodeId('a'))
  select({ nodes: [nodeId('a')] })
  expect(view.getState().fresh).toBe('a')
  select({ nodes: [nodeId('b')] })
  expect(view.getState().fresh).toBeNull()
  const { touched } = view.getState()
  select({ nodes: [nodeId('c')] })
  // Whoever looks at it draws nothing anew.
  expect(view.getState().touched).toBe(touched)
})

it('it gets the keyboard in the next frame, unless the next search was opened before', () => {
  const { designer: page } = openPage(newMachine(), taskSpecsByKind)
  const focused: string[] = []
  const frames: (() => void)[] = []
  const canvas = { current: { focusNode: (id: string) => void focused.push(id) } }
  const ambient = { ...page.ambient, onFrame: (call: () => void) => void frames.push(call) }
  const designer = { ...page, ambient, canvas } as unknown as typeof page
  newDocument(designer)
  const spec = taskSpecsByKind.get('transform')
  const add = () => spec && addKind(designer, spec, { at: { x: 0, y: 0 }, attach: { kind: 'none' } })
  const first = add()
  frames.shift()?.()
  expect(focused).toEqual([first])
  add()
  const at = { x: 0, y: 0 }
  designer.view.getState().setQuickAdd({ at, screen: at, attach: { kind: 'none' } })
  frames.shift()?.()
  expect(focused).toEqual([first])
})

it('what it is to be told comes first, whatever was looked at of another step', () => {
  const { designer } = openPage(newMachine(), taskSpecsByKind)
  newDocument(designer)
  const spec = taskSpecsByKind.get('http-request')
  designer.view.getState().setPanels({ inspectorTab: 'run' })
  if (spec !== undefined) addKind(designer, spec, { at: { x: 0, y: 0 }, attach: { kind: 'none' } })
  expect(designer.view.getState().panels.inspectorTab).toBe('parameters')
})

describe('the form of a node that was just added', () => {
  const [url, body] = ['parameters.url', 'parameters.body.text'].map(
    (field) => ({ nodeId: nodeId('ask'), field }) as unknown as Problem,
  )
  const opened = () => {
    const view = createViewStore({ panels: {}, theme: 'system' })
    view.getState().select({ nodes: [nodeId('ask')] })
    view.getState().setFresh(nodeId('ask'))
    const told = (id = nodeId('ask')) =>
      toldInForm(view.getState(), id, [url, body] as Problem[]).map(({ field }) => field)
    const touch = (field: string) => view.getState().touchField({ nodeId: nodeId('ask'), field })
    return { view, told, touch }
  }

  it('says of a field what is wrong with it once somebody touched it', () => {
    const { told, touch } = opened()
    expect(told()).toEqual([])
    touch('parameters.method')
    expect(told()).toEqual([])
    touch('parameters.url')
    touch('parameters.url')
    expect(told()).toEqual(['parameters.url'])
    touch('parameters.body')
    expect(told()).toEqual(['parameters.url', 'parameters.body.text'])
  })

  it('says all of it once the node was left or Run was pressed, and always of others', () => {
    const { view, told, touch } = opened()
    expect(told(nodeId('other'))).toHaveLength(2)
    touch('parameters.method')
    view.getState().select({})
    view.getState().select({ nodes: [nodeId('ask')] })
    expect(told()).toHaveLength(2)
    expect(view.getState().touched).toEqual([])
    const other = opened()
    other.view.getState().setFresh(null)
    expect(other.told()).toHaveLength(2)
  })

  it('says it of a field that somebody was led to', () => {
    const { view, told } = opened()
    view.getState().wishField('parameters.url')
    expect(told()).toEqual(['parameters.url'])
  })
})

describe('a trigger that was just added', () => {
  const added = () => {
    const { designer } = openPage(newMachine(), taskSpecsByKind)
    newDocument(designer)
    const id = addTriggerOf(designer, 'webhook') ?? ''
    const isFresh = () => {
      const trigger = designer.document.getState().history.document.triggers?.[id]
      return isFreshTrigger(designer.view.getState(), id, trigger)
    }
    return { designer, id, isFresh }
  }

  it('says what it lacks once something was written, not before', () => {
    const { designer, id, isFresh } = added()
    expect(isFresh()).toBe(true)
    designer.document.getState().edit(changeTrigger(id, { parameters: { path: 'orders', method: 'POST' } }))
    expect(isFresh()).toBe(false)
  })

  it('says it once it was left, or Run was pressed', () => {
    const { designer, id, isFresh } = added()
    designer.view.getState().select({ triggers: [id] })
    expect(isFresh()).toBe(true)
    designer.view.getState().select({})
    expect(isFresh()).toBe(false)
    const other = added()
    // As Run does where something is wrong.
    other.designer.view.getState().setFresh(null)
    expect(other.isFresh()).toBe(false)
  })

  it('is not fresh when another one was added', () => {
    const { designer, isFresh } = added()
    addTriggerOf(designer, 'cron')
    expect(isFresh()).toBe(false)
  })
})
