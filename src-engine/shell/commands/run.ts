/** `run FILE`: starts a workflow and follows it to its end, on the running engine or on one of its own. */

import type { RunId } from '../../model/ids.ts'
import { createSystemIds, systemClock } from '../../runtime/system-ports.ts'
import { knownSecrets } from '../vault.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { followToEnd } from './follow-run.ts'
import { lingerForOthers } from './linger.ts'
import { readRunInput } from './run-input.ts'
import { tellWaiting } from './tell-waiting.ts'
import type { WorkflowFile } from './workflow-file.ts'
import { openWorkflowFile, printProblems } from './workflow-file.ts'

export const runCommand: Command = {
  usage:
    'run FILE [--input JSON|@FILE] [--tenant NAME] [--store ADDRESS] [--dry-run [--mocks SET]] | run --resume RUN',
  summary: 'Run a workflow and watch it to its end.',
  options: {
    input: { type: 'string' },
    tenant: { type: 'string' },
    store: { type: 'string' },
    'dry-run': { type: 'boolean' },
    mocks: { type: 'string' },
    resume: { type: 'string' },
  },
  optionHelp: [
    ['--input JSON|@FILE', 'the input of the run: JSON text, a file, or @- for what is piped in'],
    ['--tenant NAME', 'whom the run is for, and whose limits count (default: local)'],
    ['--store ADDRESS', 'start it on a cluster (redis://…, or its name), for its runners, and follow it'],
    ['--dry-run', 'keep nothing and touch nothing outside: such steps are mocked, and it says which'],
    ['--resume RUN', 'go on with a run that was left or interrupted, and watch it to its end'],
    ['--mocks SET', 'dry run: the mocks of this name that nodes have; without it the first of each'],
  ],
  positionals: { min: 0, max: 1 },
  run: async (context) => {
    const { resume } = context.flags
    const [path] = context.positionals
    if ((typeof resume === 'string') === (path !== undefined)) {
      throw usageError(
        `Name a workflow file, or a run with --resume${path === undefined ? '' : ', not both'}.`,
        `Usage: sagasmith ${runCommand.usage}`,
      )
    }
    if (context.flags['mocks'] !== undefined && context.flags['dry-run'] !== true) {
      throw usageError('--mocks is for dry runs: this run would be a real one.', 'Add --dry-run.')
    }
    if (typeof resume === 'string') return (await import('./runs-control.ts')).waitAction(context, [resume])
    const file = await openWorkflowFile(context, path ?? '', await knownSecrets(context.settings.values))
    printProblems(context, file)
    if (file.hash === null) return 2
    const given = context.flags['input']
    const input = await readRunInput(typeof given === 'string' ? given : undefined)
    if (context.flags['dry-run'] === true) return (await import('./dry-run.ts')).dryRun(context, file, input)
    return start(context, file, input)
  },
}

const nothing = (): void => undefined

async function start(
  context: CommandContext,
  file: WorkflowFile,
  input: Awaited<ReturnType<typeof readRunInput>>,
): Promise<ExitCode> {
  const { sessionOf } = await import('./with-session.ts')
  const session = await sessionOf(context, { role: 'run', mode: 'work' })
  try {
    // The same request gives the same run, so repeating it after a lost engine starts nothing twice.
    const requestId = createSystemIds(systemClock).next()
    const { json: document, baseDirectory } = file
    const flag = context.flags['tenant']
    const tenant = typeof flag === 'string' ? flag : undefined
    const { runId } = await session.call('runs.start', { document, input, baseDirectory, requestId, tenant })
    if (!context.json) announce(context, file, runId)
    const isElsewhere = session.connection().host === null && session.connection().attachedTo === null
    const stopTelling = isElsewhere ? tellWaiting(context, session, { runId, clock: systemClock }) : nothing
    const code = await followToEnd(context, session, {
      runId,
      document: file.document,
      onInterrupt: 'cancel',
    }).finally(stopTelling)
    await lingerForOthers(session.connection().host, systemClock)
    return code
  } finally {
    await session.close()
  }
}

function announce({ terminal }: CommandContext, file: WorkflowFile, runId: RunId): void {
  const { bold, dim } = terminal.colors
  terminal.line(`${bold(file.document.title)}  ${dim(runId)}\n`)
}
