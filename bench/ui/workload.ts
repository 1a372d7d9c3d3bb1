/** The workflow of the bench: rows of steps, the same for the designer and for bare React Flow. */

/** As large as a card of the designer. */
export const cardSize = { width: 240, height: 64 } as const
const columnGap = 320
const rowGap = 140

const kinds = [
  { kind: 'http-request', title: 'Ask for prices', parameters: { url: 'https://example.test/prices' } },
  { kind: 'transform', title: 'Take what counts', parameters: { expression: 'input' } },
  { kind: 'log', title: 'Write it down', parameters: { message: 'one more' } },
  { kind: 'join', title: 'Wait for all', parameters: {} },
  { kind: 'noop', title: 'Do nothing', parameters: {} },
] as const

export interface BenchNode {
  readonly id: string
  readonly kind: string
  readonly title: string
  readonly parameters: object
  readonly x: number
  readonly y: number
}

/** So many steps, in as many rows as columns but wider than high. The first waits until it is told to go on. */
export function benchNodes(count: number): readonly BenchNode[] {
  const columns = Math.ceil(Math.sqrt(count) * 0.75)
  return Array.from({ length: count }, (_, index) => {
    const at = { x: (index % columns) * columnGap, y: Math.floor(index / columns) * rowGap }
    const own = kinds[index % kinds.length] ?? kinds[0]
    const gate = { kind: 'wait-signal', title: 'Wait for the start', parameters: { name: 'go' } }
    return { id: `s${index}`, ...(index === 0 ? gate : own), ...at }
  })
}

/** From the first step to the first of each row, and along the rows. */
export function benchEdges(nodes: readonly BenchNode[]): readonly (readonly [from: string, to: string])[] {
  return nodes.flatMap((node, index): readonly (readonly [string, string])[] => {
    if (index === 0) return []
    const before = nodes[index - 1]
    const isFirstOfRow = node.x === 0
    return [[isFirstOfRow || before === undefined ? 's0' : before.id, node.id]]
  })
}

/** The document that the designer opens. */
export function benchDocument(count: number): object {
  const nodes = benchNodes(count)
  return {
    format: 'sagasmith.workflow',
    schemaVersion: 1,
    id: `wf_bench_${count}`,
    title: `Bench of ${count}`,
    nodes: Object.fromEntries(
      nodes.map(({ id, kind, title, parameters }) => [id, { kind, title, parameters }]),
    ),
    edges: Object.fromEntries(
      benchEdges(nodes).map(([from, to]) => [
        `${from}-${to}`,
        { from: { node: from, port: 'out' }, to: { node: to, port: 'in' } },
      ]),
    ),
    layout: { nodes: Object.fromEntries(nodes.map(({ id, x, y }) => [id, { x, y }])) },
  }
}
