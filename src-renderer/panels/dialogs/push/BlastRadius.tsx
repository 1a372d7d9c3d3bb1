/** The runs in flight that a new version would have changed, and the way to each. */

import { ArrowUpRight } from 'lucide-react'
import type { RunId } from '../../../../src-engine/model/ids.ts'
import type { PushPreview } from '../../../../src-engine/protocol/push.ts'
import { fill } from '../../../text/messages.ts'
import { publishWords as words } from '../../../text/publish-words.ts'
import { IconButton } from '../../../ui/IconButton.tsx'
import styles from './Blast.module.css'
import { blastSentence, touchedRuns } from './blast-lines.ts'

export function BlastRadius(props: {
  readonly preview: PushPreview
  /** Null where runs can't be looked at from here. */
  readonly onOpen: ((runId: RunId) => void) | null
}) {
  const { preview, onOpen } = props
  return (
    <section className={styles['blast']} data-testid="blast-radius">
      <h3>{words.flight}</h3>
      <p>{blastSentence(preview)}</p>
      {touchedRuns(preview).length > 0 && (
        <>
          <ul>
            {touchedRuns(preview).map(({ runId, text }) => (
              <li key={runId} data-testid="blast-run">
                <span>
                  <code>{fill(words.run, { id: runId.slice(-8) })}</code>
                  {text}
                </span>
                {onOpen !== null && (
                  <IconButton icon={ArrowUpRight} label={words.open} onClick={() => onOpen(runId)} />
                )}
              </li>
            ))}
          </ul>
          <p>{words.stay}</p>
        </>
      )}
    </section>
  )
}
