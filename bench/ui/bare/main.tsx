/**
 * React Flow as it comes, with the nodes of the bench: a card with a title, what it does and its state, which comes from a
 * store beside React Flow, once per frame. What the designer is measured against. The address says how many: `?n=2000&run=ID`.
 */

import type { Edge, Node, NodeProps } from '@xyflow/react'
import { Background, Handle, Position, ReactFlow } from '@xyflow/react'
import { memo, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import '@xyflow/react/dist/style.css'
import './main.css'
import { benchEdges, benchNodes, cardSize } from '../workload.ts'

const query = new URLSearchParams(location.search)
const nodesOf = benchNodes(Number(query.get('n') ?? '2000'))

const statuses = new Map<string, string>()
const listeners = new Map<string, () => void>()
const dirty = new Set<string>()
let isWaiting = false

/** Once per frame, those that changed. */
function flush(): void {
  isWaiting = false
  const ids = [...dirty]
  dirty.clear()
  for (const id of ids) listeners.get(id)?.()
}

function changed(id: string, status: string): void {
  statuses.set(id, status)
  dirty.add(id)
  if (isWaiting) return
  isWaiting = true
  requestAnimationFrame(flush)
}

interface Frame {
  readonly type: string
  readonly events?: readonly {
    readonly invocationId: string | null
    readonly body: { readonly to?: string }
  }[]
}

function follow(runId: string): void {
  const token = /t=([^&]+)/.exec(location.hash)?.[1] ?? null
  const socket = new WebSocket(`ws://${location.host}/engine`)
  socket.addEventListener('open', () => {
    socket.send(JSON.stringify({ type: 'hello', protocol: 1, token }))
    const cursor = [{ partition: 0, epoch: 0, seq: Number.MAX_SAFE_INTEGER }]
    socket.send(JSON.stringify({ type: 'subscribe', id: 1, topic: { kind: 'run', runId }, cursor }))
  })
  socket.addEventListener('message', ({ data }) => {
    const frame = JSON.parse(String(data)) as Frame
    for (const { invocationId, body } of frame.events ?? []) {
      if (invocationId !== null && body.to !== undefined)
        changed(invocationId.slice(runId.length + 1), body.to)
    }
  })
}

type Card = Node<{ readonly title: string; readonly kind: string }>

const BareCard = memo(function BareCard({ id, data }: NodeProps<Card>) {
  const status = useSyncExternalStore(
    (listener) => {
      listeners.set(id, listener)
      return () => void listeners.delete(id)
    },
    () => statuses.get(id) ?? '',
  )
  return (
    <article className="bare" data-status={status}>
      <Handle type="target" position={Position.Left} />
      <i />
      <span>
        <b>{data.title}</b>
        <small>{data.kind}</small>
        <small>{status}</small>
      </span>
      <Handle type="source" position={Position.Right} />
    </article>
  )
})

const nodeTypes = { card: BareCard }
const nodes: Card[] = nodesOf.map(({ id, title, kind, x, y }) => ({
  id,
  type: 'card',
  position: { x, y },
  ...cardSize,
  data: { title, kind },
}))
const edges: Edge[] = benchEdges(nodesOf).map(([source, target]) => ({
  id: `${source}-${target}`,
  source,
  target,
}))

const root = document.querySelector('#root')
if (root === null) throw new Error('The page has no root.')
createRoot(root).render(
  <ReactFlow
    defaultNodes={nodes}
    defaultEdges={edges}
    nodeTypes={nodeTypes}
    onlyRenderVisibleElements
    panOnScroll
    minZoom={0.05}
    maxZoom={2.5}
    defaultViewport={{ x: 40, y: 40, zoom: 1 }}
  >
    <Background />
  </ReactFlow>,
)
const run = query.get('run')
if (run !== null) follow(run)
