/** `doctor`: looks at everything an engine needs here, and says what to do about what is wrong. */

import { dataDirectory } from '../data-directory.ts'
import type { Command, CommandContext } from './command.ts'
import type { Finding } from './doctor-finding.ts'
import { checkDisk, checkLock, checkNode, checkResources, checkSettings } from './doctor-machine.ts'
import { checkStore } from './doctor-store.ts'

export const doctorCommand: Command = {
  usage: 'doctor [--data DIR] [--json]',
  summary: 'Check the installation and a data directory.',
  options: {},
  optionHelp: [],
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const { settings } = context
    const directory = dataDirectory(settings.values.data)
    const findings = [
      checkNode(),
      ...checkSettings(settings),
      ...checkResources(),
      checkDisk(directory),
      checkLock(directory),
      ...(await checkStore(directory, settings.engine)),
    ]
    for (const finding of findings) show(context, finding)
    const failed = findings.filter(({ verdict }) => verdict === 'fail').length
    if (context.json) context.emit({ type: 'doctor.finished', failed, ok: failed === 0 })
    return failed === 0 ? 0 : 1
  },
}

function show(context: CommandContext, finding: Finding): void {
  if (context.json) {
    context.emit({ type: 'finding', ...finding })
    return
  }
  const { green, yellow, red, dim } = context.terminal.colors
  const mark = { ok: green('ok  '), warn: yellow('warn'), fail: red('fail') }[finding.verdict]
  context.terminal.line(`${mark}  ${finding.check.padEnd(14)}  ${finding.message}`)
  if (finding.hint !== null) context.terminal.line(`${' '.repeat(22)}${dim(`→ ${finding.hint}`)}`)
}
