/** Certificates of one's own: which authority vouches for the server, and how a client proves who it is. */

import { X509Certificate } from 'node:crypto'
import { createSecureContext } from 'node:tls'
import { SagasmithError } from '../../model/errors.ts'
import type { HttpRequestParameters } from './spec.ts'

/** What goes into a connection; empty for what everybody has. */
export interface Certificates {
  readonly ca?: string
  readonly cert?: string
  readonly key?: string
}

type Given = Pick<HttpRequestParameters, 'authority' | 'clientCertificate' | 'clientKey'>

/** Throws `task_input_invalid` for texts that are no certificate, or no key of it. */
export function certificatesOf({ authority, clientCertificate, clientKey }: Given): Certificates {
  if (authority.trim() !== '') readable('authority', () => new X509Certificate(authority))
  if (clientCertificate.trim() !== '') {
    readable('clientCertificate', () => new X509Certificate(clientCertificate))
    readable('clientKey', () => createSecureContext({ cert: clientCertificate, key: clientKey }))
  }
  return {
    ...(authority.trim() === '' ? {} : { ca: authority }),
    ...(clientCertificate.trim() === '' ? {} : { cert: clientCertificate, key: clientKey }),
  }
}

/** Where the connection goes to another host than the step names: its certificates are none of that one's business. */
export const noCertificates: Certificates = {}

const words: Readonly<Record<keyof Given, string>> = {
  authority: 'The certificate authority can’t be read',
  clientCertificate: 'The client certificate can’t be read',
  clientKey: 'The key can’t be read, or is not that of the client certificate',
}

function readable(field: keyof Given, read: () => unknown): void {
  try {
    read()
  } catch (thrown) {
    // What the library says may hold pieces of the text.
    throw new SagasmithError('task_input_invalid', {
      message: `${words[field]}.`,
      hint: 'Put its PEM text there, from “-----BEGIN” to “-----END …-----”.',
      details: { field },
      cause: thrown instanceof Error ? new Error(thrown.name) : null,
    })
  }
}
