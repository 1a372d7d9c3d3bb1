/** `import FILE --to json`: the workflow of a JSON file, of generated TypeScript or of a picture, as JSON. */

import { resolve } from 'node:path'
import { canonicalDocument } from '../../model/canonical-document.ts'
import { readWorkflowSource } from '../exchange/read-workflow-source.ts'
import type { Command } from './command.ts'
import { usageError } from './command.ts'
import { handOver } from './hand-over.ts'

export const importCommand: Command = {
  usage: 'import FILE [--to json] [--out FILE]',
  summary: 'Take the workflow out of JSON, generated TypeScript or an exported picture.',
  options: { to: { type: 'string' }, out: { type: 'string' } },
  optionHelp: [
    ['--to json', 'the form that is written; the only one, and the default'],
    ['--out FILE', 'write to a file instead of standard output'],
  ],
  positionals: { min: 1, max: 1 },
  run: async (context) => {
    const { to = 'json' } = context.flags
    if (to !== 'json') {
      throw usageError(
        `A workflow is not imported to “${to}”.`,
        'Use --to json, then export it to that form.',
      )
    }
    const { document } = await readWorkflowSource(resolve(context.positionals[0] ?? ''))
    return handOver(context, { content: canonicalDocument(document), format: 'json' })
  },
}
