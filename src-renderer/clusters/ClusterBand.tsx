/** The band that says that everything below it is a cluster's, and the way back. */

import { Network } from 'lucide-react'
import { safetyText } from '../../src-engine/model/failover-safety.ts'
import { useConnectionState, useDesigner } from '../state/context.ts'
import { clusterWords as words } from '../text/cluster-words.ts'
import { Button } from '../ui/Button.tsx'
import { useLiveAnswer } from '../ui/use-live-answer.ts'
import styles from './Clusters.module.css'

export function ClusterBand() {
  const { cluster, switchCluster } = useDesigner()
  const { status } = useConnectionState()
  if (cluster === null) return null
  const isLost = status === 'lost' || status === 'refused'
  return (
    <section
      className={styles['band']}
      data-colour={cluster.colour}
      data-testid="cluster-band"
      aria-label={`Cluster ${cluster.name}`}
    >
      <Network size={14} aria-hidden />
      <strong>{cluster.name}</strong>
      {cluster.readOnly && <span className={styles['mark']}>{words.readOnly}</span>}
      <SafetyMark />
      {isLost && <output>{words.lost}</output>}
      <span className={styles['spring']} />
      <Button isSmall testId="cluster-leave" onClick={() => switchCluster(null)}>
        {words.back}
      </Button>
    </section>
  )
}

/** What somebody who relies on the cluster should know about it; nothing where all is as it should be. */
function SafetyMark() {
  const { answer } = useLiveAnswer('engine.info', {})
  const safety = answer?.safety ?? null
  if (safety === null || (safety.mode === 'safe' && safety.alone.length === 0)) return null
  return (
    <span className={styles['mark']} data-testid="cluster-safety" title={safetyText(safety)}>
      {safety.mode === 'fast' ? words.fast : words.waiting}
    </span>
  )
}
