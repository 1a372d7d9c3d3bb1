/** A command for each place where the open document can run: made when somebody looks for one. */

import { runAt } from '../state/begin-run.ts'
import type { Designer } from '../state/designer.ts'
import { siteOf } from '../state/follow-clusters.ts'
import type { Site } from '../state/site.ts'
import { siteWords } from '../text/site-words.ts'
import type { AppCommand } from './registry.ts'
import { commandOf } from './registry.ts'

/** None while nobody named a cluster: then Run says it all. */
export function siteCommands(designer: Designer): readonly AppCommand[] {
  const clusters = (designer.sites.getState().clusters ?? []).filter(({ readOnly }) => !readOnly)
  if (clusters.length === 0) return []
  const { isEnabled } = commandOf('run.start')
  const command = (id: string, name: string, site: Site): AppCommand => ({
    id,
    title: `${siteWords.runOn} ${name}`,
    group: 'Run',
    keys: [],
    scope: 'global',
    isEnabled,
    run: () => void runAt(designer, site),
  })
  return [
    command('run.at', siteWords.local.toLowerCase(), null),
    ...clusters.map((entry) => command(`run.at.${entry.name}`, entry.name, siteOf(entry))),
  ]
}
