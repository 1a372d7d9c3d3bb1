/** Trying a webhook out: an address that captures calls and starts nothing, and what came to it. */

import { useState } from 'react'
import type { JsonObject } from '../../../../src-engine/model/json.ts'
import type { TriggerName } from '../../../../src-engine/model/trigger.ts'
import type { WebhookCapture } from '../../../../src-engine/model/webhook-capture.ts'
import { useDesigner } from '../../../state/context.ts'
import { attempt } from '../../../state/designer.ts'
import { resendCapture } from '../../../state/trigger-acts.ts'
import { fill } from '../../../text/messages.ts'
import { webhookTest as words } from '../../../text/webhook-words.ts'
import { Button } from '../../../ui/Button.tsx'
import { JsonTree } from '../../../ui/JsonTree.tsx'
import { clockWords } from '../../../ui/time-words.ts'
import { useAnswer } from '../../../ui/use-answer.ts'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import { CopiedAddress } from './CopiedAddress.tsx'
import styles from './WebhookTest.module.css'

/** Long enough to set the sender up, short enough not to be forgotten. */
const openMs = 15 * 60_000

interface TestProps {
  readonly name: TriggerName
  readonly parameters: JsonObject
  readonly isPublished: boolean
}

export function WebhookTest({ name, parameters, isPublished }: TestProps) {
  const designer = useDesigner()
  const { answer, refresh } = useLiveAnswer('webhooks.captures', name)
  const { call } = designer.connection
  const does = (work: () => Promise<unknown>) => (): void => void attempt(designer, work).then(refresh)
  if (answer === null) return null
  const { test, captures } = answer
  const open = { ...name, parameters, forMs: openMs }
  return (
    <section className={styles['test']} aria-label={words.title} data-testid="webhook-test">
      <h4>{words.title}</h4>
      <p>{test === null ? words.lead : fill(words.until, { time: clockWords(test.until).slice(0, 5) })}</p>
      {test?.url !== null && test !== null && <CopiedAddress method="" url={test.url} testId="test-url" />}
      <div className={styles['acts']}>
        <Button isSmall testId="test-open" onClick={does(() => call('webhooks.openTest', open))}>
          {test === null ? words.open : words.longer}
        </Button>
        {test !== null && (
          <Button isSmall kind="quiet" onClick={does(() => call('webhooks.closeTest', name))}>
            {words.close}
          </Button>
        )}
        {captures.length > 0 && (
          <Button
            isSmall
            kind="quiet"
            testId="captures-clear"
            onClick={does(() => call('webhooks.clearCaptures', name))}
          >
            {words.clear}
          </Button>
        )}
      </div>
      {test !== null && captures.length === 0 && <p>{words.waiting}</p>}
      <ul>
        {captures.map((capture) => (
          <Capture key={capture.id} capture={capture} isPublished={isPublished} />
        ))}
      </ul>
    </section>
  )
}

function Capture(props: { readonly capture: WebhookCapture; readonly isPublished: boolean }) {
  const { capture, isPublished } = props
  const designer = useDesigner()
  const [isOpen, setOpen] = useState(false)
  const { id, at, method, bodyBytes, outcome, isCut } = capture
  return (
    <li data-testid="capture" data-outcome={outcome.kind}>
      <button type="button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <b>{method}</b>
        <time>{clockWords(at).slice(0, 8)}</time>
        <span>{outcomeOf(capture)}</span>
        <small>{fill(words.bytes, { count: String(bodyBytes) })}</small>
      </button>
      {isOpen && (
        <div className={styles['call']}>
          <Call captureId={id} />
          {isPublished && !isCut && (
            <Button
              isSmall
              testId="capture-resend"
              onClick={() => void attempt(designer, () => resendCapture(designer, id))}
            >
              {words.resend}
            </Button>
          )}
          {isCut && <p>{words.cut}</p>}
        </div>
      )}
    </li>
  )
}

function Call({ captureId }: { readonly captureId: string }) {
  const call = useAnswer('webhooks.capture', { captureId })?.call
  return call === undefined ? null : <JsonTree value={call} />
}

function outcomeOf({ outcome }: WebhookCapture): string {
  if (outcome.kind === 'refused')
    return fill(words.refused, { status: String(outcome.status), words: outcome.words })
  return words[outcome.kind]
}
