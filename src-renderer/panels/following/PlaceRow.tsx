/** One place on the way of a value: whose it is, what stands there, and how it came there. */

import { Waypoints } from 'lucide-react'
import type { ValuePlace } from '../../../src-engine/model/following/value-place.ts'
import { valuePlaceKey, valuePlaceText } from '../../../src-engine/model/following/value-place.ts'
import type { JsonValue } from '../../../src-engine/model/json.ts'
import type { LoadedValue } from '../../../src-engine/protocol/load-followed-value.ts'
import { useDesigner } from '../../state/context.ts'
import { followOn, lookAtPlace } from '../../state/follow-value.ts'
import type { Site } from '../../state/site.ts'
import { followingWords as words } from '../../text/following-words.ts'
import { fill } from '../../text/messages.ts'
import { IconButton } from '../../ui/IconButton.tsx'
import { TaskIcon } from '../../ui/TaskIcon.tsx'
import { leafText } from '../inspector/data/value-rows.ts'
import styles from './FollowPanel.module.css'
import { stepTitle } from './step-title.ts'

/** Characters of a value that a row shows. */
const shownMax = 120

export function PlaceRow(props: {
  readonly site: Site
  readonly runs: LoadedValue['runs']
  /** The value that is followed. */
  readonly start: ValuePlace
  readonly place: ValuePlace
  readonly value: JsonValue | undefined
  readonly depth: number
  readonly isBegin: boolean
  readonly how: string
}) {
  const { site, runs, start, place, value, how } = props
  const designer = useDesigner()
  const run = runs.get(place.runId)
  const node = place.nodeId === null ? undefined : run?.graph.nodeById.get(place.nodeId)?.node
  const where = [
    ...(place.path === '' ? [] : [fill(words.turn, { turn: place.path })]),
    ...(place.runId === start.runId ? [] : [fill(words.otherRun, { run: place.runId })]),
  ].join(' ')
  const isStart = valuePlaceKey(place) === valuePlaceKey(start)
  return (
    <li
      className={styles['row']}
      data-begin={props.isBegin || undefined}
      data-start={isStart || undefined}
      style={{ paddingInlineStart: 4 + props.depth * 18 }}
    >
      <button
        type="button"
        className={styles['place']}
        title={words.look}
        onClick={() => void lookAtPlace(designer, site, place)}
      >
        <span className={styles['step']}>
          <TaskIcon name={designer.specs.get(node?.kind ?? '')?.icon ?? 'braces'} size={13} />
          <b>{stepTitle(run, place)}</b>
          {where !== '' && <small>{where}</small>}
        </span>
        <code className={styles['field']}>{valuePlaceText(place)}</code>
        <span className={styles['value']} data-unknown={value === undefined || undefined}>
          {value === undefined ? words.unknown : valueText(value)}
        </span>
        <small className={styles['how']}>{how}</small>
      </button>
      {!isStart && (
        <IconButton
          icon={Waypoints}
          label={`${words.onwards}: ${stepTitle(run, place)} ${valuePlaceText(place)}`}
          onClick={() => void followOn(designer, place)}
        />
      )}
    </li>
  )
}

function valueText(value: JsonValue): string {
  const text = leafText(value)
  return text.length > shownMax ? `${text.slice(0, shownMax)} …` : text
}
