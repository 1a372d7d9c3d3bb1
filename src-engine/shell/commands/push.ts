/** `push FILE`: publishes a version on a cluster, after telling what that would mean there. */

import { createInterface } from 'node:readline/promises'
import type { DefinitionHash } from '../../model/ids.ts'
import type { VersionChange } from '../../model/version-changes.ts'
import type { PushPreview, SecretStanding } from '../../protocol/push.ts'
import { signDefinition } from '../../runtime/trust/signing.ts'
import type { Session } from '../session.ts'
import type { Command, CommandContext, ExitCode } from './command.ts'
import { usageError } from './command.ts'
import { signingKeys } from './trust-files.ts'
import { withSession } from './with-session.ts'
import type { WorkflowFile } from './workflow-file.ts'
import { openWorkflowFile, printProblems } from './workflow-file.ts'

export const pushCommand: Command = {
  usage: 'push FILE --cluster NAME|ADDRESS [--sign KEY] [--yes | --preview]',
  summary: 'Publish a version on a cluster: what changes, what is missing there, then the push.',
  options: { sign: { type: 'string' }, yes: { type: 'boolean' }, preview: { type: 'boolean' } },
  optionHelp: [
    ['--sign KEY', 'sign it with one of your keys, and what it starts; see `trust key create`'],
    ['--yes', 'don’t ask; needed where nobody can answer'],
    ['--preview', 'only tell what the push would mean'],
    ['exit codes', '0 published, or already there; 1 not published; 2 the file is not valid'],
  ],
  positionals: { min: 1, max: 1 },
  run: async (context) => {
    const { flags, positionals } = context
    if (typeof flags['cluster'] !== 'string') {
      throw usageError('A push needs a cluster.', `Usage: sagasmith ${pushCommand.usage}`)
    }
    const file = await openWorkflowFile(context, positionals[0] ?? '')
    printProblems(context, file)
    if (file.hash === null) return 2
    const request = { document: file.json, baseDirectory: file.baseDirectory }
    const { sign } = flags
    // A key that can't be used is told before anything is published.
    const key = typeof sign === 'string' ? await signingKeys(context).read(sign) : null
    return withSession(context, 'look', async (session): Promise<ExitCode> => {
      const preview = await session.call('workflows.preview', request)
      tellPush(context, file.document, preview)
      if (flags['preview'] === true || (preview.known && key === null)) return 0
      if (flags['yes'] !== true && !(await confirmed(context, pushQuestion))) return 1
      const { hash, isNew } = await session.call('workflows.publish', request)
      if (key !== null) await signAll(context, session, { key, hashes: [hash, ...preview.starts] })
      if (preview.known) return 0
      if (context.json) context.emit({ type: 'workflow.published', hash, isNew })
      else context.terminal.line(`Published ${hash}.`)
      return 0
    })
  },
}

async function signAll(
  { json, emit, terminal }: CommandContext,
  session: Session,
  { key, hashes }: { readonly key: string; readonly hashes: readonly DefinitionHash[] },
): Promise<void> {
  for (const hash of hashes) {
    await session.call('workflows.sign', { hash, signature: signDefinition(key, hash) })
    if (json) emit({ type: 'workflow.signed', hash })
    else terminal.line(`Signed ${hash}.`)
  }
}

/** What publishing a document would mean on a cluster. */
export function tellPush(
  context: CommandContext,
  document: WorkflowFile['document'],
  preview: PushPreview,
): void {
  if (context.json) {
    context.emit({ type: 'workflow.preview', workflowId: document.id, ...preview })
    return
  }
  const { terminal } = context
  const { bold, dim, yellow } = terminal.colors
  terminal.line(`${bold(document.title)}  ${dim(preview.hash)}`)
  if (preview.known) terminal.line('This version is there already.')
  else if (preview.newest === null) terminal.line('The workflow is new there.')
  else if (preview.changes.length === 0)
    terminal.line('Nothing differs in meaning from the newest version there.')
  for (const change of preview.changes) terminal.line(`  ${changeText(change)}`)
  for (const { title, id, there } of preview.startedWorkflows) {
    if (there !== 'same') terminal.line(`  ${startedWords[there]} ${title === '' ? id : title}`)
  }
  for (const line of warningsOf(preview)) terminal.line(`${yellow('!')} ${line}`)
  const runs = preview.inFlight.reduce((sum, { count }) => sum + count, 0)
  if (runs > 0) {
    const more = preview.moreInFlight ? 'more than ' : ''
    terminal.line(dim(`${more}${runs} runs in flight stay with the version that they began with.`))
    const touched = preview.ahead.filter(({ steps }) => steps.length > 0)
    for (const { runId, steps } of touched) {
      terminal.line(dim(`  ${runId} is still to come to ${steps.map(({ title }) => title).join(', ')}.`))
    }
  }
}

/** What comes along of the workflows that it starts. */
const startedWords = {
  new: '+ starts, and new there too:',
  other: '+ starts, and there in other versions only:',
} as const

/** Steps, and whose they are. */
function stepsOf(nodes: readonly string[], workflow: string | null): string {
  return `${nodes.join(', ')}${workflow === null ? '' : ` of “${workflow}”`}`
}

const marks: Readonly<Record<VersionChange['change'], string>> = { added: '+', removed: '-', changed: '~' }

function changeText({ what, id, title, change, fields }: VersionChange): string {
  const named = title === id ? id : `${title} (${id})`
  return `${marks[change]} ${what} ${named}${fields.length === 0 ? '' : `: ${fields.join(', ')}`}`
}

/** What would keep it from running there. */
function warningsOf({ runners, trusting, missingKinds, ...rest }: PushPreview): readonly string[] {
  const secrets = secretLines(rest)
  if (runners === 0) return ['No runner works there now: runs of it will wait.', ...secrets]
  const kinds = missingKinds.map(
    ({ kind, workflow, nodes }) =>
      `No runner there can do ${kind}, which ${stepsOf(nodes, workflow)} need${nodes.length === 1 ? 's' : ''}.`,
  )
  return [...kinds, ...(trusting === 0 ? [distrust] : []), ...secrets]
}

const distrust =
  'No runner there trusts it yet: have it approved on one (sagasmith trust approve), or sign it (--sign).'

function secretLines({
  secrets,
  secretStandings,
}: Pick<PushPreview, 'secrets' | 'secretStandings'>): readonly string[] {
  const short = secretStandings.filter(({ lacking }) => lacking > 0).map(shortfallLine)
  const untold = secrets.filter((name) => {
    const own = secretStandings.filter((standing) => standing.name === name)
    return own.length === 0 || !own.every(isKnown)
  })
  if (untold.length === 0) return short
  return [...short, `Each runner needs these secrets in its own vault: ${untold.join(', ')}.`]
}

/** Whether every runner that needs it tells whether it has it, and there is one. */
const isKnown = ({ silent, having, lacking }: SecretStanding): boolean => silent === 0 && having + lacking > 0

function shortfallLine({ name, workflow, nodes, having, lacking, silent, reasons }: SecretStanding): string {
  const why = reasons.map((reason) => lackWords[reason]).join(', or ')
  const whose = `${stepsOf(nodes, workflow)} need${nodes.length === 1 ? 's' : ''}`
  const all = having + lacking + silent
  if (lacking === all) return `No runner there can give the secret ${name}, which ${whose}: ${why}.`
  return `${lacking} of ${all} runners can’t give the secret ${name}, which ${whose}: ${why}. A step that comes to such a one fails.`
}

const lackWords: Readonly<Record<SecretStanding['reasons'][number], string>> = {
  missing: 'it isn’t in the vault',
  locked: 'the vault is locked',
  kinds: 'it is bound to other kinds of steps',
  nodes: 'it is bound to other workflows or steps',
  hosts: 'it is bound to other hosts',
}

/** What somebody is asked before a cluster is changed. */
export interface Question {
  /** What nobody can be asked where no terminal is. */
  readonly about: string
  readonly question: string
  readonly otherwise: string
}

const pushQuestion: Question = {
  about: 'push',
  question: 'Publish it? [y/N] ',
  otherwise: 'Nothing was published.',
}

/** Asks at the terminal; throws a usage error where nobody can answer. */
export async function confirmed(
  { terminal, json }: CommandContext,
  { about, question, otherwise }: Question,
): Promise<boolean> {
  if (json || !process.stdin.isTTY) {
    throw usageError(`Nobody can be asked whether to ${about}.`, 'Add --yes, or --preview to only look.')
  }
  const reader = createInterface({ input: process.stdin, output: process.stdout })
  try {
    const answer = await reader.question(question)
    if (/^y(es)?$/i.test(answer.trim())) return true
    terminal.line(otherwise)
    return false
  } finally {
    reader.close()
  }
}
