/**
 * `validate FILE [--saga] [--reach] [--hash]`: lists what is wrong with a workflow, without an engine. The file may be
 * code or a picture, too.
 */

import { knownSecrets } from '../vault.ts'
import type { Command } from './command.ts'
import { printReach } from './reach.ts'
import { printSagaCoverage } from './saga-coverage.ts'
import { openWorkflowSource, printProblems } from './workflow-file.ts'

export const validateCommand: Command = {
  usage: 'validate FILE [--saga] [--reach] [--hash]',
  summary: 'Check a workflow file, its code or its picture, and list its problems.',
  options: { saga: { type: 'boolean' }, reach: { type: 'boolean' }, hash: { type: 'boolean' } },
  optionHelp: [
    ['--saga', 'Also list, for each step that can fail, which effects would stay.'],
    ['--reach', 'Also list the hosts, paths, commands, databases and secrets that it may touch.'],
    ['--hash', 'Print only the definition hash: what runs of this workflow are bound to.'],
  ],
  positionals: { min: 1, max: 1 },
  run: async (context) => {
    const file = await openWorkflowSource(
      context,
      context.positionals[0] ?? '',
      await knownSecrets(context.settings.values),
    )
    printProblems(context, file)
    const errors = file.problems.filter(({ severity }) => severity === 'error').length
    const warnings = file.problems.length - errors
    if (context.json) context.emit({ type: 'validated', path: file.path, errors, warnings, hash: file.hash })
    else if (context.flags['hash'] === true) {
      // The hash of what can't run names nothing.
      if (file.hash !== null) context.terminal.line(file.hash)
    } else {
      const { green, red, dim } = context.terminal.colors
      const verdict = errors === 0 ? green('valid') : red(counted(errors, 'error'))
      const extra = warnings === 0 ? '' : `, ${counted(warnings, 'warning')}`
      context.terminal.line(`${verdict}${extra}  ${file.document.title} ${dim(file.hash ?? '')}`.trimEnd())
    }
    if (context.flags['saga'] === true) await printSagaCoverage(context, file)
    if (context.flags['reach'] === true) printReach(context, file.document)
    return errors === 0 ? 0 : 2
  },
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`
