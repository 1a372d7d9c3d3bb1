/** How mouse and trackpad move the canvas: each way can do all that a canvas needs, and is remembered. */

import { expect, test } from 'vitest'
import { navigationMoves, navigationOf, navigations } from '../../src-renderer/canvas/navigation.ts'
import { newMachine, openPage } from './fake-designer.ts'

test.for(navigations)(
  '%s: the canvas is dragged or a box is drawn, and the other button stays the menu’s',
  (way) => {
    const { panOnDrag, selectionOnDrag } = navigationMoves(way)
    expect(panOnDrag === true).toBe(!selectionOnDrag)
    if (Array.isArray(panOnDrag)) expect(panOnDrag).toEqual([1])
    // React Flow would begin anew with other objects.
    expect(navigationMoves(way)).toBe(navigationMoves(way))
  },
)

test('no two ways are the same', () => {
  expect(new Set(navigations.map((way) => JSON.stringify(navigationMoves(way)))).size).toBe(
    navigations.length,
  )
})

test('what was chosen comes back; what isn’t a way is the usual one', () => {
  const machine = newMachine()
  const navigation = () => openPage(machine).designer.view.getState().navigation
  expect(navigation()).toBe('trackpad')
  openPage(machine).designer.view.getState().setNavigation('mouse')
  expect(navigation()).toBe('mouse')
  expect(['mouse', 'Mouse', '', null].map(navigationOf)).toEqual([
    'mouse',
    'trackpad',
    'trackpad',
    'trackpad',
  ])
})
