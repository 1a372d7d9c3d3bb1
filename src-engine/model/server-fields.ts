/** Fields that steps which talk to servers of one's own have in common. Pure. */

import { z } from 'zod'
import type { FieldHints } from './task-spec.ts'

/** Which group of the form a field stands in, and for which other fields it is asked; absent for none and all. */
type FieldPlace = Pick<FieldHints, 'group' | 'when'>

/** What goes over the line when nothing hides it. */
const openLineHint = 'Everything, the password too, can be read on the way.'

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

/** Whose certificates count, where they are one's own. */
export const authorityField = (place: FieldPlace = {}) =>
  z
    .string()
    .default('')
    .meta({
      title: 'Certificate authority',
      description: 'PEM text of the authority that signed the server’s certificate, when it is your own.',
      widget: 'multiline',
      ...place,
    })

/** How a mail server is spoken to, beside its name. */
export const mailServerFields = (place: FieldPlace) => ({
  port: z
    .int()
    .min(1)
    .max(65_535)
    .default(587)
    .meta({ title: 'Port', ...place }),
  security: z
    .enum(['starttls', 'tls', 'none'])
    .default('starttls')
    .meta({
      title: 'Encryption',
      choices: {
        starttls: { title: 'STARTTLS', hint: 'Port 587, mostly. Nothing is sent before it is on.' },
        tls: { title: 'TLS from the start', hint: 'Port 465, mostly.' },
        none: { title: 'None', hint: openLineHint },
      },
      ...place,
    }),
  authority: authorityField(place),
  user: z
    .string()
    .default('')
    .meta({ title: 'User', secret: 'allowed', ...place }),
  password: z
    .string()
    .default('')
    .meta({ title: 'Password', secret: 'expected', ...place }),
})
