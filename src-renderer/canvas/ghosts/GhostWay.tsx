/** Beneath an edge: as wide as it was gone often in the last runs. */

import { timesGone } from '../../../src-engine/model/ghosts.ts'
import { useGhosts } from '../../state/context.ts'
import { ghostWords as words } from '../../text/ghost-words.ts'
import { fill } from '../../text/messages.ts'
import styles from './Ghosts.module.css'

/** In pixels of the canvas, gone in every run. */
const widthMax = 16

export function GhostWay(props: { readonly path: string; readonly from: string; readonly port: string }) {
  const { path, from, port } = props
  const all = useGhosts((state) => state.ghosts?.runs ?? 0)
  const runs = useGhosts((state) => Math.min(all, timesGone(state.waysByNode.get(from) ?? [], port)))
  if (all === 0 || runs === 0) return null
  return (
    <path
      d={path}
      fill="none"
      className={styles['way']}
      data-port={port === 'error' ? 'error' : 'out'}
      data-testid={`ghost-way-${from}-${port}`}
      style={{ strokeWidth: 3 + (widthMax - 3) * (runs / all) }}
    >
      <title>{fill(words.way, { runs, all })}</title>
    </path>
  )
}
