/** What a person can ask of one step while its run is under way. */

import { Pause, Play, SkipForward } from 'lucide-react'
import { useState } from 'react'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { useDesigner, useRuns } from '../../state/context.ts'
import { steerRun } from '../../state/steer-run.ts'
import type { StepAction } from '../../status/wait-words.ts'
import { stepActionsOf } from '../../status/wait-words.ts'
import { stepHints } from '../../text/messages.ts'
import controls from '../../ui/controls.module.css'
import styles from './Inspector.module.css'

const buttons = {
  pause: { title: 'Pause', icon: Pause },
  resume: { title: 'Resume', icon: Play },
  skip: { title: 'Skip', icon: SkipForward },
} as const

export function StepControls({ invocation }: { readonly invocation: InvocationRecord }) {
  const designer = useDesigner()
  const run = useRuns((state) => state.current?.live.replay.run ?? null)
  const [isSent, setSent] = useState(false)
  if (run === null) return null
  const actions = stepActionsOf(invocation, run)
  if (actions.length === 0) return null
  const ask = async (action: StepAction): Promise<void> => {
    setSent(true)
    const { runId, nodeId } = invocation
    await steerRun(designer, { runId, action, nodeId })
    setSent(false)
  }
  return (
    <fieldset className={styles['steps']} aria-label="Control this step">
      {actions.map((action) => {
        const { title, icon: Icon } = buttons[action]
        return (
          <button
            key={action}
            type="button"
            className={controls['button']}
            data-size="small"
            data-testid={`step-${action}`}
            title={stepHints[action]}
            disabled={isSent}
            onClick={() => void ask(action)}
          >
            <Icon size={13} aria-hidden /> {title}
          </button>
        )
      })}
    </fieldset>
  )
}
