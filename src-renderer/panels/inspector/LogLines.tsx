/** The log of an attempt; while it is under way, what it printed so far. */

import { useMemo } from 'react'
import type { LogLine } from '../../../src-engine/model/attempt.ts'
import type { Payload } from '../../../src-engine/model/payload.ts'
import { useRuns } from '../../state/context.ts'
import { shownUntil } from '../../state/runs-store.ts'
import { clockWords } from '../../ui/time-words.ts'
import styles from './Inspector.module.css'
import { usePayload } from './use-payload.ts'

const noLines: readonly LogLine[] = []

/** The lines of a finished attempt's log, else the live ones. */
export function useLog(log: Payload | null, invocationId: string | null): readonly LogLine[] {
  const { json } = usePayload(log, true)
  const live = useRuns((state) =>
    invocationId === null ? noLines : (state.current?.liveLines.get(invocationId) ?? noLines),
  )
  // The engine wrote it as an array of lines.
  const lines = useMemo(() => (json === null ? null : (JSON.parse(json) as readonly LogLine[])), [json])
  const until = useRuns((state) => (state.current === null ? 0 : shownUntil(state.current)))
  return useMemo(() => lines ?? live.filter((line) => line.at <= until), [lines, live, until])
}

export function LogLines({ lines }: { readonly lines: readonly LogLine[] }) {
  if (lines.length === 0) return null
  return (
    <section className={styles['block']}>
      <header>
        <h3>Log</h3>
      </header>
      <ol className={styles['log']} data-testid="attempt-log">
        {lines.map((line, index) => (
          // Lines only ever grow at the end.
          <li key={index} data-level={line.level}>
            <time>{clockWords(line.at)}</time>
            <span>{line.text}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
