/** What started the shown run, when no person did, and the way to its record. */

import type { RunId } from '../../src-engine/model/ids.ts'
import { useDesigner, useRuns } from '../state/context.ts'
import { useShownDocument } from '../state/selectors.ts'
import { showFiring } from '../state/show-records.ts'
import { titleOfTrigger } from '../state/step-title.ts'
import { fill } from '../text/messages.ts'
import { records as words } from '../text/record-words.ts'
import { firingWords } from '../text/source-words.ts'
import { Button } from '../ui/Button.tsx'
import { useAnswer } from '../ui/use-answer.ts'
import styles from './panels.module.css'

export function TriggerBanner() {
  const run = useRuns((state) => state.current?.live.replay.run ?? null)
  if (run === null || !run.cause.kind.startsWith('trigger:')) return null
  return <Started key={run.id} runId={run.id} />
}

function Started({ runId }: { readonly runId: RunId }) {
  const designer = useDesigner()
  const firing = useAnswer('triggers.why', { runId })?.firing ?? null
  const document = useShownDocument()
  if (firing === null) return null
  const title = titleOfTrigger(document, firing.triggerId)
  return (
    <div className={styles['banner']} data-tone="quiet" data-testid="run-trigger">
      <p>{fill(words.banner, { title, words: firingWords(firing) })}</p>
      <Button isSmall testId="run-why" onClick={() => showFiring(designer, firing)}>
        {words.why}
      </Button>
    </div>
  )
}
