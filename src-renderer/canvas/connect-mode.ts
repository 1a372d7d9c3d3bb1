/** Connecting without a pointer: C, then arrows or a letter, then Enter. */

import { nodeId } from '../../src-engine/model/ids.ts'
import { errorPort } from '../../src-engine/model/workflow.ts'
import { connect } from '../commands/connect.ts'
import { undoPort } from '../rules/compensation.ts'
import type { Designer } from '../state/designer.ts'
import { portsOf } from './geometry.ts'
import { jumpLabels } from './jump-labels.ts'
import { freePortOf, targetsOf } from './placement.ts'

/** Offers every node that the selected one may lead to. */
export function beginConnectMode(designer: Designer): void {
  const { document } = designer.document.getState().history
  const [id] = designer.view.getState().selection.nodes
  const node = id === undefined ? undefined : document.nodes[id]
  if (id === undefined || node === undefined) return
  const ways = portsOf(node, designer.specs.get(node.kind)).map((port) => port.id)
  const ports = [...ways, errorPort, undoPort]
  offer(designer, { id, port: freePortOf(designer, document, id) ?? errorPort, ports })
}

/** What a key means while connecting; false when it means nothing. */
export function connectModeKey(designer: Designer, key: string): boolean {
  const { connectMode, setConnectMode } = designer.view.getState()
  if (connectMode === null) return false
  const { candidates, index, ports, from } = connectMode
  if (key === 'Escape') setConnectMode(null)
  else if (key === 'Enter' || key === ' ') finish(designer, index)
  else if (key === 'ArrowRight' || key === 'ArrowDown')
    setConnectMode({ ...connectMode, index: (index + 1) % candidates.length })
  else if (key === 'ArrowLeft' || key === 'ArrowUp')
    setConnectMode({ ...connectMode, index: (index + candidates.length - 1) % candidates.length })
  else if (/^[1-9]$/.test(key)) {
    const port = ports[Number(key) - 1]
    if (port !== undefined) offer(designer, { id: from.node, port, ports })
  } else if (/^[a-z]$/i.test(key)) {
    const typed = connectMode.typed + key.toLowerCase()
    const picked = candidates.findIndex((id) => connectMode.labels.get(id) === typed)
    const isBegun = [...connectMode.labels.values()].some((label) => label.startsWith(typed))
    if (picked !== -1) finish(designer, picked)
    else setConnectMode({ ...connectMode, typed: isBegun ? typed : '' })
  } else return false
  return true
}

function offer(
  designer: Designer,
  start: { readonly id: string; readonly port: string; readonly ports: readonly string[] },
): void {
  const from = { node: nodeId(start.id), port: start.port }
  const candidates = targetsOf(designer, from)
  const { view } = designer
  if (candidates.length === 0) {
    view.getState().setConnectMode(null)
    view.getState().toast({
      tone: 'neutral',
      message: 'There is no node that this one could lead to.',
      hint: 'Press A to add one after it.',
    })
    return
  }
  const labels = jumpLabels(candidates)
  view.getState().setConnectMode({ from, ports: start.ports, candidates, index: 0, labels, typed: '' })
  view
    .getState()
    .announce(
      `Connecting from ${start.port === undoPort ? 'undo' : start.port}. ${candidates.length} targets: arrows to choose, Enter to connect, Escape to stop.`,
    )
}

function finish(designer: Designer, index: number): void {
  const { connectMode, setConnectMode, announce } = designer.view.getState()
  const target = connectMode?.candidates[index]
  setConnectMode(null)
  if (connectMode === null || target === undefined) return
  designer.document.getState().edit(connect({ from: connectMode.from, to: { node: target, port: 'in' } }))
  announce('Connected.')
}
