/** Above the canvas: the step after which the shown run ended, because of what it gave. */

import type { InvocationId } from '../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../src-engine/model/invocation.ts'
import { useShownDocument } from '../state/selectors.ts'
import { fill } from '../text/messages.ts'
import { stoppedAfter as words } from '../text/result-words.ts'
import { Button } from '../ui/Button.tsx'
import styles from './panels.module.css'

/** The step that ended the run; null where none did. */
export const endedBy = (invocations: ReadonlyMap<InvocationId, InvocationRecord>): InvocationRecord | null =>
  [...invocations.values()].find(({ dispatch }) => dispatch?.stopped !== undefined) ?? null

export function EndedBanner(props: {
  readonly record: InvocationRecord
  readonly onShow: (node: string) => void
}) {
  const { record, onShow } = props
  const title = useShownDocument().nodes[record.nodeId]?.title ?? record.nodeId
  const condition = record.dispatch?.stopped?.condition ?? ''
  return (
    <div className={styles['banner']} data-tone="quiet" data-testid="run-ended-by">
      <p>{fill(words.banner, { title, condition })}</p>
      <Button isSmall onClick={() => onShow(record.nodeId)}>
        {words.show}
      </Button>
    </div>
  )
}
