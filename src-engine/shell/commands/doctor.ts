/** `doctor`: looks at everything an engine needs here, and says what to do about what is wrong. */

import { dataDirectory } from '../data-directory.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import type { Finding } from './doctor-finding.ts'
import { checkDisk, checkLock, checkNode, checkResources, checkSettings } from './doctor-machine.ts'
import { checkStore } from './doctor-store.ts'

/** Columns line up where names are short. */
const checkWidth = 14

export const doctorCommand: Command = {
  usage: 'doctor [--data DIR | --cluster NAME|ADDRESS] [--json]',
  summary: 'Check the installation and a data directory, or a cluster.',
  options: {},
  optionHelp: [
    ['--cluster NAME|ADDRESS', 'look at its servers, its partitions and who works there; changes nothing'],
    ['exit codes', '0 nothing failed; 1 something did: what to do about it is said'],
  ],
  positionals: { min: 0, max: 0 },
  run: async (context) => {
    const { settings } = context
    const directory = dataDirectory(settings.values.data)
    const cluster = context.flags['cluster']
    if (typeof cluster === 'string') {
      const { checkCluster } = await import('./doctor-cluster.ts')
      return tell(context, await checkCluster(settings, cluster))
    }
    const findings = [
      checkNode(),
      ...checkSettings(settings),
      ...checkResources(),
      checkDisk(directory),
      checkLock(directory),
      ...(await checkStore(directory, settings.engine)),
    ]
    return tell(context, findings)
  },
}

function tell(context: CommandContext, findings: readonly Finding[]): ExitCode {
  const width = Math.max(checkWidth, ...findings.map(({ check }) => check.length))
  for (const finding of findings) show(context, finding, width)
  const failed = findings.filter(({ verdict }) => verdict === 'fail').length
  if (context.json) context.emit({ type: 'doctor.finished', failed, ok: failed === 0 })
  return failed === 0 ? 0 : 1
}

function show(context: CommandContext, finding: Finding, width: number): void {
  if (context.json) {
    context.emit({ type: 'finding', ...finding })
    return
  }
  const { green, yellow, red, dim } = context.terminal.colors
  const mark = { ok: green('ok  '), warn: yellow('warn'), fail: red('fail') }[finding.verdict]
  context.terminal.line(`${mark}  ${finding.check.padEnd(width)}  ${finding.message}`)
  if (finding.hint !== null) context.terminal.line(`${' '.repeat(width + 8)}${dim(`→ ${finding.hint}`)}`)
}
