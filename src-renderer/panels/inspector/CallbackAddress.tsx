/** A step that waits for web calls: the address to be called, as a text and as a code to scan. */

import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import { useRuns } from '../../state/context.ts'
import { shownModel } from '../../state/runs-store.ts'
import { callback as words } from '../../text/callback-words.ts'
import { fill } from '../../text/messages.ts'
import { QrCode } from '../../ui/QrCode.tsx'
import { useAnswer } from '../../ui/use-answer.ts'
import styles from './Inspector.module.css'
import { CopiedAddress } from './triggers/CopiedAddress.tsx'

/** Nothing for a step that waits for something else, or not at all. */
export function CallbackAddress({ invocation }: { readonly invocation: InvocationRecord }) {
  const { status, wait } = invocation
  if (status !== 'WAITING' || wait?.kind !== 'signal' || wait.calls === undefined) return null
  return <Address invocation={invocation} wanted={wait.calls} />
}

function Address(props: { readonly invocation: InvocationRecord; readonly wanted: number }) {
  const { invocation, wanted } = props
  const answer = useAnswer('webhooks.callback', { invocationId: invocation.id })
  const count = useRuns(({ current }) =>
    current === null
      ? 0
      : (shownModel(current).replay.run?.signals.find((kept) => kept.for === invocation.id)?.messages
          ?.length ?? 0),
  )
  if (answer === null) return null
  const { url } = answer
  return (
    <section className={styles['decision']} aria-label={words.title} data-testid="callback">
      <h3>{words.title}</h3>
      <p>{url === null ? words.unknown : words.lead}</p>
      {url !== null && <CopiedAddress method="" url={url} testId="callback-url" />}
      {wanted > 1 && <p>{fill(words.came, { count: String(count), wanted: String(wanted) })}</p>}
      {url !== null && (
        <details className={styles['scan']}>
          <summary>{words.code}</summary>
          <QrCode text={url} label={words.picture} />
        </details>
      )}
    </section>
  )
}
