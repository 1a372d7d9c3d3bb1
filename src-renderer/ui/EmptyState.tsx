/** In place of a list or a page that has nothing: what belongs here, how it comes here, and what to do first. */

import type { LucideIcon } from 'lucide-react'
import { Play, Workflow } from 'lucide-react'
import type { ReactNode } from 'react'
import { commandOf, runCommand } from '../commands/registry.ts'
import { useDesigner } from '../state/context.ts'
import { Button } from './Button.tsx'
import { CodeWords } from './CodeWords.tsx'
import styles from './EmptyState.module.css'
import { emptyParts } from './empty-parts.ts'
import { useEnabled } from './use-enabled.ts'

export function EmptyState(props: {
  readonly icon: LucideIcon
  /** Its first sentence says what is so, what follows how that changes. */
  readonly text: string
  /** What to know before the first one is made, a line each. */
  readonly lines?: readonly string[]
  readonly tone?: 'good' | 'bad'
  readonly testId?: string
  /** What can be done first. */
  readonly children?: ReactNode
}) {
  const { icon: Icon, text, lines = [], tone, testId, children } = props
  const { what, how } = emptyParts(text)
  return (
    <div
      className={styles['empty']}
      data-tone={tone}
      data-testid={testId}
      role={tone === 'bad' ? 'alert' : undefined}
    >
      <Icon size={24} strokeWidth={1.6} aria-hidden />
      <p>
        <b>{what}</b>
        {how !== '' && (
          <>
            {' '}
            <span>
              <CodeWords text={how} />
            </span>
          </>
        )}
      </p>
      {lines.length > 0 && (
        <ul>
          {lines.map((line) => (
            <li key={line}>
              <CodeWords text={line} />
            </li>
          ))}
        </ul>
      )}
      {children !== undefined && <div className={styles['first']}>{children}</div>}
    </div>
  )
}

/** Runs the open workflow, where it can be. */
export function RunFirst() {
  const designer = useDesigner()
  const command = commandOf('run.start')
  const isEnabled = useEnabled(command)
  return (
    <Button isSmall icon={Play} disabled={!isEnabled} onClick={() => runCommand(designer, command.id)}>
      {command.title}
    </Button>
  )
}

/** From a page of the engine to the workflow that is open, or to where one is chosen. */
export function WorkflowFirst() {
  const designer = useDesigner()
  return (
    <Button isSmall icon={Workflow} onClick={() => designer.view.getState().setEnginePage(null)}>
      Go to your workflows
    </Button>
  )
}
