/** Jumping to a card by letters: they show on every card that is seen, and typing them goes there. */

import { nodeId } from '../../src-engine/model/ids.ts'
import type { Designer } from '../state/designer.ts'
import { jumpLabels } from './jump-labels.ts'

/** Shows the letters. */
export function beginJump(designer: Designer): void {
  const ids = designer.canvas.current?.seen() ?? []
  if (ids.length === 0) return
  designer.view.getState().setJump({ labels: jumpLabels(ids), typed: '' })
  designer.view
    .getState()
    .announce(`${ids.length} nodes have letters. Type them to go there, Escape to stop.`)
}

/** What a key means while letters are shown; false when they aren't. */
export function jumpKey(designer: Designer, key: string): boolean {
  const { jump, setJump, select } = designer.view.getState()
  if (jump === null) return false
  if (['Shift', 'Control', 'Alt', 'Meta'].includes(key)) return false
  const typed = jump.typed + key.toLowerCase()
  const fitting = [...jump.labels].filter(([, label]) => label.startsWith(typed))
  const [only] = fitting
  if (key === 'Backspace') setJump({ ...jump, typed: jump.typed.slice(0, -1) })
  // Any other key, Escape among them, ends it.
  else if (only === undefined) setJump(null)
  else if (only[1] !== typed) setJump({ ...jump, typed })
  else {
    setJump(null)
    select({ nodes: [nodeId(only[0])] })
    designer.canvas.current?.focusNode(only[0])
  }
  return true
}
