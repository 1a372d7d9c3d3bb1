/** Says that parts of a store don't answer, so that nobody takes a list for all there is; nothing while all do. */

import { lastingReach, missingText } from '../../src-engine/model/missing-partition.ts'
import { useDesigner } from '../state/context.ts'
import { instantWords } from '../ui/time-words.ts'
import { useLiveAnswer } from '../ui/use-live-answer.ts'
import styles from './Clusters.module.css'

export function AwayMark() {
  const { ambient } = useDesigner()
  const { answer } = useLiveAnswer('engine.info', {})
  const reach = answer?.reach ?? null
  const now = ambient.now()
  const words =
    reach === null ? null : missingText(lastingReach(reach, now), (since) => instantWords(since, now))
  if (words === null) return null
  return (
    <output className={styles['away']} data-testid="partitions-away">
      {words}
    </output>
  )
}
