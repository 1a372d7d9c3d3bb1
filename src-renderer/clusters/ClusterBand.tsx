/** The band that says that everything below it is a cluster's, and the way back. */

import { Network } from 'lucide-react'
import { useConnectionState, useDesigner } from '../state/context.ts'
import { clusterWords as words } from '../text/cluster-words.ts'
import { Button } from '../ui/Button.tsx'
import { AwayMark } from './AwayMark.tsx'
import styles from './Clusters.module.css'
import { SafetyMark } from './SafetyMark.tsx'

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
      <AwayMark />
      {isLost && <output>{words.lost}</output>}
      <span className={styles['spring']} />
      <Button isSmall testId="cluster-leave" onClick={() => switchCluster(null)}>
        {words.back}
      </Button>
    </section>
  )
}
