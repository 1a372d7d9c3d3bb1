/** `status render`: draws a status table, or checks that a drawing is up to date. */

import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { SagasmithError } from '../../model/errors.ts'
import { invocationMachine } from '../../model/invocation-status.ts'
import { runMachine } from '../../model/run-status.ts'
import { writeFileAtomically } from '../atomic-file.ts'
import { staleFiles } from '../generate.ts'
import { programRoot } from '../resources.ts'
import { renderStatusSvg, renderStatusText } from '../status-render.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'

const machines = { invocation: invocationMachine, run: runMachine } as const
const formats = ['svg', 'text'] as const

export const statusCommand: Command = {
  usage: 'status render [--machine invocation|run] [--format svg|text] [--output FILE] [--check]',
  summary: 'Draw the status tables, or check that the drawings are up to date.',
  options: {
    machine: { type: 'string' },
    format: { type: 'string' },
    output: { type: 'string' },
    check: { type: 'boolean' },
  },
  optionHelp: [
    ['--machine NAME', 'invocation (default) or run'],
    ['--format FORMAT', 'text (default) or svg'],
    ['--output FILE', 'write to a file instead of printing'],
    [
      '--check',
      'only compare: exit code 1 when the file differs; without --output all drawings of the checkout',
    ],
  ],
  positionals: { min: 1, max: 1 },
  run: async (context) => {
    const [action] = context.positionals
    if (action !== 'render')
      throw usageError(`There is no “status ${action}”.`, 'Use: sagasmith status render')
    const { output, check } = context.flags
    if (check === true && typeof output !== 'string') return checkAll(context)
    const text = render(context.flags)
    if (typeof output !== 'string') {
      context.terminal.line(text.trimEnd())
      return 0
    }
    if (check === true) return compare(context, resolve(output), text)
    await writeFileAtomically(resolve(output), text)
    if (!context.json) context.terminal.line(`Wrote ${output}`)
    else context.emit({ type: 'rendered', path: resolve(output) })
    return 0
  },
}

function render(flags: CommandContext['flags']): string {
  const name = flags['machine'] ?? 'invocation'
  const format = flags['format'] ?? 'text'
  if (name !== 'invocation' && name !== 'run') {
    throw usageError(`There is no machine “${name}”.`, `Use one of: ${Object.keys(machines).join(', ')}.`)
  }
  if (format !== 'svg' && format !== 'text') {
    throw usageError(`There is no format “${format}”.`, `Use one of: ${formats.join(', ')}.`)
  }
  return format === 'svg' ? renderStatusSvg(machines[name]) : renderStatusText(machines[name])
}

function compare(context: CommandContext, path: string, text: string): ExitCode {
  const isSame = readOrEmpty(path) === text
  if (context.json) context.emit({ type: 'checked', path, isSame })
  if (isSame) return 0
  throw stale([path])
}

/** The drawings that a checkout keeps. */
function checkAll(context: CommandContext): ExitCode {
  const paths = staleFiles(programRoot())
  if (context.json) context.emit({ type: 'checked', stale: paths })
  if (paths.length > 0) throw stale(paths)
  return 0
}

const stale = (paths: readonly string[]): SagasmithError =>
  new SagasmithError('generated_stale', {
    message: `Not up to date with the status tables: ${paths.join(', ')}.`,
    details: { paths },
  })

function readOrEmpty(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    // A drawing that isn't there is not up to date.
    return ''
  }
}
