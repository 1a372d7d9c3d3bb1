/** The run that a step started, with its state and the way to it. */

import { Workflow } from 'lucide-react'
import { childRunOf } from '../../../src-engine/model/child-run.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { useDesigner, useRuns } from '../../state/context.ts'
import { showRunOf } from '../../state/show-run.ts'
import { shownSite } from '../../state/site-lines.ts'
import { runStyle } from '../../status/status-style.ts'
import { children } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import { StatusBadge } from '../../ui/StatusBadge.tsx'
import styles from './Inspector.module.css'

export function ChildRun({ invocation }: { readonly invocation: InvocationRecord }) {
  const designer = useDesigner()
  const runId = childRunOf(invocation)
  // The list is live; an old run that is not in it can be opened all the same.
  const known = useRuns(({ list }) => list.find(({ run }) => run.id === runId)?.run ?? null)
  if (runId === null) return null
  return (
    <section className={styles['child']} aria-label={children.title} data-testid="child-run">
      <span>
        <b>{known?.workflowTitle ?? children.title}</b>
        {known === null ? <code>{runId}</code> : <StatusBadge style={runStyle[known.status]} />}
      </span>
      <Button
        isSmall
        icon={Workflow}
        testId="child-run-open"
        onClick={() => void showRunOf(designer, { runId, nodeId: null, site: shownSite(designer) })}
      >
        Open its run
      </Button>
    </section>
  )
}
