/** The run whose result a step took over instead of running, and the way to it. */

import { History } from 'lucide-react'
import { runIdOf } from '../../../src-engine/model/ids.ts'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { useDesigner } from '../../state/context.ts'
import { showRunOf } from '../../state/show-run.ts'
import { shownSite } from '../../state/site-lines.ts'
import { fill } from '../../text/messages.ts'
import { reusedResult as words } from '../../text/result-words.ts'
import { Button } from '../../ui/Button.tsx'
import { instantWords } from '../../ui/time-words.ts'
import styles from './Inspector.module.css'

export function ReusedResult({ invocation }: { readonly invocation: InvocationRecord }) {
  const designer = useDesigner()
  const reused = invocation.dispatch?.reused
  if (reused === undefined) return null
  const { from, at } = reused
  // As it was when it was taken over: a finished run says the same tomorrow.
  const when = instantWords(at, invocation.finishedAt ?? at)
  const place = { runId: runIdOf(from), nodeId: null, invocationId: from, site: shownSite(designer) }
  return (
    <section className={styles['child']} aria-label={words.title} data-testid="reused-result">
      <span>
        <b>{words.title}</b>
        <small>{fill(words.when, { when })}</small>
        <code>{runIdOf(from)}</code>
      </span>
      <Button isSmall icon={History} testId="reused-open" onClick={() => void showRunOf(designer, place)}>
        {words.open}
      </Button>
    </section>
  )
}
