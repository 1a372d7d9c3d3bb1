/** Where a webhook is called, once it is published. */

import type { WorkflowTrigger } from '../../../../src-engine/model/workflow.ts'
import type { WebhookListening } from '../../../../src-engine/protocol/webhooks.ts'
import { useShownDocument } from '../../../state/selectors.ts'
import { fill } from '../../../text/messages.ts'
import { triggers as words } from '../../../text/trigger-words.ts'
import { useLiveAnswer } from '../../../ui/use-live-answer.ts'
import { CopiedAddress } from './CopiedAddress.tsx'
import styles from './Triggers.module.css'
import { WebhookTest } from './WebhookTest.tsx'

export function WebhookFacts(props: {
  readonly id: string
  readonly trigger: WorkflowTrigger
  readonly isPublished: boolean
}) {
  const { id, trigger, isPublished } = props
  const workflowId = useShownDocument((document) => document.id)
  const { answer } = useLiveAnswer('webhooks.list', {})
  const own = answer?.webhooks.find(({ triggerId, workflowId: of }) => triggerId === id && of === workflowId)
  return (
    <>
      <div className={styles['address']} data-testid="webhook-address">
        <h4>{words.address.title}</h4>
        {own?.url === null || own === undefined ? (
          <p>{isPublished ? listeningWords(answer?.listening ?? null) : words.address.unpublished}</p>
        ) : (
          <CopiedAddress method={own.method} url={own.url} testId="webhook-url" />
        )}
      </div>
      <WebhookTest
        name={{ workflowId, triggerId: id }}
        parameters={trigger.parameters ?? {}}
        isPublished={isPublished}
      />
    </>
  )
}

function listeningWords(listening: WebhookListening | null): string {
  switch (listening?.kind) {
    case 'failed':
      return fill(words.address.failed, { message: listening.error.message })
    case 'off':
      return words.address.off
    default:
      return words.address.starting
  }
}
