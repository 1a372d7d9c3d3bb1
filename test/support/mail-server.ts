/** A mail server of our own, with a certificate of our own: what arrives there. */

import type { AddressInfo } from 'node:net'
import type { SMTPServerOptions } from 'smtp-server'
import { SMTPServer } from 'smtp-server'

export interface ArrivedMail {
  readonly from: string
  readonly to: readonly string[]
  /** With its headers, as it came over the line. */
  readonly text: string
  readonly secure: boolean
}

export interface MailServers {
  /** All that any of them took, in the order in which it came. */
  readonly arrived: readonly ArrivedMail[]
  /** Starts one that takes what it gets, but for what its options say, on a port of its own. */
  readonly start: (options?: SMTPServerOptions) => Promise<number>
  /** Ends every connection, as a server that goes away does. */
  readonly hangUp: () => void
  readonly close: () => Promise<void>
}

/** Servers that let `me` in with the password `right`. */
export function createMailServers(certified: { readonly key: string; readonly cert: string }): MailServers {
  const arrived: ArrivedMail[] = []
  const servers: SMTPServer[] = []
  return {
    arrived,
    async start(options = {}) {
      const server = new SMTPServer({ ...taking(certified, arrived), ...options })
      server.on('error', () => undefined)
      servers.push(server)
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
      return (server.server.address() as AddressInfo).port
    },
    hangUp: () => {
      for (const server of servers) for (const one of server.connections) one.close()
    },
    close: async () => {
      await Promise.all(servers.map((server) => new Promise<void>((resolve) => server.close(resolve))))
    },
  }
}

const taking = (
  { key, cert }: { readonly key: string; readonly cert: string },
  arrived: ArrivedMail[],
): SMTPServerOptions => ({
  ...{ key, cert, logger: false, closeTimeout: 100, disableReverseLookup: true },
  onAuth: ({ username, password }, _session, done) => {
    if (username === 'me' && password === 'right') done(null, { user: username })
    else done(new Error(`wrong password ${password ?? ''}`))
  },
  onData: (stream, session, done) => {
    const chunks: Buffer[] = []
    stream.on('data', (chunk: Buffer) => chunks.push(chunk))
    stream.on('end', () => {
      const { mailFrom, rcptTo } = session.envelope
      arrived.push({
        from: mailFrom === false ? '' : mailFrom.address,
        to: rcptTo.map(({ address }) => address),
        text: Buffer.concat(chunks).toString('utf8'),
        secure: session.secure,
      })
      done()
    })
  },
})
