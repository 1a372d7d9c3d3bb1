/** `publish FILE`: makes a version of the workflow, whose triggers act from then on. */

import type { WorkflowDocument } from '../../model/workflow.ts'
import type { Command, ExitCode } from './command.ts'
import { withSession } from './with-session.ts'
import { openWorkflowFile, printProblems } from './workflow-file.ts'

export const publishCommand: Command = {
  usage: 'publish FILE [--json]',
  summary: 'Publish a workflow on this computer: its triggers act from then on.',
  options: {},
  optionHelp: [
    ['again', 'publishing what is published already changes nothing; removed triggers are gone'],
    ['on a cluster', 'see `push`'],
    ['exit codes', '0 published, or already there; 2 the file is not valid'],
  ],
  positionals: { min: 1, max: 1 },
  run: async (context) => {
    const file = await openWorkflowFile(context, context.positionals[0] ?? '')
    printProblems(context, file)
    if (file.hash === null) return 2
    const { json: document, baseDirectory } = file
    return withSession(context, 'look', async (session): Promise<ExitCode> => {
      const { hash, isNew } = await session.call('workflows.publish', { document, baseDirectory })
      const triggers = actingCount(file.document)
      if (context.json) context.emit({ type: 'workflow.published', hash, isNew, triggers })
      else context.terminal.line(`Published ${hash}. ${wordsOf(triggers)}`)
      return 0
    })
  },
}

const actingCount = ({ triggers = {} }: WorkflowDocument): number =>
  Object.values(triggers).filter(({ kind, enabled }) => kind !== 'manual' && enabled !== false).length

function wordsOf(triggers: number): string {
  if (triggers === 0) return 'It has no trigger that is on.'
  const what = triggers === 1 ? 'Its trigger acts' : `Its ${triggers} triggers act`
  return `${what} while the app, \`serve\` or a runner is there.`
}
