/** Fields of triggers whose occurrences may say the same twice: what makes two of them one. Pure. */

import { z } from 'zod'
import { day, hour } from './time.ts'

/** The expression of the key, and how long a key is known. */
export const occurrenceKeyFields = ({ placeholder }: { readonly placeholder: string }) => ({
  key: z.string().max(2_000).default('').meta({
    title: 'The same is what has the same',
    description:
      'JSONata for a key: another one with a key that came before starts nothing. Empty, or without a value: each counts.',
    widget: 'expression',
    language: 'jsonata',
    placeholder,
    group: 'Repeats',
  }),
  keyMs: z
    .int()
    .min(1_000)
    .max(31 * day)
    .default(hour)
    .meta({
      title: 'For',
      description: 'How long a key is known from the first one on. After that it counts again.',
      widget: 'duration',
      group: 'Repeats',
    }),
})

/** What a trigger says about repeats. */
export interface OccurrenceKeyParameters {
  readonly key?: string
  readonly keyMs?: number
}
