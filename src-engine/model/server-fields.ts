/** Fields that steps which talk to servers of one's own have in common. Pure. */

import { z } from 'zod'

/** Which group of the form a field stands in; absent for none. */
interface FieldPlace {
  readonly group?: string
}

/** What goes over the line when nothing hides it. */
export const openLineHint = 'Everything, the password too, can be read on the way.'

/** Whether the line is encrypted. */
export const tlsField = (place: FieldPlace = {}) =>
  z
    .enum(['verify', 'off'])
    .default('verify')
    .meta({
      title: 'Encryption',
      choices: {
        verify: { title: 'TLS', hint: 'The server must prove its name by a certificate.' },
        off: { title: 'None', hint: openLineHint },
      },
      ...place,
    })

/** Whose certificates count, where they are one's own. `when` says for which other fields it is asked. */
export const authorityField = (
  place: FieldPlace & { readonly when?: Readonly<Record<string, readonly string[]>> } = {},
) =>
  z
    .string()
    .default('')
    .meta({
      title: 'Certificate authority',
      description: 'PEM text of the authority that signed the server’s certificate, when it is your own.',
      widget: 'multiline',
      ...place,
    })
