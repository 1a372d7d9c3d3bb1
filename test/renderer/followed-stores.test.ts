/** Which stores a component follows by the hook it asks. */

import { createElement } from 'react'
import { renderToStaticMarkup } from 'react-dom/server'
import { expect, test } from 'vitest'
import { DesignerContext, useDesigner, useView } from '../../src-renderer/state/context.ts'
import { newMachine, openPage } from './fake-designer.ts'

/** The stores of a designer that a component asks while it is drawn. */
function asked(ask: () => unknown): readonly string[] {
  const found: string[] = []
  const told = new Proxy(openPage(newMachine()).designer, {
    get: (designer, key, self) => {
      found.push(String(key))
      return Reflect.get(designer, key, self)
    },
  })
  const Probe = (): null => {
    ask()
    return null
  }
  const inside = createElement(Probe)
  renderToStaticMarkup(createElement(DesignerContext, { value: told }, inside))
  return found
}

test('who asks for a value of one store follows that store alone', () => {
  expect(asked(() => useView((state) => state.panels))).toEqual(['view'])
})

test('who asks for the designer is drawn again when there are other kinds of tasks', () => {
  expect(asked(useDesigner)).toEqual(['customTasks'])
})
