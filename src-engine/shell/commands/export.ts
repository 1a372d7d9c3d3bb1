/** `export FILE --to json|ts|svg|png`: a workflow in another form, on standard output or in a file. */

import { resolve } from 'node:path'
import { exportedWorkflow, exportFormats, isExportFormat } from '../exchange/export-workflow.ts'
import { readWorkflowSource } from '../exchange/read-workflow-source.ts'
import type { Command } from './command.ts'
import { usageError } from './command.ts'
import { handOver } from './hand-over.ts'

export const exportCommand: Command = {
  usage: 'export FILE --to json|ts|svg|png [--out FILE] [--theme light|dark]',
  summary: 'Write a workflow as canonical JSON, as TypeScript or as a picture.',
  options: { to: { type: 'string' }, out: { type: 'string' }, theme: { type: 'string' } },
  optionHelp: [
    ['--to FORMAT', 'json, ts, svg or png; pictures carry the workflow in them'],
    ['--out FILE', 'write to a file instead of standard output'],
    ['--theme THEME', 'light (default) or dark, for pictures'],
  ],
  positionals: { min: 1, max: 1 },
  run: async (context) => {
    const { to, theme = 'light' } = context.flags
    if (!isExportFormat(to)) {
      throw usageError('Say which form is wanted.', `Use --to with one of: ${exportFormats.join(', ')}.`)
    }
    if (theme !== 'light' && theme !== 'dark')
      throw usageError('There is no such theme.', 'Use light or dark.')
    const path = resolve(context.positionals[0] ?? '')
    const { document } = await readWorkflowSource(path)
    return handOver(context, { content: await exportedWorkflow(document, { format: to, theme }), format: to })
  },
}
