/**
 * What starts the workflow, at the canvas' left edge: a card for each trigger, and the way to add one. It
 * stays where it is while the canvas is moved, so that what acts is always seen.
 */

import { useRef } from 'react'
import { useDesigner, useTriggers } from '../../state/context.ts'
import { useReadOnly, useShownDocument } from '../../state/selectors.ts'
import { publishTriggers } from '../../state/trigger-acts.ts'
import { triggers as words } from '../../text/trigger-words.ts'
import { Button } from '../../ui/Button.tsx'
import { AddTrigger } from './AddTrigger.tsx'
import { TriggerCard } from './TriggerCard.tsx'
import styles from './TriggerEdge.module.css'
import { TriggerWires } from './TriggerWires.tsx'
import { cardIds } from './trigger-look.ts'
import { usePublication } from './use-publication.ts'

export function TriggerEdge() {
  const isReadOnly = useReadOnly()
  const list = useRef<HTMLUListElement>(null)
  const known = useShownDocument(({ triggers }) => triggers)
  const views = useTriggers((state) => state.views)
  // A run's own version is history: what acts now is not its matter.
  const ids = isReadOnly ? Object.keys(known ?? {}) : cardIds(known, views)
  if (isReadOnly && ids.length === 0) return null
  return (
    <>
      {ids.length > 0 && <TriggerWires list={list} />}
      <aside
        className={styles['edge']}
        aria-label={words.edge}
        data-testid="trigger-edge"
        data-empty={ids.length === 0 || undefined}
      >
        <div className={styles['column']}>
          {ids.length > 0 && (
            <ul ref={list}>
              {ids.map((id) => (
                <TriggerCard key={id} id={id} isReadOnly={isReadOnly} />
              ))}
            </ul>
          )}
          {!isReadOnly && <Publication />}
          {!isReadOnly && <AddTrigger isFirst={ids.length === 0} />}
        </div>
      </aside>
    </>
  )
}

/** What is on the canvas isn't what acts: said once for all cards, with the way to make it so. */
function Publication() {
  const designer = useDesigner()
  const publication = usePublication()
  if (publication === 'done') return null
  return (
    <div className={styles['publication']} data-testid="trigger-publication">
      {publication === 'workflow' && <p>{words.versionBehind}</p>}
      <Button isSmall testId="edge-publish" onClick={() => void publishTriggers(designer)}>
        {publication === 'workflow' ? words.publishWorkflow : words.publish}
      </Button>
    </div>
  )
}
