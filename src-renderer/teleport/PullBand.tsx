/** The band that tells how far a copy of a cluster's run is on its way here. */

import { LoaderCircle } from 'lucide-react'
import { useEffect, useState } from 'react'
import type { RunId } from '../../src-engine/model/ids.ts'
import type { PullProgress } from '../../src-engine/protocol/teleport.ts'
import styles from '../clusters/Clusters.module.css'
import { useDesigner } from '../state/context.ts'
import { pullProgress } from '../state/teleport.ts'
import { progressWords } from './progress-words.ts'

/** How often it is asked. */
const everyMs = 250

export function PullBand({ runId }: { readonly runId: RunId }) {
  const designer = useDesigner()
  const [progress, setProgress] = useState<PullProgress | null>(null)
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null
    let isShown = true
    const ask = (): void => {
      void pullProgress(designer, runId)
        // The pull itself tells what is wrong.
        .catch(() => null)
        .then((next) => {
          if (!isShown) return
          if (next !== null) setProgress(next)
          timer = setTimeout(ask, everyMs)
        })
    }
    ask()
    return () => {
      isShown = false
      if (timer !== null) clearTimeout(timer)
    }
  }, [designer, runId])
  return (
    <section className={styles['band']} data-colour="grey" data-testid="pull-progress">
      <LoaderCircle size={14} aria-hidden />
      <output className={styles['about']}>{progressWords(progress)}</output>
    </section>
  )
}
