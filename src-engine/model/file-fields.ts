/** Fields of kinds that work on files: how a text is written, and what is kept of what was there. */

import { z } from 'zod'
import { lazily } from './lazily.ts'

/** How the letters of a file are written. */
export const encodingField = lazily(() =>
  z
    .enum(['utf-8', 'utf-16le', 'latin1'])
    .default('utf-8')
    .meta({
      title: 'Encoding',
      choices: {
        'utf-8': { title: 'UTF-8' },
        'utf-16le': { title: 'UTF-16', hint: 'Little endian, as Windows programs write “Unicode”.' },
        latin1: { title: 'Latin-1', hint: 'One byte per letter, for the languages of Western Europe.' },
      },
      group: 'Format',
    }),
)

/** The resolved name of an encoding. */
export type FileEncoding = z.infer<ReturnType<typeof encodingField>>

/** Whether what was there is kept beside it. */
export const keepField = lazily(() =>
  z.boolean().default(true).meta({
    title: 'Keep what was there',
    description:
      'In a folder .sagasmith-kept beside it, so that “Undo file changes” can bring it back. Kept for a week.',
    group: 'Undo',
  }),
)

/** What was done to files tells how it is taken back. */
export const undoneByFiles = () => ({
  kind: 'undo-files',
  parameters: { changes: '{{ original.output.undo }}' },
})
