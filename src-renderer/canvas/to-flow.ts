/** From the document to React Flow's nodes and edges. Objects stay the same while what they show does. */

import type { Node } from '@xyflow/react'
import type { NodeId } from '../../src-engine/model/ids.ts'
import { nodeId } from '../../src-engine/model/ids.ts'
import type { Problem } from '../../src-engine/model/problem.ts'
import type { PortSpec, TaskSpec } from '../../src-engine/model/task-spec.ts'
import type { Point, WorkflowDocument, WorkflowNode } from '../../src-engine/model/workflow.ts'
import { errorPort } from '../../src-engine/model/workflow.ts'
import { childrenOf, depthOf, isContainer } from '../rules/bodies.ts'
import { changesOf } from '../rules/changes.ts'
import { undoingNodes } from '../rules/compensation.ts'
import type { SpecsByKind } from '../rules/connection.ts'
import { fromOf } from '../rules/edges-from.ts'
import type { Hidden } from '../rules/frames.ts'
import { hiddenBy } from '../rules/frames.ts'
import type { Selection } from '../state/view-store.ts'
import { boxOf } from './container-box.ts'
import type { Box } from './fit.ts'
import { noteFlowId } from './flow-ids.ts'
import type { FrameFlowNode } from './frame-flow.ts'
import { frameNodes } from './frame-flow.ts'
import { cardSize, noteSize, placeOf, portsOf } from './geometry.ts'
import { noHandles, taskHandles } from './handles.ts'
import { remembering, sameKey, sameList } from './remembering.ts'
import type { ScopeFlowNode, UndoFlowEdge, UndoMark } from './saga-flow.ts'
import { scopeNodes, undoMarkOf } from './saga-flow.ts'
import { noPorts, usedPorts } from './used-ports.ts'
import type { EdgeInput, WayEdge } from './way-edges.ts'
import { createEdges } from './way-edges.ts'

/** What a card shows of the document. Run state comes from a store of its own. */
export interface TaskData extends Record<string, unknown> {
  readonly node: WorkflowNode
  readonly spec: TaskSpec | null
  readonly ports: readonly PortSpec[]
  readonly hasErrorEdge: boolean
  readonly problems: readonly Problem[]
  readonly isReadOnly: boolean
  /** The room for a body below its head; null for a card without one. */
  readonly body: 'empty' | 'filled' | null
  /** How its node is undone; null where there is nothing to undo. */
  readonly undo: UndoMark | null
  /** Whether it only undoes others: it stands beside the way forward. */
  readonly isUndoing: boolean
}

export interface NoteData extends Record<string, unknown> {
  readonly text: string
  readonly color: string | null
  readonly isReadOnly: boolean
}

export type TaskFlowNode = Node<TaskData, 'task'>
export type NoteFlowNode = Node<NoteData, 'note'>
export type FlowNode = TaskFlowNode | NoteFlowNode | ScopeFlowNode | FrameFlowNode
export type FlowEdge = WayEdge | UndoFlowEdge

export interface FlowInput {
  readonly document: WorkflowDocument
  readonly selection: Selection
  readonly problemsByNode: ReadonlyMap<string, readonly Problem[]>
  readonly specs: SpecsByKind
  readonly isReadOnly: boolean
  /** Places of what is being dragged, by id of the flow node. */
  readonly dragged: ReadonlyMap<string, Point>
}

const noProblems: readonly Problem[] = []

/**
 * A converter that remembers what it made: for the same elements it gives the same list, and what depends on nodes and
 * edges alone isn't looked at again while only places change.
 */
export function createFlowCache() {
  const nodes = new Map<string, { readonly key: readonly unknown[]; readonly flow: FlowNode }>()
  const boxes = new Map<string, { readonly text: string; readonly flow: FlowNode }>()
  const meaning = remembering(meaningOf)
  const lines = remembering(createEdges())
  const same = () => sameList<FlowNode>()
  const [sameFrames, sameNotes, sameScopes, sameTasks] = [same(), same(), same(), same()]
  const sameEdges = sameList<FlowEdge>()
  const all = remembering((parts: readonly (readonly FlowNode[])[]) => parts.flat())
  const node = (id: string, key: readonly unknown[], make: () => FlowNode): FlowNode => {
    const known = nodes.get(id)
    if (known !== undefined && sameKey(known.key, key)) return known.flow
    const flow = make()
    nodes.set(id, { key, flow })
    return flow
  }
  const taskNodes = createTaskNodes(node)
  // They hold nothing but texts and numbers.
  const box = (flow: FlowNode): FlowNode => {
    const text = JSON.stringify(flow)
    const known = boxes.get(flow.id)
    if (known?.text === text) return known.flow
    boxes.set(flow.id, { text, flow })
    return flow
  }
  return {
    nodes: (input: FlowInput): FlowNode[] => {
      const { document, specs } = input
      const hidden = hiddenBy(document)
      const known = meaning([document.nodes, specs], { document, specs })
      const parts = [
        sameFrames(frameNodes({ ...input, hidden }).map(box)),
        sameNotes([...noteNodes(input, node, hidden)]),
        sameScopes(scopeNodes(input, hidden).map(box)),
        sameTasks(taskNodes(input, { hidden, known })),
      ]
      return all(parts, parts)
    },
    edges: (input: EdgeInput): FlowEdge[] => {
      const { nodes: ends, edges: drawn, frames, layout } = input.document
      const key = [ends, drawn, frames, layout?.frames, input.selection.edges, input.isReadOnly]
      return sameEdges(lines(key, input))
    },
  }
}

/** What the cards need to know of the whole workflow, but for its places and edges. */
interface Meaning {
  readonly entries: readonly (readonly [string, WorkflowNode])[]
  readonly undoing: ReadonlySet<string>
  readonly undoOf: (id: string, task: WorkflowNode) => UndoMark | null
}

function meaningOf({ document, specs }: Pick<FlowInput, 'document' | 'specs'>): Meaning {
  const undoing = undoingNodes(document)
  const marks = new Map<string, UndoMark | null>()
  const undoOf = (id: string, task: WorkflowNode): UndoMark | null => {
    const known = marks.get(id)
    if (known !== undefined) return known
    const mark = undoing.has(id) ? null : undoMarkOf(document, task, specs)
    marks.set(id, mark)
    return mark
  }
  return { entries: Object.entries(document.nodes), undoing, undoOf }
}

type Remembered = (id: string, key: readonly unknown[], make: () => FlowNode) => FlowNode

interface Reading {
  readonly hidden: Hidden
  readonly known: Meaning
}

/** The cards of one state after the other: those alone are looked at that differ from the state before. */
function createTaskNodes(node: Remembered): (input: FlowInput, reading: Reading) => FlowNode[] {
  let last: {
    readonly key: readonly unknown[]
    readonly input: FlowInput
    readonly cards: FlowNode[]
    readonly placeById: ReadonlyMap<string, number>
    /** Maps and loops: one is as large as what stands in it. */
    readonly containers: readonly string[]
  } | null = null
  return (input, reading) => {
    const { document, specs, isReadOnly } = input
    const { known, hidden } = reading
    const key = [known, specs, isReadOnly, document.frames, document.layout?.frames]
    const make = taskMaker(input, { ...reading, node })
    if (last === null || !sameKey(last.key, key)) {
      const entries = known.entries.filter(([id]) => !hidden.nodes.has(id))
      const cards = entries.map(([id, task]) => make(id, task))
      const placeById = new Map(entries.map(([id], place) => [id, place]))
      const containers = entries.filter(([, task]) => isContainer(task)).map(([id]) => id)
      last = { key, input, cards, placeById, containers }
      return cards
    }
    const cards = [...last.cards]
    let isSame = true
    for (const id of new Set([...touchedBy(last.input, input), ...last.containers])) {
      const [place, task] = [last.placeById.get(id), document.nodes[nodeId(id)]]
      if (place === undefined || task === undefined) continue
      const card = make(id, task)
      isSame &&= card === cards[place]
      cards[place] = card
    }
    last = { ...last, input, cards: isSame ? last.cards : cards }
    return last.cards
  }
}

/** The steps of which something besides themselves is another than before, and maybe others. */
function touchedBy(before: FlowInput, now: FlowInput): readonly string[] {
  const [was, is] = [before.document, now.document]
  return [
    ...changedIn(was.layout?.nodes ?? noPlaces, is.layout?.nodes ?? noPlaces),
    ...changedIn(was.edges, is.edges).flatMap((id) => [fromOf(was.edges, id), fromOf(is.edges, id)]),
    ...(before.selection === now.selection ? [] : [...before.selection.nodes, ...now.selection.nodes]),
    ...(before.problemsByNode === now.problemsByNode
      ? []
      : [...before.problemsByNode.keys(), ...now.problemsByNode.keys()]),
    ...before.dragged.keys(),
    ...now.dragged.keys(),
  ]
}

const noPlaces = {}

function changedIn(before: Readonly<Record<string, unknown>>, now: typeof before): readonly string[] {
  if (before === now) return []
  const { put, gone } = changesOf(before, now)
  return [...put, ...gone]
}

/** Makes the cards of one state; one that shows what it showed is the same object. */
function taskMaker(
  input: FlowInput,
  { known, node }: Reading & { readonly node: Remembered },
): (id: string, task: WorkflowNode) => FlowNode {
  const usedBy = usedPorts(input.document.edges)
  const selected = new Set<string>(input.selection.nodes)
  return (id, task) => {
    const box = containerBox(input, nodeId(id), task)
    const at = input.dragged.get(id) ?? box ?? placeOf(input.document, id)
    const depth = box === null ? 0 : depthOf(input.document, nodeId(id))
    const body: TaskData['body'] =
      box === null ? null : childrenOf(input.document, nodeId(id)).length === 0 ? 'empty' : 'filled'
    const isSelected = selected.has(id)
    const problems = input.problemsByNode.get(id) ?? noProblems
    const used = usedBy.get(id) ?? noPorts
    const isUndoing = known.undoing.has(id)
    const undo = known.undoOf(id, task)
    const spec = input.specs.get(task.kind)
    const [wide, high] = [box?.width, box?.height]
    const own = [task, spec, at.x, at.y, wide, high, depth, body, undo, isUndoing]
    const key = [...own, isSelected, problems, input.isReadOnly, used.key]
    const hasErrorEdge = used.ports.includes(errorPort)
    const card = { id, task, at, isSelected, problems, box, depth, body, undo, isUndoing }
    return node(id, key, () => taskNode(input, { ...card, used: used.ports, hasErrorEdge }))
  }
}

function noteNodes(input: FlowInput, node: Remembered, hidden: Hidden): readonly FlowNode[] {
  const notes = new Set<string>(input.selection.notes)
  return Object.entries(input.document.notes ?? {}).flatMap(([id, { text, color = null }]) => {
    if (hidden.notes.has(id)) return []
    const flowId = noteFlowId(id)
    const layout = input.document.layout?.notes?.[id]
    const at = input.dragged.get(flowId) ?? { x: layout?.x ?? 0, y: layout?.y ?? 0 }
    const key = [text, color, at.x, at.y, layout, notes.has(id), input.isReadOnly]
    return node(flowId, key, () =>
      noteNode({
        id: flowId,
        text,
        color,
        at,
        size: { ...noteSize, ...sizeOf(layout) },
        isSelected: notes.has(id),
        isReadOnly: input.isReadOnly,
      }),
    )
  })
}

function taskNode(
  input: FlowInput,
  card: {
    readonly id: string
    readonly task: WorkflowNode
    readonly at: Point
    readonly isSelected: boolean
    readonly problems: readonly Problem[]
    readonly used: readonly string[]
    readonly hasErrorEdge: boolean
    readonly box: Box | null
    readonly depth: number
    readonly body: TaskData['body']
    readonly undo: TaskData['undo']
    readonly isUndoing: boolean
  },
): TaskFlowNode {
  const { id, task, at, isSelected, problems } = card
  const spec = input.specs.get(task.kind)
  const ports = portsOf(task, spec, card.used)
  const { box, body } = card
  const size = box === null ? cardSize(ports.length) : { width: box.width, height: box.height }
  return {
    id,
    type: 'task',
    position: at,
    selected: isSelected,
    draggable: !input.isReadOnly,
    connectable: !input.isReadOnly,
    // Containers lie under the edges of their bodies, outer ones under inner ones.
    zIndex: box === null ? (isSelected ? 1000 : 0) : card.depth - bodiesDown,
    ...size,
    measured: size,
    handles: taskHandles({ spec: spec ?? null, ports, size, canBeUndone: card.undo !== null }),
    data: {
      node: task,
      spec: spec ?? null,
      ports,
      problems,
      isReadOnly: input.isReadOnly,
      hasErrorEdge: card.hasErrorEdge,
      body,
      undo: card.undo,
      isUndoing: card.isUndoing,
    },
  }
}

/** Below every edge, above nothing but notes. */
const bodiesDown = 200

function containerBox(input: FlowInput, id: NodeId, task: WorkflowNode): Box | null {
  return isContainer(task) ? boxOf(input.document, id, input.specs) : null
}

function noteNode(note: {
  readonly id: string
  readonly text: string
  readonly color: string | null
  readonly at: Point
  readonly size: { readonly width: number; readonly height: number }
  readonly isSelected: boolean
  readonly isReadOnly: boolean
}): NoteFlowNode {
  return {
    id: note.id,
    type: 'note',
    position: note.at,
    selected: note.isSelected,
    draggable: !note.isReadOnly,
    connectable: false,
    zIndex: -300,
    ...note.size,
    measured: note.size,
    handles: noHandles,
    data: { text: note.text, color: note.color, isReadOnly: note.isReadOnly },
  }
}

function sizeOf(layout: { readonly width?: number; readonly height?: number } | undefined) {
  return {
    ...(layout?.width === undefined ? {} : { width: layout.width }),
    ...(layout?.height === undefined ? {} : { height: layout.height }),
  }
}
