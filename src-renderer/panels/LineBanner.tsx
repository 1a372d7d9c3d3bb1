/** Above the canvas, of a run that stands in line: its place, what limits it, and the way to who is before it. */

import { runId } from '../../src-engine/model/ids.ts'
import type { RunRecord } from '../../src-engine/model/run.ts'
import { useDesigner } from '../state/context.ts'
import { useShownDocument } from '../state/selectors.ts'
import { showRunOf } from '../state/show-run.ts'
import { shownSite } from '../state/site-lines.ts'
import { runLineWords } from '../status/run-line-words.ts'
import { runLine as words } from '../text/waits.ts'
import { Button } from '../ui/Button.tsx'
import { useLiveAnswer } from '../ui/use-live-answer.ts'
import styles from './panels.module.css'

export function LineBanner({ run: { id } }: { readonly run: Pick<RunRecord, 'id'> }) {
  const designer = useDesigner()
  const per = useShownDocument(({ settings }) => settings?.concurrency?.key ?? '')
  const { answer } = useLiveAnswer('runs.why', { runId: id, nodeId: null })
  const reason = answer?.waiting.find(({ invocationId }) => invocationId === null)
  const told = reason === undefined ? null : runLineWords(reason, per)
  const holder = told?.holder ?? null
  return (
    <div className={styles['banner']} data-testid="run-wait">
      <p>
        <b>{told?.place ?? words.waits}</b> {told?.limit}
      </p>
      {holder !== null && (
        <Button
          isSmall
          testId="run-before"
          onClick={() =>
            void showRunOf(designer, { runId: runId(holder), nodeId: null, site: shownSite(designer) })
          }
        >
          {words.show}
        </Button>
      )}
    </div>
  )
}
