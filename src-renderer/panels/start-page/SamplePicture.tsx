/** A sample drawn small. Pointed at, it shows the way that work takes through it. */

import type { CSSProperties } from 'react'
import { useMemo } from 'react'
import type { JsonObject } from '../../../src-engine/model/json.ts'
import { parseDocument } from '../../../src-engine/model/read-document.ts'
import { TaskIcon } from '../../ui/TaskIcon.tsx'
import type { MiniatureTile } from './miniature.ts'
import { miniatureOf, tileSize } from './miniature.ts'
import styles from './SamplePicture.module.css'

const iconSize = 30
/** What undoes a step stands behind it. */
const behind = 7

export function SamplePicture({ document }: { readonly document: JsonObject }) {
  const picture = useMemo(() => {
    const read = parseDocument(document)
    return read.ok ? miniatureOf(read.value.document) : null
  }, [document])
  if (picture === null) return <div className={styles['picture']} />
  const { x, y, width, height } = picture.box
  return (
    <svg className={styles['picture']} viewBox={`${x} ${y} ${width} ${height}`} aria-hidden>
      {picture.edges.map(({ id, path, rank }) => (
        <g key={id} style={ranked(rank)}>
          <path className={styles['edge']} d={path} />
          <path className={styles['ink']} d={path} pathLength={1} />
        </g>
      ))}
      {picture.tiles.map((tile) => (
        <Tile key={tile.id} tile={tile} />
      ))}
    </svg>
  )
}

function Tile({ tile }: { readonly tile: MiniatureTile }) {
  const { x, y, category, icon, rank, isUndone } = tile
  const size = { width: tileSize, height: tileSize, rx: 14 }
  const inset = (tileSize - iconSize) / 2
  return (
    <g className={styles['tile']} data-category={category} style={ranked(rank)}>
      {isUndone && <rect className={styles['undo']} x={x + behind} y={y + behind} {...size} />}
      <rect className={styles['box']} x={x} y={y} {...size} />
      <rect className={styles['reached']} x={x} y={y} {...size} />
      <TaskIcon name={icon} x={x + inset} y={y + inset} size={iconSize} />
    </g>
  )
}

const ranked = (rank: number): CSSProperties => ({ '--rank': rank }) as CSSProperties
