/** Selecting by the way things are connected, by hand, by letters and by searching. */

import { nodeId } from '../../../src-engine/model/ids.ts'
import { endFinding, findText, stepFinding } from '../../canvas/finding.ts'
import { beginJump } from '../../canvas/jump-mode.ts'
import { reached } from '../../canvas/reach.ts'
import type { Designer } from '../../state/designer.ts'
import { isReadOnly, shownDocument } from '../../state/selectors.ts'
import { commandsOf } from './app-command.ts'
import { enterField } from './enter-field.ts'

const isShown = (designer: Designer): boolean =>
  (designer.document.getState().isOpen || isReadOnly(designer)) &&
  designer.view.getState().enginePage === null
const hasNodes = (designer: Designer): boolean =>
  isShown(designer) && designer.view.getState().selection.nodes.length > 0
const hasHits = (designer: Designer): boolean =>
  isShown(designer) && (designer.view.getState().finding?.hits.length ?? 0) > 0

export const selectCommands = commandsOf('Select', [
  {
    id: 'edit.selectUpstream',
    title: 'Select everything before',
    scope: 'canvas',
    isEnabled: hasNodes,
    run: (designer) => selectReached(designer, 'up'),
  },
  {
    id: 'edit.selectDownstream',
    title: 'Select everything after',
    scope: 'canvas',
    isEnabled: hasNodes,
    run: (designer) => selectReached(designer, 'down'),
  },
  {
    id: 'canvas.lasso',
    title: 'Draw around what to select',
    scope: 'canvas',
    isEnabled: isShown,
    run: (designer) => designer.view.getState().setLassoing(true),
  },
  {
    id: 'canvas.jump',
    title: 'Jump to a node by letters',
    scope: 'canvas',
    isEnabled: isShown,
    run: beginJump,
  },
  { id: 'view.find', title: 'Find on the canvas …', isEnabled: isShown, run: beginFinding },
  {
    id: 'view.findNext',
    title: 'Next hit',
    isEnabled: hasHits,
    run: (designer) => stepFinding(designer, 1),
  },
  {
    id: 'view.findPrevious',
    title: 'Previous hit',
    isEnabled: hasHits,
    run: (designer) => stepFinding(designer, -1),
  },
])

function selectReached(designer: Designer, direction: 'up' | 'down'): void {
  const { selection, select, announce } = designer.view.getState()
  const nodes = reached(shownDocument(designer), selection.nodes, direction)
  select({ nodes: nodes.map(nodeId) })
  announce(`${nodes.length} nodes selected.`)
}

/** Opens the field with the keyboard in it; pressed again in it, closes it. */
function beginFinding(designer: Designer): void {
  const field = '[data-testid="find-field"]'
  if (globalThis.document.activeElement?.matches(field) === true) {
    endFinding(designer)
    return
  }
  findText(designer, designer.view.getState().finding?.query ?? '')
  enterField(designer, field)
}
