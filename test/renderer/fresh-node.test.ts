/** A node that was just added says what it lacks once it was left. */

import { expect, it } from 'vitest'
import { nodeId } from '../../src-engine/model/ids.ts'
import { createViewStore } from '../../src-renderer/state/view-store.ts'

it('it stays fresh while it is selected, and is left with the next selection', () => {
  const view = createViewStore({ panels: {}, theme: 'system' })
  const { select, setFresh } = view.getState()
  select({ nodes: [nodeId('a')] })
  setFresh(nodeId('a'))
  select({ nodes: [nodeId('a')] })
  expect(view.getState().fresh).toBe('a')
  select({ nodes: [nodeId('b')] })
  expect(view.getState().fresh).toBeNull()
})
