/**
 * `export FILE --to json|ts|svg|png`: a workflow in another form, on standard output or in a file. Secrets that stand in it
 * in plain text stay there, and it is said; `--secrets leave-out` has their names take their places.
 */

import { resolve } from 'node:path'
import { fieldPathText } from '../../model/field-hints.ts'
import type { PlainSecret } from '../../model/plain-secrets.ts'
import { withoutSecrets } from '../../model/plain-secrets.ts'
import { secretReference } from '../../model/secret.ts'
import { taskSpecsByKind } from '../../tasks/specs.ts'
import { exportedWorkflow, exportFormats, isExportFormat } from '../exchange/export-workflow.ts'
import { readWorkflowSource } from '../exchange/read-workflow-source.ts'
import type { Command } from './command.ts'
import { usageError } from './command.ts'
import { handOver } from './hand-over.ts'

export const exportCommand: Command = {
  usage: 'export FILE --to json|ts|svg|png [--out FILE] [--theme light|dark] [--secrets keep|leave-out]',
  summary: 'Write a workflow as canonical JSON, as TypeScript or as a picture.',
  options: {
    to: { type: 'string' },
    out: { type: 'string' },
    theme: { type: 'string' },
    secrets: { type: 'string' },
  },
  optionHelp: [
    ['--to FORMAT', 'json, ts, svg or png; pictures carry the workflow in them'],
    ['--out FILE', 'write to a file instead of standard output'],
    ['--theme THEME', 'light (default) or dark, for pictures'],
    [
      '--secrets WHAT',
      'secrets written in plain text: keep (default), or leave-out for names in their places',
    ],
  ],
  positionals: { min: 1, max: 1 },
  run: async (context) => {
    const { to, theme = 'light', secrets = 'keep' } = context.flags
    if (!isExportFormat(to)) {
      const said = to === undefined ? 'Say which form is wanted.' : `There is no form “${String(to)}”.`
      throw usageError(said, `Use --to with one of: ${exportFormats.join(', ')}.`)
    }
    if (theme !== 'light' && theme !== 'dark')
      throw usageError('There is no such theme.', 'Use light or dark.')
    if (secrets !== 'keep' && secrets !== 'leave-out')
      throw usageError('There is no such way with secrets.', 'Use --secrets with keep or leave-out.')
    const path = resolve(context.positionals[0] ?? '')
    const { document } = await readWorkflowSource(path)
    const { document: clean, found } = withoutSecrets(document, taskSpecsByKind)
    for (const line of secretLines(found, secrets)) context.terminal.errorLine(line)
    const handed = secrets === 'keep' ? document : clean
    return handOver(context, { content: await exportedWorkflow(handed, { format: to, theme }), format: to })
  },
}

/** What was found, without any of the values, and what became of it. */
function secretLines(found: readonly PlainSecret[], secrets: 'keep' | 'leave-out'): readonly string[] {
  if (found.length === 0) return []
  const isKept = secrets === 'keep'
  const places = found.map(({ path, slot }) => {
    const fate = isKept ? '' : slot === null ? ': left out' : `: now ${secretReference(slot)}`
    return `  ${fieldPathText(path)}${fate}`
  })
  return isKept
    ? ['It holds secrets in plain text:', ...places, 'Use --secrets leave-out to hand it over without them.']
    : ['Without the secrets that stood in it in plain text:', ...places]
}
