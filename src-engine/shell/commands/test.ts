/** `test FILE`: plays the tests beside a workflow's file, makes new ones of runs, and brings them up to date. */

import { runId } from '../../model/ids.ts'
import type { JsonValue } from '../../model/json.ts'
import type { Payload } from '../../model/payload.ts'
import { testsPathOf } from '../../model/workflow-file.ts'
import type { WorkflowTest } from '../../model/workflow-test.ts'
import {
  namedTests,
  readWorkflowTests,
  recordWorkflowTest,
  removeWorkflowTest,
  runWorkflowTests,
  updateWorkflowTests,
} from '../workflow-tests.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { tellRecorded, tellResult, tellTests, tellTotal, tellUpdated } from './test-lines.ts'
import { withSession } from './with-session.ts'
import type { WorkflowFile } from './workflow-file.ts'
import { openWorkflowFile, printProblems } from './workflow-file.ts'

/** Files of one call. */
const filesMax = 1_000

export const testCommand: Command = {
  usage: 'test FILE… [--name NAME] [--list | --update | --remove | --record RUN [--accept]]',
  summary: 'Play the tests beside workflow files, on mocks; make a test of a run.',
  options: {
    name: { type: 'string' },
    record: { type: 'string' },
    accept: { type: 'boolean' },
    update: { type: 'boolean' },
    remove: { type: 'boolean' },
    list: { type: 'boolean' },
  },
  optionHelp: [
    ['--name NAME', 'only the test of that name; with --record the name of the new one'],
    ['--record RUN', 'make a test of this run of the workflow, and keep it beside FILE'],
    ['--accept', 'record: keep what the repetition gives where it differs from the run'],
    ['--update', 'have the tests expect what the workflow does by now'],
    ['--remove', 'throw the test of --name away'],
    ['--list', 'list the tests'],
  ],
  positionals: { min: 1, max: filesMax },
  run: async (context) => {
    const act = actOf(context)
    const files: WorkflowFile[] = []
    for (const path of context.positionals) files.push(await openWorkflowFile(context, path))
    for (const file of files) printProblems(context, file)
    if (files.some(({ hash }) => hash === null)) return 2
    return act(context, files)
  },
}

type Act = (context: CommandContext, files: readonly WorkflowFile[]) => Promise<ExitCode>

function actOf({ flags, positionals }: CommandContext): Act {
  const asked = (['list', 'update', 'remove', 'record'] as const).filter((name) => flags[name] !== undefined)
  const [what = 'play', another] = asked
  if (another !== undefined) {
    throw usageError(`--${what} and --${another} are two things.`, `Usage: sagasmith ${testCommand.usage}`)
  }
  if ((what === 'record' || what === 'remove') && positionals.length > 1) {
    throw usageError(`--${what} is about one file.`, 'Name the file that the test belongs to.')
  }
  if (what === 'remove' && typeof flags['name'] !== 'string') {
    throw usageError('Say which test is to go.', 'Add --name NAME; --list has the names.')
  }
  if (flags['accept'] === true && what !== 'record') {
    throw usageError('--accept is for --record.', 'Use --update to have tests expect what comes by now.')
  }
  return acts[what]
}

type Found = { readonly file: WorkflowFile; readonly tests: readonly WorkflowTest[] }

/** The tests of each file, those of `--name` alone where it is given; there has to be one. */
async function testsOf(context: CommandContext, files: readonly WorkflowFile[]): Promise<readonly Found[]> {
  const found: Found[] = []
  for (const file of files) found.push({ file, tests: await readWorkflowTests(file.path) })
  const all = found.flatMap(({ tests }) => tests)
  if (all.length === 0) {
    throw usageError(
      `There are no tests yet: ${files.map(({ path }) => testsPathOf(path)).join(', ')}.`,
      'Make one of a run: sagasmith test FILE --record RUN --name NAME',
    )
  }
  const name = nameIn(context)
  const meant = new Set(namedTests(all, name))
  return found.map(({ file, tests }) => ({ file, tests: tests.filter((test) => meant.has(test)) }))
}

const nameIn = ({ flags: { name } }: CommandContext): string | null =>
  typeof name === 'string' ? name : null

const play: Act = async (context, files) => {
  const counts = { passed: 0, failed: 0 }
  for (const { file, tests } of await testsOf(context, files)) {
    if (tests.length === 0) continue
    for (const result of await runWorkflowTests(file, nameIn(context))) {
      counts[result.isPassed ? 'passed' : 'failed'] += 1
      tellResult(context, file, result)
    }
  }
  tellTotal(context, counts)
  return counts.failed === 0 ? 0 : 1
}

const list: Act = async (context, files) => {
  for (const { file, tests } of await testsOf(context, files)) tellTests(context, file, tests)
  return 0
}

const update: Act = async (context, files) => {
  for (const { file, tests } of await testsOf(context, files)) {
    if (tests.length === 0) continue
    const results = await updateWorkflowTests(file, nameIn(context))
    for (const result of results) tellUpdated(context, file, result)
  }
  return 0
}

const remove: Act = async (context, [file]) => {
  const name = nameIn(context) ?? ''
  if (file !== undefined) await removeWorkflowTest(file.path, name)
  if (!context.json) context.terminal.line(`Removed: ${name}.`)
  return 0
}

const record: Act = (context, files) => {
  const id = runId(String(context.flags['record']))
  const name = nameIn(context) ?? id
  return withSession(context, 'look', async (session): Promise<ExitCode> => {
    const [file] = files
    if (file === undefined) return 2
    const { run, invocations } = await session.call('runs.get', { runId: id })
    const value = async (payload: Payload): Promise<JsonValue> =>
      JSON.parse((await session.call('payloads.get', { payload })).json) as JsonValue
    const ended = { run, invocations, value }
    const accept = context.flags['accept'] === true
    const { recorded, kept: isKept } = await recordWorkflowTest(file, { ended, name, accept })
    tellRecorded(context, file, { recorded, isKept })
    return isKept ? 0 : 1
  })
}

const acts = { play, list, update, remove, record } satisfies Record<string, Act>
