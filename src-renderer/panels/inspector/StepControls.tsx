/** What a person can ask of one step: while its run is under way, and once it has ended. */

import { Pause, Play, SkipForward, StepForward } from 'lucide-react'
import { useState } from 'react'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { commandOf, runCommand } from '../../commands/registry.ts'
import { useDesigner, useRuns } from '../../state/context.ts'
import { isRetryable } from '../../state/rerun.ts'
import { steerRun } from '../../state/steer-run.ts'
import type { StepAction } from '../../status/wait-words.ts'
import { stepActionsOf } from '../../status/wait-words.ts'
import { stepHints } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import { useKeyWords } from '../../ui/use-key-map.ts'
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
  const keys = useKeyWords(commandOf('run.retryFrom')) ?? ''
  if (run === null) return null
  const actions = stepActionsOf(invocation, run)
  const mayRetry = isRetryable(run)
  if (actions.length === 0 && !mayRetry) return null
  const ask = async (action: StepAction): Promise<void> => {
    setSent(true)
    const { runId, nodeId } = invocation
    await steerRun(designer, { runId, action, nodeId })
    setSent(false)
  }
  return (
    <fieldset className={styles['steps']} aria-label="Control this step">
      {actions.map((action) => (
        <Button
          key={action}
          isSmall
          icon={buttons[action].icon}
          testId={`step-${action}`}
          title={stepHints[action]}
          disabled={isSent}
          onClick={() => void ask(action)}
        >
          {buttons[action].title}
        </Button>
      ))}
      {mayRetry && (
        <Button
          isSmall
          icon={StepForward}
          testId="step-retry"
          title={`${stepHints.retry}  (${keys})`}
          onClick={() => runCommand(designer, 'run.retryFrom')}
        >
          Retry from here
        </Button>
      )}
    </fieldset>
  )
}
