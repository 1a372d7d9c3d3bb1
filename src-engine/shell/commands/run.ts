/** `run FILE`: starts a workflow and follows it to its end, on the running engine or on one of its own. */

import type { RunId } from '../../model/ids.ts'
import { nodeId } from '../../model/ids.ts'
import { presetNamed, presetsOf } from '../../model/input-presets.ts'
import type { JsonObject, JsonValue } from '../../model/json.ts'
import { sliceTo } from '../../model/slice.ts'
import { createSystemIds, systemClock } from '../../runtime/system-ports.ts'
import { knownSecrets } from '../vault.ts'
import { breakpointsOf } from './breakpoint-flags.ts'
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
    'run FILE [--input JSON|@FILE | --preset NAME] [--until STEP] [--break STEP] [--tenant NAME] [--store ADDRESS] [--dry-run [--mocks SET]] | run --resume RUN',
  summary: 'Run a workflow and watch it to its end.',
  options: {
    input: { type: 'string' },
    preset: { type: 'string' },
    tenant: { type: 'string' },
    store: { type: 'string' },
    'dry-run': { type: 'boolean' },
    mocks: { type: 'string' },
    resume: { type: 'string' },
    until: { type: 'string' },
    break: { type: 'string', multiple: true },
  },
  optionHelp: [
    ['--input JSON|@FILE', 'the input of the run: JSON text, a file, or @- for what is piped in'],
    ['--preset NAME', 'the input that the workflow keeps under this name'],
    ['--until STEP', 'run only what leads to this step, and the step: a trial, listed as WORKFLOW.trial'],
    [
      '--break STEP',
      'stop before this step, STEP=CONDITION (a JSONata expression), or STEP#3 (the third time); as often as you like',
    ],
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
    const input = await inputOf(context, file)
    if (context.flags['dry-run'] === true) return (await import('./dry-run.ts')).dryRun(context, file, input)
    return start(context, trialOf(context, file), input)
  },
}

/** What `--input` says, or what is kept under the name of `--preset`. */
async function inputOf({ flags }: CommandContext, { document }: WorkflowFile): Promise<JsonValue> {
  const { input, preset } = flags
  if (typeof preset !== 'string') return readRunInput(typeof input === 'string' ? input : undefined)
  if (input !== undefined)
    throw usageError('--input and --preset both say what the run starts with.', 'Use one of them.')
  const found = presetNamed(document, preset)
  if (found !== null) return found.input
  const titles = presetsOf(document).map(({ title }) => title)
  throw usageError(
    `The workflow has no preset “${preset}”.`,
    titles.length === 0 ? 'It has none: keep one in the dialog of Run.' : `Use one of: ${titles.join(', ')}.`,
  )
}

/** The file, or the part of it that leads to a step. */
function trialOf({ flags }: CommandContext, file: WorkflowFile): WorkflowFile {
  const until = flags['until']
  if (typeof until !== 'string') return file
  const document = sliceTo(file.document, nodeId(until))
  if (document !== null) return { ...file, document, json: document as unknown as JsonObject }
  throw usageError(
    `There is no step “${until}”.`,
    `Use one of: ${Object.keys(file.document.nodes).join(', ')}.`,
  )
}

const nothing = (): void => undefined

async function start(context: CommandContext, file: WorkflowFile, input: JsonValue): Promise<ExitCode> {
  const { sessionOf } = await import('./with-session.ts')
  const session = await sessionOf(context, { role: 'run', mode: 'work' })
  try {
    // The same request gives the same run, so repeating it after a lost engine starts nothing twice.
    const requestId = createSystemIds(systemClock).next()
    const { json: document, baseDirectory } = file
    const flag = context.flags['tenant']
    const tenant = typeof flag === 'string' ? flag : undefined
    const stops = context.flags['break']
    const breakpoints = typeof stops === 'string' ? breakpointsOf(stops, file.document) : undefined
    const given = { document, input, baseDirectory, requestId, tenant, breakpoints }
    const { runId } = await session.call('runs.start', given)
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
