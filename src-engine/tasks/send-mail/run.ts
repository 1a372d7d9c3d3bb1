/**
 * Sends one mail. Its message id is made of the idempotency key, or of a key of its own, so that a message which
 * was sent twice is known as one by those who look.
 */

import { createHash } from 'node:crypto'
import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { SagasmithError } from '../../model/errors.ts'
import type { EffectLeft } from '../deadline.ts'
import { withinDeadline } from '../deadline.ts'
import type { ServerPlace } from '../reachable-host.ts'
import { serverPlace } from '../reachable-host.ts'
import type { TaskContext, TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import type { TaskPorts } from '../task-ports.ts'
import { tlsOptions } from '../tls.ts'
import { readAttachments } from './attachments.ts'
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
        return delivered(message, { parameters, place, signal, effect })
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

const listOf = (people: string | readonly string[]): string =>
  (typeof people === 'string' ? people : people.join(', ')).trim()

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

interface Delivery {
  readonly parameters: SendMailParameters
  readonly place: ServerPlace
  readonly signal: AbortSignal
  readonly effect: EffectLeft
}

async function delivered(message: object, { parameters, place, signal, effect }: Delivery) {
  const { security, user, password, authority } = parameters
  // Loaded with the first mail.
  const { createTransport } = await import('nodemailer')
  let socket: Socket | null = null
  const transport = createTransport({
    host: place.host,
    port: place.port,
    secure: security === 'tls',
    requireTLS: security === 'starttls',
    ignoreTLS: security === 'none',
    tls: { ...tlsOptions(authority, place), minVersion: 'TLSv1.2' },
    ...(user === '' ? {} : { auth: { user, pass: password } }),
    transactionLog: true,
    logger: hearing(() => {
      // From here on a connection that is lost may be lost after the server has taken the mail.
      effect.isOpen = true
    }),
    getSocket: (_options: unknown, callback: (error: Error | null, given?: object) => void) => {
      const opened = connect({ host: place.address, port: place.port })
      socket = opened
      opened.once('error', callback)
      opened.once('connect', () => {
        opened.off('error', callback)
        callback(null, { connection: opened })
      })
    },
  } as Parameters<typeof createTransport>[0])
  const stop = () => socket?.destroy(new Error('called off'))
  signal.addEventListener('abort', stop, { once: true })
  try {
    const sent = await transport.sendMail(message)
    effect.isOpen = false
    const info = sent as { readonly messageId: string; readonly response?: string }
    const { accepted = [], rejected = [] } = sent as {
      readonly accepted?: readonly unknown[]
      readonly rejected?: readonly unknown[]
    }
    return {
      messageId: info.messageId,
      accepted: accepted.map(String),
      rejected: rejected.map(String),
      response: info.response ?? '',
    }
  } catch (thrown) {
    throw mailError(thrown, place.host, effect)
  } finally {
    signal.removeEventListener('abort', stop)
    transport.close()
    stop()
  }
}

/** The library tells each command in its log and nowhere else; that of the message itself is what counts. */
function hearing(onMessage: () => void) {
  const ignore = () => undefined
  const debug = (_entry: unknown, command: unknown) => {
    if (command === 'DATA') onMessage()
  }
  return { trace: ignore, debug, info: ignore, warn: ignore, error: ignore, fatal: ignore }
}

function mailError(thrown: unknown, host: string, effect: EffectLeft): unknown {
  if (thrown instanceof SagasmithError || !(thrown instanceof Error)) return thrown
  const { code, responseCode } = thrown as Error & {
    readonly code?: string
    readonly responseCode?: number
  }
  const isSignIn = code === 'EAUTH'
  // The server's own word: it has not taken it.
  if (isSignIn || typeof responseCode === 'number') effect.isOpen = false
  const parts = {
    details: { host, reason: code ?? thrown.name, ...(responseCode ? { responseCode } : {}) },
    cause: thrown,
  }
  if (isSignIn) {
    return new SagasmithError('sign_in_refused', { ...parts, message: `${host} says: ${thrown.message}` })
  }
  if (typeof responseCode === 'number') {
    return new SagasmithError('mail_refused', {
      ...parts,
      message: `${host} says: ${thrown.message}`,
      retryable: responseCode < 500,
    })
  }
  return new SagasmithError('connection_failed', { ...parts, message: `${host}: ${thrown.message}` })
}
