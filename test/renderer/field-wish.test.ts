import { expect, test } from 'vitest'
import { granted } from '../../src-renderer/state/field-wish.ts'
import { newMachine, openPage } from './fake-designer.ts'

test('a field that had the keyboard is led to no more, until it is wished for again', () => {
  const { designer } = openPage(newMachine())
  const { wishField, grantField } = designer.view.getState()
  const wish = () => designer.view.getState().fieldWish
  grantField()
  expect(wish()).toBeNull()
  wishField('parameters.expression')
  const first = wish()
  expect(first).toMatchObject({ field: 'parameters.expression', isGranted: false })
  grantField()
  expect(wish()).toEqual({ ...first, isGranted: true })
  expect(granted(wish())).toBe(wish())
  wishField('parameters.expression')
  expect(wish()).toMatchObject({ field: 'parameters.expression', isGranted: false })
  expect(wish()?.at).not.toBe(first?.at)
})
