/** A status machine as text and as a picture, both drawn from the table that the engine runs on. */

import type { DrawableMachine, StatusBadge, StatusCard } from './status-layout.ts'
import { badgeRows, badgesOf, exitLines, layOutStatuses } from './status-layout.ts'

export type { DrawableMachine } from './status-layout.ts'

/** The table as plain text: each status with its flags, and its exits below it. */
export function renderStatusText(machine: DrawableMachine): string {
  const blocks = machine.statuses.map((status) => {
    const flags = badgesOf(machine, status).map((badge) =>
      badge.flag === 'overrides' ? `overrides ${badge.label}` : badge.label,
    )
    const exits = exitLines(machine, status).map(
      ({ target, by }) => `  → ${target}${by === '' ? '' : ` (only by ${by})`}`,
    )
    return [`${status}${flags.length === 0 ? '' : `  [${flags.join('; ')}]`}`, ...exits].join('\n')
  })
  const title = `${capitalised(machine.name)}: ${machine.statuses.length} statuses`
  return `${title}\n${'='.repeat(title.length)}\n\n${blocks.join('\n\n')}\n`
}

/** The machine as an SVG for light and dark pages. The same table always gives the same bytes. */
export function renderStatusSvg(machine: DrawableMachine): string {
  const { cards, width, height } = layOutStatuses(machine)
  const cardByStatus = new Map(cards.map((card) => [card.status, card]))
  const edges = cards.flatMap((from) =>
    from.exits.flatMap(({ target, by }, index) => {
      const to = cardByStatus.get(target)
      return to === undefined ? [] : [edgePath({ from, to, exit: index, restricted: by !== '' })]
    }),
  )
  const title = capitalised(machine.name)
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" ` +
      `width="${width}" height="${height}" role="img" aria-labelledby="title">`,
    `<title id="title">${escaped(title)}: ${cards.length} statuses and ${edges.length} transitions</title>`,
    `<style>${style}</style>`,
    arrowHeads,
    `<rect class="page" width="${width}" height="${height}" rx="16"/>`,
    `<text class="title" x="28" y="42">${escaped(title)}</text>`,
    `<text class="subtitle" x="28" y="63">${cards.length} statuses, ${edges.length} transitions. ` +
      'Drawn from the table the engine runs on.</text>',
    `<g class="edges">${edges.join('')}</g>`,
    ...cards.map(cardShape),
    legend(height),
    '</svg>',
    '',
  ].join('\n')
}

const style = `
.page{fill:#fbfbfd}.title{font:600 21px ui-sans-serif,system-ui,sans-serif;fill:#14161d}
.subtitle{font:13px ui-sans-serif,system-ui,sans-serif;fill:#6a7080}
.card{fill:#fff;stroke:#d5d9e4;stroke-width:1.25}.card.owned{stroke:#4b6bfb}.card.final{fill:#f3f4f8}
.card.available{stroke:#12a150}.name{font:600 12.5px ui-monospace,monospace;fill:#14161d}
.exit{font:11px ui-monospace,monospace;fill:#4d5363}.exit .by{fill:#b45309}
.badge{font:600 10px ui-sans-serif,system-ui,sans-serif}
.b-start rect{fill:#e4e7f0}.b-start text{fill:#343a4b}.b-acquires rect{fill:#dfe6ff}
.b-acquires text{fill:#2743c9}
.b-requires rect{fill:#e9e2ff}.b-requires text{fill:#5b2fc4}.b-releases rect{fill:#eceef3}
.b-releases text{fill:#586074}
.b-available rect{fill:#d9f5e4}.b-available text{fill:#0b6b37}.b-final rect{fill:#343a4b}
.b-final text{fill:#fff}
.b-overrides rect{fill:#fff0d6}.b-overrides text{fill:#92510a}
.edge{fill:none;stroke-width:1.3;opacity:.55}.edge:hover{opacity:1;stroke-width:2.6}
.forward{stroke:#4b6bfb}.back{stroke:#d98a1f}.end{stroke:#a9afbf;opacity:.5}.restricted{stroke-dasharray:5 4}
.h-forward{fill:#4b6bfb}.h-back{fill:#d98a1f}.h-end{fill:#a9afbf}
.key{font:12px ui-sans-serif,system-ui,sans-serif;fill:#4d5363}
@media (prefers-color-scheme:dark){
.page{fill:#12141a}.title,.name{fill:#f2f4f9}.subtitle,.key{fill:#99a1b3}
.card{fill:#1b1e27;stroke:#363c4c}.card.owned{stroke:#7f97ff}.card.final{fill:#161921}
.card.available{stroke:#3ecf7f}
.exit{fill:#b9c0d0}.exit .by{fill:#f0b35c}
.b-start rect{fill:#343a4b}.b-start text{fill:#dfe3ee}.b-acquires rect{fill:#26315f}
.b-acquires text{fill:#b7c5ff}
.b-requires rect{fill:#352a5c}.b-requires text{fill:#d2c3ff}.b-releases rect{fill:#2a2f3c}
.b-releases text{fill:#aab2c4}
.b-available rect{fill:#153d28}.b-available text{fill:#83e8b0}.b-final rect{fill:#dfe3ee}
.b-final text{fill:#14161d}
.b-overrides rect{fill:#46330f}.b-overrides text{fill:#ffcf86}
.forward{stroke:#7f97ff}.back{stroke:#e9a84a}.end{stroke:#5d6579}.h-forward{fill:#7f97ff}
.h-back{fill:#e9a84a}.h-end{fill:#5d6579}
}`

const arrowHeads = `<defs>${['forward', 'back', 'end']
  .map(
    (kind) =>
      `<marker id="${kind}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" ` +
      'orient="auto">' +
      `<path class="h-${kind}" d="M0 0.8 8 4 0 7.2z"/></marker>`,
  )
  .join('')}</defs>`

interface Edge {
  readonly from: StatusCard
  readonly to: StatusCard
  /** Which exit of its card it is: the line starts beside that line of text. */
  readonly exit: number
  readonly restricted: boolean
}

function edgePath({ from, to, exit, restricted }: Edge): string {
  const isFinal = to.badges.some((badge) => badge.flag === 'final')
  const kind = to.column <= from.column ? 'back' : isFinal ? 'end' : 'forward'
  const startY = exitY(from, exit) - 4
  // Arrows into one card are spread over its header, by where they come from.
  const endY = to.y + 10 + ((from.column * 7 + exit * 5) % 16)
  const leavesLeft = to.column < from.column
  const startX = leavesLeft ? from.x : from.x + from.width
  const endX = to.column > from.column ? to.x - 2 : to.x + to.width + 2
  const bend = to.column === from.column ? 60 : Math.max(44, Math.abs(endX - startX) * 0.38)
  const startBend = startX + (leavesLeft ? -bend : bend)
  const endBend = to.column > from.column ? endX - bend : endX + bend
  const path = `M${startX} ${startY}C${round(startBend)} ${startY} ${round(endBend)} ${endY} ${endX} ${endY}`
  const label = `${from.status} → ${to.status}`
  const classes = `edge ${kind}${restricted ? ' restricted' : ''}`
  const title = `<title>${escaped(label)}</title>`
  return `<path class="${classes}" d="${path}" marker-end="url(#${kind})">${title}</path>`
}

function exitY(card: StatusCard, index: number): number {
  return round(card.y + 34 + badgeRows(card.badges).length * 22 + 12 + index * 15)
}

function cardShape(card: StatusCard): string {
  const has = (flag: StatusBadge['flag']): boolean => card.badges.some((badge) => badge.flag === flag)
  const tone = has('final') ? ' final' : has('requires') ? ' owned' : has('available') ? ' available' : ''
  const badges = badgeRows(card.badges).flatMap((row, index) =>
    badgeRow(row, card.x + 12, card.y + 32 + index * 22),
  )
  const exits = card.exits.map(({ target, by }, index) => {
    const only = by === '' ? '' : ` <tspan class="by">only ${escaped(by)}</tspan>`
    const y = exitY(card, index)
    return `<text class="exit" x="${card.x + 12}" y="${y}">→ ${escaped(target)}${only}</text>`
  })
  return [
    `<g><rect class="card${tone}" x="${card.x}" y="${round(card.y)}" ` +
      `width="${card.width}" height="${card.height}" rx="10"/>`,
    `<text class="name" x="${card.x + 12}" y="${round(card.y + 22)}">${escaped(card.status)}</text>`,
    ...badges,
    ...exits,
    '</g>',
  ].join('')
}

function badgeRow(badges: readonly StatusBadge[], left: number, top: number): readonly string[] {
  let x = left
  return badges.map((badge) => {
    const width = Math.round(badge.label.length * 5.7 + 14)
    const shape =
      `<g class="badge b-${badge.flag}">` +
      `<rect x="${x}" y="${round(top)}" width="${width}" height="17" rx="8.5"/>` +
      `<text x="${x + width / 2}" y="${round(top + 12)}" text-anchor="middle">` +
      `${escaped(badge.label)}</text></g>`
    x += width + 6
    return shape
  })
}

const legendBadges: readonly (readonly [StatusBadge['flag'], string])[] = [
  ['acquires', 'entering makes the actor the owner'],
  ['requires', 'only the owner may leave'],
  ['releases', 'entering clears the owner'],
  ['available', 'a runner may claim it'],
  ['overrides', 'these may enter without owning'],
]

const legendEdges = [
  ['forward', 'onward'],
  ['back', 'back'],
  ['end', 'to an end'],
] as const

function legend(height: number): string {
  const y = height - 46
  let x = 28
  const parts: string[] = []
  for (const [flag, text] of legendBadges) {
    const label = flag === 'overrides' ? 'by …' : flag
    parts.push(...badgeRow([{ flag, label }], x, y))
    x += Math.round(label.length * 5.7 + 14) + 6
    parts.push(`<text class="key" x="${x}" y="${y + 13}">${text}</text>`)
    x += Math.round(text.length * 6.1) + 16
  }
  let edgeX = 28
  for (const [kind, text] of legendEdges) {
    const line = `M${edgeX} ${y + 31}h26`
    parts.push(`<path class="edge ${kind}" d="${line}" marker-end="url(#${kind})"/>`)
    parts.push(`<text class="key" x="${edgeX + 34}" y="${y + 35}">${text}</text>`)
    edgeX += 34 + text.length * 7 + 20
  }
  parts.push(`<path class="edge end restricted" d="M${edgeX} ${y + 31}h26" marker-end="url(#end)"/>`)
  parts.push(`<text class="key" x="${edgeX + 34}" y="${y + 35}">only by the named actor</text>`)
  return `<g>${parts.join('')}</g>`
}

function capitalised(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')
}

function round(value: number): number {
  return Math.round(value * 10) / 10
}
