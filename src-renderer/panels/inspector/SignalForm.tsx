/** A step that waits for a signal: a person may send it from here, with what it carries. */

import { Send } from 'lucide-react'
import { useId, useState } from 'react'
import type { InvocationRecord } from '../../../src-engine/model/invocation.ts'
import type { JsonText } from '../../forms/json-text.ts'
import { readJsonText } from '../../forms/json-text.ts'
import { useDesigner } from '../../state/context.ts'
import { attempt } from '../../state/designer.ts'
import { lineOfRun } from '../../state/site-lines.ts'
import { signal as words } from '../../text/messages.ts'
import { Button } from '../../ui/Button.tsx'
import controls from '../../ui/controls.module.css'
import styles from './Inspector.module.css'

/** What an empty field carries. */
const nothing: JsonText = { kind: 'value', value: null }

/** Nothing for a step that waits for something else, or not at all. */
export function SignalForm({ invocation }: { readonly invocation: InvocationRecord }) {
  const { status, wait } = invocation
  if (status !== 'WAITING' || wait?.kind !== 'signal' || wait.calls !== undefined) return null
  const to = { runId: invocation.runId, name: wait.name, correlation: wait.correlation }
  return <Form to={to} isOneOfSeveral={wait.count !== undefined} />
}

function Form(of: {
  readonly to: {
    readonly runId: InvocationRecord['runId']
    readonly name: string
    readonly correlation: string | null
  }
  /** The step waits on: the next one may be sent. */
  readonly isOneOfSeveral: boolean
}) {
  const { to, isOneOfSeveral } = of
  const designer = useDesigner()
  const field = useId()
  const [text, setText] = useState('')
  const [isSent, setSent] = useState(false)
  const read = text.trim() === '' ? nothing : readJsonText(text)
  const send = async (): Promise<void> => {
    if (read.kind === 'fault') return
    setSent(true)
    // A name of its own: sent twice by a line that broke, it is one signal.
    const messageId = crypto.randomUUID()
    const answer = await attempt(designer, () =>
      lineOfRun(designer, to.runId).call('signals.send', { ...to, payload: read.value, messageId }),
    )
    if (answer === null || isOneOfSeveral) setSent(false)
    if (answer !== null && isOneOfSeveral) setText('')
  }
  return (
    <section className={styles['decision']} aria-label={words.title} data-testid="signal">
      <h3>{words.title}</h3>
      <p>
        {words.text} <code>{to.name}</code>
        {to.correlation !== null && (
          <>
            {' '}
            {words.of} <code>{to.correlation}</code>
          </>
        )}
      </p>
      <label htmlFor={field}>{words.payload}</label>
      <textarea
        id={field}
        className={controls['field']}
        data-testid="signal-payload"
        data-code
        rows={3}
        spellCheck={false}
        placeholder="null"
        aria-invalid={read.kind === 'fault'}
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
      />
      {read.kind === 'fault' && <small role="alert">{read.message}</small>}
      <div>
        <Button
          isSmall
          icon={Send}
          testId="signal-send"
          disabled={isSent || read.kind === 'fault'}
          onClick={() => void send()}
        >
          {words.send}
        </Button>
      </div>
    </section>
  )
}
