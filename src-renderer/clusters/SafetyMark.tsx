/** What somebody who relies on a cluster should know about it; nothing where all is as it should be. */

import { safetyText } from '../../src-engine/model/failover-safety.ts'
import { clusterWords as words } from '../text/cluster-words.ts'
import { useLiveAnswer } from '../ui/use-live-answer.ts'
import styles from './Clusters.module.css'

export function SafetyMark() {
  const { answer } = useLiveAnswer('engine.info', {})
  const safety = answer?.safety ?? null
  if (safety === null || (safety.mode === 'safe' && safety.alone.length === 0)) return null
  return (
    <span className={styles['mark']} data-testid="cluster-safety" title={safetyText(safety)}>
      {safety.mode === 'fast' ? words.fast : words.waiting}
    </span>
  )
}
