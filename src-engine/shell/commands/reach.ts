/** What `validate --reach` says: everything outside of its run that a workflow may touch. */

import type { Reached } from '../../model/reach.ts'
import { reachOf } from '../../model/reach.ts'
import type { WorkflowDocument } from '../../model/workflow.ts'
import { taskSpecsByKind } from '../../tasks/specs.ts'
import { triggerSpecsByKind } from '../../triggers/specs.ts'
import type { CommandContext } from './command.ts'

const titles = {
  hosts: 'Hosts',
  private: 'Addresses of this machine and its network',
  mail: 'Mail servers',
  databases: 'Databases',
  paths: 'Files and folders',
  commands: 'Commands',
  workflows: 'Workflows',
  runs: 'Other runs, to cancel or to signal them',
  clusters: 'Clusters, to tell them events',
  secrets: 'Secrets',
  starts: 'What starts it by itself',
  unknown: 'Kinds of steps that are not known here: nobody can tell what they touch',
} satisfies Record<Reached['what'], string>

/** JSON lines on stdout (`reach`, one per thing and step), or words. */
export function printReach(
  { json, emit, terminal }: Pick<CommandContext, 'json' | 'emit' | 'terminal'>,
  document: WorkflowDocument,
): void {
  const all = reachOf(document, { tasks: taskSpecsByKind, triggers: triggerSpecsByKind })
  if (json) {
    for (const item of all) emit({ type: 'reach', ...item })
    return
  }
  if (all.length === 0) terminal.line('It touches nothing outside of its runs.')
  for (const [what, title] of Object.entries(titles)) {
    const items = all.filter((item) => item.what === what)
    if (items.length > 0) terminal.line(title)
    for (const [text, places] of Map.groupBy(items, lineOf)) {
      const steps = new Set(places.map((place) => whoTouches(document, place)))
      terminal.line(`  ${text}  ${terminal.colors.dim([...steps].join(', '))}`)
    }
  }
}

function whoTouches({ nodes }: WorkflowDocument, { nodeId, kind }: Reached): string {
  if (nodeId !== null) return nodes[nodeId]?.title || nodeId
  return kind === null ? 'the workflow' : (triggerSpecsByKind.get(kind)?.title ?? 'a trigger')
}

const lineOf = ({ what, text, decidedByRun }: Reached): string =>
  decidedByRun && what !== 'unknown' ? `decided when it runs: ${text}` : text
