/** `config show`: every setting with its value and where that comes from. */

import type { SettingReport } from '../../model/settings/setting-report.ts'
import { settingText } from '../../model/settings/setting-report.ts'
import { tableText } from '../terminal.ts'
import type { Command, CommandContext } from './command.ts'
import { usageError } from './command.ts'

export const configCommand: Command = {
  usage: 'config show [--json] [--set NAME=VALUE]…',
  summary: 'Show every setting, its value and where the value comes from.',
  options: {},
  optionHelp: [],
  positionals: { min: 1, max: 1 },
  run: (context) => {
    const [action] = context.positionals
    if (action !== 'show') {
      throw usageError(`There is no “config ${action}”.`, 'Use: sagasmith config show')
    }
    if (context.json) emitAll(context)
    else printAll(context)
    return Promise.resolve(0)
  },
}

function emitAll({ emit, settings }: CommandContext): void {
  for (const report of settings.reports) emit({ type: 'setting', ...report })
  for (const { name, nearest } of settings.unknown) emit({ type: 'unknown-setting', name, nearest })
  emit({ type: 'config.finished', configFile: settings.configFile, unknown: settings.unknown.length })
}

function printAll({ terminal, settings }: CommandContext): void {
  const { dim } = terminal.colors
  terminal.line(dim(`Config file: ${settings.configFile}`))
  const rows = settings.reports.map((report) => [
    report.name,
    settingText(report.value, report.unit),
    sourceText(report),
  ])
  for (const line of tableText([['Setting', 'Value', 'From'], ...rows])) terminal.line(line)
}

function sourceText({ source, place, derivedFrom }: SettingReport): string {
  if (source === 'derived') return `derived: ${derivedFrom ?? ''}`
  return place === null ? source : `${source}: ${place}`
}
