/** The keyboard among the cards at the canvas' edge. */

import { nodeId } from '../../../src-engine/model/ids.ts'
import type { Designer } from '../../state/designer.ts'
import { shownDocument } from '../../state/selectors.ts'
import { isAtEdge, walkEdge } from './edge-focus.ts'
import { startNodes } from './start-nodes.ts'

/** Up and down walk among the cards, right leads into the workflow. True for keys that meant something. */
export function edgeKey(designer: Designer, event: KeyboardEvent): boolean {
  if (!isAtEdge(event.target) || event.ctrlKey || event.metaKey || event.altKey) return false
  const { view, canvas } = designer
  switch (event.key) {
    case 'ArrowUp':
    case 'ArrowDown': {
      const id = walkEdge(event.target, event.key === 'ArrowUp' ? -1 : 1)
      view.getState().select(id === null ? {} : { triggers: [id] })
      return true
    }
    case 'ArrowRight': {
      const [first] = startNodes(shownDocument(designer))
      if (first === undefined) return true
      view.getState().select({ nodes: [nodeId(first)] })
      canvas.current?.focusNode(first)
      return true
    }
    case 'ArrowLeft':
      return true
    default:
      return false
  }
}
