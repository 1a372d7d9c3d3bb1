/** Below the bar, while the engine doesn't answer: what that means for what is open, and what to do. */

import { WifiOff } from 'lucide-react'
import { useEffect, useState } from 'react'
import { useConnectionState, useDesigner } from '../state/context.ts'
import { connectionWords as words } from '../text/connection-words.ts'
import { CodeWords } from '../ui/CodeWords.tsx'
import styles from './panels.module.css'

/** A line that comes back sooner is no news: nothing moves for it. */
const patienceMs = 1_500

export function ConnectionBand() {
  const { desktop, cluster } = useDesigner()
  const state = useConnectionState()
  const isLong = useIsLong(state.status === 'lost')
  // The band of a cluster says it of that one.
  if (cluster !== null || (state.status !== 'refused' && !isLong)) return null
  const [what, then] =
    state.status === 'refused'
      ? [state.reason.message, state.reason.hint]
      : [words.lost, desktop === null ? `${words.kept} ${words.start}` : words.kept]
  return (
    <div className={styles['banner']} data-tone="bad" data-testid="connection-band" role="alert">
      <WifiOff size={15} aria-hidden />
      <p>
        <b>{what}</b> <CodeWords text={then} />
      </p>
    </div>
  )
}

function useIsLong(isSo: boolean): boolean {
  const { ambient } = useDesigner()
  const [isLong, setLong] = useState(false)
  useEffect(() => {
    if (!isSo) return undefined
    const cancel = ambient.after(patienceMs, () => setLong(true))
    return () => {
      cancel()
      setLong(false)
    }
  }, [isSo, ambient])
  return isSo && isLong
}
