/**
 * Sends one mail. Its message id is made of the idempotency key, or of a key of its own, so that a message which
 * was sent twice is known as one by those who look.
 */

import { createHash } from 'node:crypto'
import { SagasmithError } from '../../model/errors.ts'
import type { EffectLeft } from '../deadline.ts'
import { withinDeadline } from '../deadline.ts'
import { serverPlace } from '../reachable-host.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import { readAttachments } from './attachments.ts'
import { delivered, listOf } from './deliver.ts'
import type { SendMailParameters } from './spec.ts'

/** The mail with what it needs from outside. */
export function createSendMailRun({ lookup }: Pick<TaskPorts, 'lookup'>): TaskRun<SendMailParameters> {
  return {
    async execute(parameters, context) {
      checkPeople(parameters)
      const attachments = await readAttachments(parameters, context)
      const effect: EffectLeft = { isOpen: false }
      const { timeoutMs } = parameters
      const sent = await withinDeadline({ timeoutMs, effect }, context, async (signal) => {
        const place = await serverPlace(parameters, context, lookup)
        const message = { ...messageOf(parameters, context), attachments: [...attachments] }
        return delivered(message, { server: parameters, place, signal, effect })
      })
      const { accepted, rejected } = sent
      context.log({ level: 'info', stream: 'task', text: `Sent to ${accepted.length}` })
      if (rejected.length > 0) {
        context.log({ level: 'warn', stream: 'task', text: `Not taken: ${rejected.join(', ')}` })
      }
      return completed({ ...sent, accepted: [...accepted], rejected: [...rejected] })
    },
  }
}

function checkPeople({ to, cc, bcc }: SendMailParameters): void {
  if ([to, cc, bcc].some((people) => listOf(people) !== '')) return
  throw new SagasmithError('task_input_invalid', {
    message: 'Nobody is to get the mail.',
    hint: 'Write at least one address.',
    details: { field: 'to' },
  })
}

function messageOf(parameters: SendMailParameters, { idempotencyKey, clock }: TaskContext) {
  const { from, to, cc, bcc, replyTo, subject, text, html } = parameters
  return {
    from,
    to: listOf(to),
    cc: listOf(cc),
    bcc: listOf(bcc),
    ...(listOf(replyTo) === '' ? {} : { replyTo: listOf(replyTo) }),
    subject,
    text,
    ...(html === '' ? {} : { html }),
    messageId: `<${messageKey(parameters, idempotencyKey)}@sagasmith.invalid>`,
    date: new Date(clock.now()),
    // What a mail holds comes from the workflow alone.
    disableFileAccess: true,
    disableUrlAccess: true,
  }
}

/** A key of one's own holds for all runs; what it says is told to nobody. */
function messageKey({ dedupeKey, from }: SendMailParameters, idempotencyKey: string): string {
  const own = dedupeKey.trim()
  const text = own === '' ? idempotencyKey : JSON.stringify([from, own])
  return createHash('sha256').update(text).digest('hex').slice(0, 32)
}
