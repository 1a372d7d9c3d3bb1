/** A value of a run: where it comes from, hop by hop, and which steps read it. */

import { ArrowLeft, Waypoints } from 'lucide-react'
import { valuePlaceKey, valuePlaceText } from '../../../src-engine/model/following/value-place.ts'
import type { LoadedValue } from '../../../src-engine/protocol/load-followed-value.ts'
import { useDesigner, useFollowing } from '../../state/context.ts'
import { followBack } from '../../state/follow-value.ts'
import type { AskedValue } from '../../state/following-store.ts'
import { hopWords, followingWords as words } from '../../text/following-words.ts'
import { fill } from '../../text/messages.ts'
import { EmptyState } from '../../ui/EmptyState.tsx'
import { IconButton } from '../../ui/IconButton.tsx'
import styles from './FollowPanel.module.css'
import { hopRows } from './hop-rows.ts'
import { PlaceRow } from './PlaceRow.tsx'
import { stepTitle } from './step-title.ts'

export function FollowPanel() {
  const asked = useFollowing(({ trail }) => trail.at(-1) ?? null)
  if (asked === null) return <EmptyState icon={Waypoints} text={words.none} />
  return <Followed asked={asked} />
}

function Followed({ asked }: { readonly asked: AskedValue }) {
  const designer = useDesigner()
  const canGoBack = useFollowing(({ trail }) => trail.length > 1)
  const found = useFollowing((state) => state.found)
  const error = useFollowing((state) => state.error)
  const title = stepTitle(found?.runs.get(asked.place.runId), asked.place)
  return (
    <div className={styles['panel']} data-testid="followed-value">
      <header className={styles['head']}>
        <IconButton
          icon={ArrowLeft}
          label={words.back}
          disabled={!canGoBack}
          onClick={() => void followBack(designer)}
        />
        <h2>
          <code>{valuePlaceText(asked.place)}</code>
          <span>{title}</span>
        </h2>
      </header>
      {error !== null && (
        <div className={styles['problem']} role="alert">
          <b>{error.message}</b>
          <p>{error.hint}</p>
        </div>
      )}
      {found === null && error === null && <p className={styles['none']}>{words.loading}</p>}
      {found !== null && <Ways found={found} asked={asked} />}
    </div>
  )
}

function Ways({ found, asked }: { readonly found: LoadedValue; readonly asked: AskedValue }) {
  const { site, place: start } = asked
  const given = { site, runs: found.runs, start }
  return (
    <div className={styles['ways']}>
      <section aria-labelledby="followed-origin">
        <h3 id="followed-origin">{words.origin}</h3>
        <ol data-testid="followed-hops">
          {hopRows(found.hops).map(({ hop, depth, isAgain }, row) => (
            <PlaceRow
              key={`${valuePlaceKey(hop.place)} ${row}`}
              {...given}
              place={hop.place}
              value={hop.value}
              depth={depth}
              isBegin={hop.from.length === 0}
              how={isAgain ? words.above : howText(hop.how, hop.expression)}
            />
          ))}
        </ol>
        {found.isCut && <p className={styles['cut']}>{words.isCut}</p>}
      </section>
      <section aria-labelledby="followed-readers">
        <h3 id="followed-readers">{words.readers}</h3>
        {found.readers.length === 0 && <p className={styles['cut']}>{words.noReaders}</p>}
        <ol data-testid="followed-readers">
          {found.readers.map(({ place, expression, value }) => (
            <PlaceRow
              key={valuePlaceKey(place)}
              {...given}
              place={place}
              value={value}
              depth={0}
              isBegin={false}
              how={fill(words.by, { expression })}
            />
          ))}
        </ol>
      </section>
    </div>
  )
}

function howText(how: keyof typeof hopWords, expression: string | null): string {
  const by = expression === null ? '' : ` ${fill(words.by, { expression })}`
  return `${hopWords[how]}${by}`
}
