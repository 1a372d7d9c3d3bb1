/** What went along an edge: a bead that travels once, and a probe that stays when somebody presses it. */

import { useEffect, useRef, useState } from 'react'
import type { EdgeId } from '../../../src-engine/model/ids.ts'
import { useDesigner, useRuns, useView } from '../../state/context.ts'
import { nodesAt } from '../../state/run-model.ts'
import { isUnderWay, shownModel, shownUntil } from '../../state/runs-store.ts'
import { live } from '../../text/live-words.ts'
import { peekOf } from './crossings.ts'
import styles from './EdgeBead.module.css'
import { probeWords } from './probe-words.ts'
import { takeBead } from './traveling.ts'

interface BeadProps {
  readonly id: EdgeId
  readonly path: string
  /** The middle of the path. */
  readonly x: number
  readonly y: number
  readonly from: string
  readonly times: number
}

/** Below the line: short ones have room neither beside the button in their middle nor at their ends. */
const below = 24

export function EdgeBead(props: BeadProps) {
  const isTraveling = useTravel(props.times)
  // Of what nothing went along there is nothing to follow.
  return props.times === 0 ? null : <Bead {...props} isTraveling={isTraveling} />
}

function Bead(props: BeadProps & { readonly isTraveling: boolean }) {
  const { id, path, x, y, from, times, isTraveling } = props
  const designer = useDesigner()
  const turns = useView((state) => state.turns)
  const isProbe = useView((state) => state.probes.includes(id))
  const peek = useRuns(({ current }) => {
    const record =
      current === null ? null : (nodesAt(shownModel(current), turns).get(from)?.invocation ?? null)
    return peekOf(record?.output ?? null)
  })
  const words = probeWords({ isKept: isProbe, peek, times })
  const offsetPath = `path("${path}")`
  const middle = y + below
  return (
    <>
      {isTraveling && !isProbe && (
        <g className={styles['traveling']} style={{ offsetPath }} data-testid={`bead-${id}`} aria-hidden>
          <circle r="5" />
          <text y="-10">{peek}</text>
        </g>
      )}
      <g
        className={styles['bead']}
        data-probe={isProbe || undefined}
        data-many={times > 1 || undefined}
        data-testid={`probe-${id}`}
        // oxlint-disable-next-line jsx-a11y/prefer-tag-over-role -- inside of an SVG
        role="button"
        aria-pressed={isProbe}
        aria-label={words}
        onClick={(event) => {
          event.stopPropagation()
          designer.view.getState().toggleProbe(id)
        }}
      >
        <title>{words}</title>
        <circle cx={x} cy={middle} r={times > 1 ? 9 : 6} />
        {times > 1 && (
          <text x={x} y={middle} className={styles['times']}>
            {times > 999 ? '1k+' : times}
          </text>
        )}
        {isProbe && (
          <text x={x} y={middle + 21} className={styles['peek']}>
            {peek ?? live.nothing}
          </text>
        )}
      </g>
    </>
  )
}

/** True for the moment after something went along while somebody watched. */
function useTravel(times: number): boolean {
  const designer = useDesigner()
  const before = useRef(times)
  const [isTraveling, setTraveling] = useState(false)
  useEffect(() => {
    const isMore = times > before.current
    before.current = times
    const { current } = designer.runs.getState()
    // Who opens a run that has ended sees its ink at once.
    const isNow = isUnderWay(current) && current !== null && !Number.isFinite(shownUntil(current))
    if (!isMore || !isNow) return undefined
    const giveBack = takeBead()
    if (giveBack === null) return undefined
    const begin = designer.ambient.after(0, () => setTraveling(true))
    const cancel = designer.ambient.after(travelMs, () => {
      setTraveling(false)
      giveBack()
    })
    return () => {
      begin()
      cancel()
      setTraveling(false)
      giveBack()
    }
  }, [designer, times])
  return isTraveling
}

/** As long as the styles have it. */
const travelMs = 1_400
