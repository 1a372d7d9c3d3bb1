/** Bodies of maps and loops by keyboard: what a drag into a frame or out of it does. */

import type { NodeId } from '../../../src-engine/model/ids.ts'
import { isContainer, mayEnter, parentOf } from '../../rules/bodies.ts'
import type { Designer } from '../../state/designer.ts'
import { canEdit } from '../../state/selectors.ts'
import { setParents } from '../bodies.ts'
import { commandsOf } from './app-command.ts'

export const bodyCommands = commandsOf('Edit', [
  {
    id: 'edit.intoBody',
    title: 'Put into the selected map or loop',
    scope: 'canvas',
    isEnabled: (designer) => intoBody(designer) !== null,
    run: (designer) => {
      const parents = intoBody(designer)
      if (parents !== null) designer.document.getState().edit(setParents(parents, 'Put into body'))
    },
  },
  {
    id: 'edit.outOfBody',
    title: 'Take out of its map or loop',
    scope: 'canvas',
    isEnabled: (designer) => outOfBody(designer) !== null,
    run: (designer) => {
      const parents = outOfBody(designer)
      if (parents !== null) designer.document.getState().edit(setParents(parents, 'Take out of body'))
    },
  },
])

const documentOf = (designer: Designer) => designer.document.getState().history.document

/** The one selected container takes the other selected nodes; null when that means nothing. */
function intoBody(designer: Designer): Readonly<Record<string, NodeId>> | null {
  if (!canEdit(designer)) return null
  const document = documentOf(designer)
  const { nodes } = designer.view.getState().selection
  const [container, ...more] = nodes.filter((id) => isContainer(document.nodes[id]))
  if (container === undefined || more.length > 0) return null
  const others = nodes.filter(
    (id) => mayEnter(document, id, container) && parentOf(document, id) !== container,
  )
  return others.length === 0 ? null : Object.fromEntries(others.map((id) => [id, container]))
}

/** Each selected node of a body goes one level out; null when none is in one. */
function outOfBody(designer: Designer): Readonly<Record<string, NodeId | null>> | null {
  if (!canEdit(designer)) return null
  const document = documentOf(designer)
  const { nodes } = designer.view.getState().selection
  const inside = nodes.flatMap((id) => {
    const parent = parentOf(document, id)
    return parent === null ? [] : [[id, parentOf(document, parent)] as const]
  })
  return inside.length === 0 ? null : Object.fromEntries(inside)
}
