/** What the canvas's menus offer: ids of commands, by what the menu is about. Pure. */

import type { CanvasMenu } from '../../state/view-store.ts'
import { rule } from '../../ui/menu-rule.ts'

const clipboard = ['edit.cut', 'edit.copy', 'edit.paste', 'edit.duplicate'] as const
const removal = ['edit.delete', 'edit.deleteAndHeal'] as const
const alignment = [
  'edit.alignLeft',
  'edit.alignCentre',
  'edit.alignRight',
  'edit.alignTop',
  'edit.alignMiddle',
  'edit.alignBottom',
  'edit.distributeAcross',
  'edit.distributeDown',
] as const

/** The entries of each menu, in their order. An entry that may not run now is left out. */
export const menuEntries: Readonly<Record<CanvasMenu['about'], readonly string[]>> = {
  canvas: [
    'canvas.quickAdd',
    'canvas.addNote',
    'edit.paste',
    rule,
    'edit.selectAll',
    'edit.tidy',
    rule,
    'view.find',
    'view.zoomToFit',
    'view.zoomTo100',
  ],
  node: [
    'canvas.quickAdd',
    'canvas.connect',
    'edit.rename',
    rule,
    ...clipboard,
    rule,
    'edit.toggleDisabled',
    'edit.toggleBypassed',
    'edit.undoOf',
    'edit.frame',
    'edit.extract',
    'edit.expand',
    rule,
    'edit.selectUpstream',
    'edit.selectDownstream',
    'view.zoomToSelection',
    rule,
    'debug.toggle',
    'debug.condition',
    'debug.runTo',
    'debug.runOnly',
    rule,
    'run.skip',
    'run.retryFrom',
    'debug.fork',
    rule,
    ...removal,
  ],
  nodes: [
    ...clipboard,
    rule,
    ...alignment,
    'edit.tidy',
    rule,
    'edit.frame',
    'edit.extract',
    'edit.group',
    'edit.ungroup',
    'edit.intoBody',
    'edit.outOfBody',
    rule,
    'edit.toggleDisabled',
    'edit.toggleBypassed',
    rule,
    ...removal,
  ],
  edge: ['canvas.insertOnEdge', 'canvas.guardEdge', 'edit.rename', rule, 'edit.delete'],
  note: ['edit.frame', rule, 'edit.delete'],
  scope: ['edit.ungroup'],
  frame: ['edit.collapseFrame', 'edit.frame', 'edit.unframe'],
}
