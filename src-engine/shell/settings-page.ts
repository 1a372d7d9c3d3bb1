/** The page of all settings in the documentation, written from the catalogue. */

import { approvalSettings } from '../model/settings/approval-settings.ts'
import { folderSettings } from '../model/settings/folder-settings.ts'
import { outputSettings } from '../model/settings/output-settings.ts'
import { policySettings } from '../model/settings/policy-settings.ts'
import { atomicServiceSettings, recoverySettings } from '../model/settings/recovery-settings.ts'
import { runnerSettings } from '../model/settings/runner-settings.ts'
import { sagaSettings } from '../model/settings/saga-settings.ts'
import {
  concurrencySettings,
  lockSettings,
  reconcilerSettings,
  routingSettings,
} from '../model/settings/scheduling-settings.ts'
import type { AnySetting } from '../model/settings/setting.ts'
import { settingText, shownValue } from '../model/settings/setting-report.ts'
import { shellSettingsCatalogue } from '../model/settings/shell-settings.ts'
import {
  clientDataSettings,
  deadLetterSettings,
  retentionSettings,
  storeSettings,
} from '../model/settings/storage-settings.ts'
import { triggerSettings } from '../model/settings/trigger-settings.ts'

type Group = Readonly<Record<string, AnySetting>>

const groups: readonly (readonly [title: string, settings: Group])[] = [
  ['The program', shellSettingsCatalogue],
  ['Runners', runnerSettings],
  ['Recovery', recoverySettings],
  ['Periodic chores (atomic service)', atomicServiceSettings],
  ['Routing', routingSettings],
  ['Concurrency', concurrencySettings],
  ['Timeouts and stuck work', reconcilerSettings],
  ['Safety policy', policySettings],
  ['Rollbacks', sagaSettings],
  ['Locks', lockSettings],
  ['Store', storeSettings],
  ['Retention', retentionSettings],
  ['Dead letters', deadLetterSettings],
  ['Approvals', approvalSettings],
  ['Triggers and events', triggerSettings],
  ['Watched folders', folderSettings],
  ['Results', outputSettings],
  ['Shared values', clientDataSettings],
]

const introduction = `# Settings

<!-- Written by src-engine/shell/generate.ts from src-engine/model/settings. Change it there. -->

A setting is taken from the first of these places that has it:

1. the command line: \`--set claim_ttl=60s\`, any number of times, and the options of a command;
2. the environment: \`SAGASMITH_CLAIM_TTL=60s\`;
3. the config file: \`{ "claim_ttl": 60 }\` in \`config.json\` (\`SAGASMITH_CONFIG\` names another one);
4. its default.

A span may carry its unit (\`500 ms\`, \`90 s\`, \`5 min\`, \`2 h\`, \`30 d\`); a plain number is in the unit of its
default. In the config file \`claimTtl\` is the same as \`claim_ttl\`. A wrong value stops the start and is named
with its place; an unknown name in the config file is reported with the nearest one.
\`sagasmith config show\` prints every value and where it comes from.

Values hold from the start of a process to its end. Settings marked *store* should be the same for all runners
on one store; those marked *node* or *workflow* can be chosen otherwise there.
`

/** The Markdown text of the page. */
export function settingsPage(): string {
  return [introduction, ...groups.map(([title, settings]) => groupText(title, settings))].join('\n')
}

function groupText(title: string, settings: Group): string {
  const rows = Object.values(settings).map((setting) => {
    const cells = [
      `\`${setting.name}\``,
      cell(defaultText(setting)),
      marks(setting),
      cell(meaningText(setting)),
    ]
    return `| ${cells.join(' | ')} |`
  })
  const head = ['| setting | default | | meaning |', '|---|---|---|---|']
  return [`## ${title}`, '', ...head, ...rows, ''].join('\n')
}

function defaultText(setting: AnySetting): string {
  if (setting.default === null) return setting.derivedFrom ?? ''
  return settingText(shownValue(setting, setting.default), setting.unit)
}

const marks = ({ scope, overriddenBy }: AnySetting): string =>
  [...(scope === 'store' ? ['store'] : []), ...(overriddenBy === 'nobody' ? [] : [overriddenBy])].join(', ')

const meaningText = ({ meaning, environmentNames }: AnySetting): string =>
  environmentNames.length === 0 ? meaning : `${meaning} Also: ${environmentNames.join(', ')}.`

/** Text that can't end its cell, nor emphasize or begin a tag. */
const cell = (content: string): string => content.replaceAll(/[|*<]/g, '\\$&')
