/** Hands one message to a mail server: the address that was checked is the one that is connected to. */

import type { Socket } from 'node:net'
import { connect } from 'node:net'
import { SagasmithError } from '../../model/errors.ts'
import type { EffectLeft } from '../deadline.ts'
import type { ServerPlace } from '../reachable-host.ts'
import { tlsOptions } from '../tls.ts'
import type { SendMailParameters } from './spec.ts'

/** How the server is spoken to. */
export type MailServer = Pick<SendMailParameters, 'security' | 'user' | 'password' | 'authority'>

/** People as a mail names them. */
export const listOf = (people: string | readonly string[]): string =>
  (typeof people === 'string' ? people : people.join(', ')).trim()

interface Delivery {
  readonly server: MailServer
  readonly place: ServerPlace
  readonly signal: AbortSignal
  readonly effect: EffectLeft
}

/** What the server said of the message. Throws `sign_in_refused`, `mail_refused`, `connection_failed`. */
export async function delivered(message: object, { server, place, signal, effect }: Delivery) {
  const { security, user, password, authority } = server
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
